#include <tenon/base/file.hpp>
#include <tenon/model/source.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tenon {

Result<ModelSource> ModelSource::open(std::span<const Offer<tenon_format_api>> formats,
                                      const std::filesystem::path& path) {
  std::array<std::byte, 64> first{};
  size_t n_first = 0;
  if (!std::filesystem::is_directory(path)) {
    auto file = File::open(path);
    if (!file) return file.error();
    n_first = static_cast<size_t>(std::min<uint64_t>(first.size(), file->size()));
    auto read = file->read(0, std::span(first).first(n_first));
    if (!read) return read.error();
  }
  std::string known;
  for (const Offer<tenon_format_api>& offer : formats) {
    known += (known.empty() ? "" : ", ") + std::string(offer.api->name);
    if (offer.api->recognizes(offer.api->self, str(path.native()), first.data(), n_first) == 0) continue;
    void* model = nullptr;
    tenon_status status = empty_status();
    const tenon_code code = offer.api->open(offer.api->self, str(path.native()), &model, &status);
    if (code != TENON_OK) return from_status(code, status).error();
    ModelSource source(*offer.api, path, model);
    auto taken = source.take_contents();
    if (!taken) return taken.error();
    return source;
  }
  if (std::filesystem::is_directory(path)) {
    return invalid(fmt::format("{}: a folder, and no loaded format ({}) reads it; name the model's file", path.string(),
                               known.empty() ? "none" : known));
  }
  if (n_first < 4) {
    return invalid(fmt::format("{}: {} bytes are too few to be a model", path.string(), n_first));
  }
  return invalid(
      fmt::format("{}: not a model in a format that is loaded ({}); download it again, or name the plug-in "
                  "of its format under 'plugins'",
                  path.string(), known.empty() ? "none" : known));
}

ModelSource::ModelSource(const tenon_format_api& api, std::filesystem::path path, void* model)
    : api_(&api), path_(std::move(path)), format_(api.name), model_(model, Close{&api}) {}

Result<void> ModelSource::take_contents() {
  const uint64_t n_values = api_->n_values(model_.get());
  values_.reserve(n_values);
  tenon_status status = empty_status();
  for (uint64_t i = 0; i < n_values; ++i) {
    tenon_str key{};
    tenon_value value{};
    const tenon_code code = api_->value(model_.get(), i, &key, &value, &status);
    if (code != TENON_OK) return from_status(code, status);
    values_.emplace_back(std::string(view(key)), value);
  }
  const uint64_t n_tensors = api_->n_tensors(model_.get());
  tensors_.reserve(n_tensors);
  for (uint64_t i = 0; i < n_tensors; ++i) {
    tenon_tensor_info info{};
    info.size = sizeof info;
    const tenon_code code = api_->tensor(model_.get(), i, &info, &status);
    if (code != TENON_OK) return from_status(code, status);
    const tenon_tensor& t = info.tensor;
    if (t.rank == 0 || t.rank > TENON_MAX_RANK || find_dtype(t.dtype) == nullptr) {
      return invalid(
          fmt::format("{}: tensor '{}' has dtype number {} and rank {}, which the format plug-in '{}' should "
                      "not have let through",
                      path_.string(), view(info.name), t.dtype, t.rank, format_));
    }
    tensors_.push_back({std::string(view(info.name)), t, info.bytes, i});
  }
  // The keys view strings that no longer move: both vectors are complete.
  for (size_t i = 0; i < values_.size(); ++i) value_index_.emplace(values_[i].first, i);
  for (size_t i = 0; i < tensors_.size(); ++i) tensor_index_.emplace(tensors_[i].name, i);
  return {};
}

const tenon_value* ModelSource::find(std::string_view key) const {
  const auto it = value_index_.find(key);
  return it == value_index_.end() ? nullptr : &values_[it->second].second;
}

std::optional<std::string_view> ModelSource::text(std::string_view key) const {
  const tenon_value* value = find(key);
  if (value == nullptr || value->type != TENON_VALUE_STRING) return std::nullopt;
  return view(value->s);
}

const ModelSource::Tensor* ModelSource::tensor(std::string_view name) const {
  const auto it = tensor_index_.find(name);
  return it == tensor_index_.end() ? nullptr : &tensors_[it->second];
}

Result<void> ModelSource::read(const Tensor& tensor, std::span<std::byte> destination) const {
  tenon_status status = empty_status();
  const tenon_code code = api_->read(model_.get(), tensor.index, 0, destination.data(), destination.size(), &status);
  return from_status(code, status);
}

tenon_meta ModelSource::meta() const {
  tenon_meta meta{};
  meta.size = sizeof meta;
  meta.self = const_cast<ModelSource*>(this);
  meta.find = [](void* self, tenon_str key, tenon_value* value) -> tenon_code {
    const tenon_value* found = static_cast<const ModelSource*>(self)->find(view(key));
    if (found == nullptr) return TENON_UNSUPPORTED;
    *value = *found;
    return TENON_OK;
  };
  return meta;
}

}  // namespace tenon
