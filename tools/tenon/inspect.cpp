// tenon inspect: metadata and tensors of a model file.
#include "cli.hpp"
#include "models.hpp"

#include <tenon/config/settings.hpp>
#include <tenon/model/source.hpp>
#include <tenon/registry/registry.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace tenon::cli {
namespace {

constexpr uint64_t kShownElements = 8;
constexpr size_t kShownText = 100;

/// Control characters and quotes escaped, long texts cut between characters.
std::string shown(std::string_view text) {
  std::string out = "\"";
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (i >= kShownText && (c & 0xC0) != 0x80) return out + fmt::format("\"... ({} bytes)", text.size());
    if (c == '\n')
      out += "\\n";
    else if (c == '"' || c == '\\')
      out += std::string("\\") + text[i];
    else if (c < 0x20 || c == 0x7F)
      out += fmt::format("\\x{:02x}", c);
    else
      out += text[i];
  }
  return out + "\"";
}

std::string element_text(const tenon_value& array, uint64_t i) {
  switch (array.element_type) {
    case TENON_VALUE_STRING: return shown(view(array.strings[i]));
    case TENON_VALUE_FLOAT: return fmt::format("{}", static_cast<const double*>(array.numbers)[i]);
    case TENON_VALUE_INT: return fmt::format("{}", static_cast<const int64_t*>(array.numbers)[i]);
    default: return fmt::format("{}", static_cast<const uint64_t*>(array.numbers)[i]);
  }
}

std::string value_text(const tenon_value& value) {
  switch (value.type) {
    case TENON_VALUE_BOOL: return value.u != 0 ? "true" : "false";
    case TENON_VALUE_UINT: return fmt::format("{}", value.u);
    case TENON_VALUE_INT: return fmt::format("{}", value.i);
    case TENON_VALUE_FLOAT: return fmt::format("{}", value.f);
    case TENON_VALUE_STRING: return shown(view(value.s));
    default: break;
  }
  std::string text;
  for (uint64_t i = 0; i < std::min(value.count, kShownElements); ++i)
    text += (i == 0 ? "" : ", ") + element_text(value, i);
  return fmt::format("[{}{}] ({})", text, value.count > kShownElements ? ", ..." : "", value.count);
}

nlohmann::json element_json(const tenon_value& array, uint64_t i) {
  switch (array.element_type) {
    case TENON_VALUE_STRING: return view(array.strings[i]);
    case TENON_VALUE_FLOAT: return static_cast<const double*>(array.numbers)[i];
    case TENON_VALUE_INT: return static_cast<const int64_t*>(array.numbers)[i];
    default: return static_cast<const uint64_t*>(array.numbers)[i];
  }
}

nlohmann::json value_json(const tenon_value& value) {
  switch (value.type) {
    case TENON_VALUE_BOOL: return value.u != 0;
    case TENON_VALUE_UINT: return value.u;
    case TENON_VALUE_INT: return value.i;
    case TENON_VALUE_FLOAT: return value.f;
    case TENON_VALUE_STRING: return view(value.s);
    default: break;
  }
  nlohmann::json array = nlohmann::json::array();
  for (uint64_t i = 0; i < value.count; ++i) array.push_back(element_json(value, i));
  return array;
}

int write_model_json(const ModelSource& model) {
  nlohmann::json metadata = nlohmann::json::object(), tensors = nlohmann::json::array();
  for (const auto& [key, value] : model.values()) metadata[std::string(key)] = value_json(value);
  for (const ModelSource::Tensor& tensor : model.tensors()) {
    const std::vector<int64_t> shape(tensor.shape.dims, tensor.shape.dims + tensor.shape.rank);
    tensors.push_back({{"name", tensor.name},
                       {"dtype", find_dtype(tensor.shape.dtype)->name},
                       {"shape", shape},
                       {"bytes", tensor.bytes}});
  }
  return write_json({{"path", model.path().string()},
                     {"format", model.format()},
                     {"metadata", std::move(metadata)},
                     {"tensors", std::move(tensors)}});
}

void print_model(const ModelSource& model) {
  fmt::print("{}: {}\n\n", model.path().string(), model.format());
  for (const auto& [key, value] : model.values()) fmt::print("{} = {}\n", key, value_text(value));
  fmt::print("\n");
  uint64_t bytes = 0, elements = 0;
  for (const ModelSource::Tensor& tensor : model.tensors()) {
    std::string dims;
    uint64_t n = 1;
    for (uint32_t i = 0; i < tensor.shape.rank; ++i) {
      dims += fmt::format("{}{}", i == 0 ? "" : " x ", tensor.shape.dims[i]);
      n *= static_cast<uint64_t>(tensor.shape.dims[i]);
    }
    fmt::print("{:<36} {:<7} {:<20} {:>12} bytes\n", tensor.name, find_dtype(tensor.shape.dtype)->name, dims,
               tensor.bytes);
    bytes += tensor.bytes;
    elements += n;
  }
  fmt::print("\n{} tensors, {:.1f} million weights, {:.1f} MB\n", model.tensors().size(),
             static_cast<double>(elements) / 1e6, static_cast<double>(bytes) / 1e6);
}

}  // namespace

int run_inspect(const std::vector<std::string>& arguments) {
  po::options_description options = model_options();
  options.add_options()("json", po::bool_switch(), "JSON on stdout, with arrays whole");
  po::positional_options_description positional;
  positional.add("model", 1);
  const Parsed parsed = parse("inspect [MODEL] [OPTIONS]", arguments, options, positional);
  if (parsed.done) return parsed.code;
  auto settings = settings_of(parsed.values);
  if (!settings) return report(settings.error());
  auto registry =
      Registry::open({settings->plugin_dirs, settings->plugins, settings->plugins_given}, stderr_log(parsed.values));
  if (!registry) return report(registry.error());
  std::string path = settings->model.path;
  if (parsed.values.count("model") != 0) {
    auto resolved = resolve_model(parsed.values["model"].as<std::string>());
    if (!resolved) return report(resolved.error());
    path = *resolved;
  }
  auto model = ModelSource::open(registry->formats(), path);
  if (!model) return report(model.error());
  if (parsed.values["json"].as<bool>()) return write_model_json(*model);
  print_model(*model);
  return kDone;
}

}  // namespace tenon::cli
