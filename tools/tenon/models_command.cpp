// tenon models fetch|list|path|verify
#include "cli.hpp"
#include "models.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tenon::cli {
namespace {

Result<const KnownModel*> named(const std::string& name) {
  if (const KnownModel* model = find_known_model(name)) return model;
  std::string names;
  for (const KnownModel& model : known_models()) names += fmt::format("{}{}", names.empty() ? "" : ", ", model.name);
  return invalid(fmt::format("no model is known as '{}'; known: {}", name, names));
}

int list_json() {
  nlohmann::json models = nlohmann::json::array();
  for (const KnownModel& model : known_models()) {
    const std::filesystem::path path = cached_path(model);
    models.push_back({{"name", model.name},
                      {"bytes", model.bytes},
                      {"fetched", std::filesystem::exists(path)},
                      {"path", path.string()},
                      {"sha256", model.sha256},
                      {"licence", model.licence},
                      {"description", model.description}});
  }
  return write_json(nlohmann::json::object({{"models", std::move(models)}}));
}

int list() {
  for (const KnownModel& model : known_models()) {
    const bool fetched = std::filesystem::exists(cached_path(model));
    fmt::print("{:<16} {:>6.1f} MB  {:<12} {:<14} {}\n", model.name, static_cast<double>(model.bytes) / 1e6,
               fetched ? "fetched" : "not fetched", model.licence, model.description);
  }
  return kDone;
}

}  // namespace

int run_models(const std::vector<std::string>& arguments) {
  po::options_description options("Models");
  options.add_options()("action", po::value<std::string>()->required(), "fetch, list, path or verify")(
      "name", po::value<std::string>(), "the model's name")("json", po::bool_switch(), "list: JSON on stdout");
  po::positional_options_description positional;
  positional.add("action", 1).add("name", 1);
  const Parsed parsed = parse("models fetch NAME | list | path NAME | verify [NAME]", arguments, options, positional);
  if (parsed.done) return parsed.code;
  const auto& action = parsed.values["action"].as<std::string>();
  const bool json = parsed.values["json"].as<bool>();
  if (json && action != "list") return report(invalid("--json goes with 'models list' only"));
  if (action == "list") return json ? list_json() : list();
  if (action != "fetch" && action != "path" && action != "verify") {
    return report(invalid(fmt::format("no action '{}'; there are fetch, list, path, verify", action)));
  }
  if (parsed.values.count("name") == 0) {
    if (action != "verify") return report(invalid(fmt::format("'models {}' needs the name of a model", action)));
    for (const KnownModel& model : known_models()) {
      if (!std::filesystem::exists(cached_path(model))) continue;
      auto verified = verify_model(model);
      if (!verified) return report(verified.error());
      fmt::print("{}: as published\n", model.name);
    }
    return kDone;
  }
  auto model = named(parsed.values["name"].as<std::string>());
  if (!model) return report(model.error());
  if (action == "fetch") {
    auto path = fetch_model(**model);
    if (!path) return report(path.error());
    fmt::print("{}\n", path->string());
    return kDone;
  }
  if (action == "path") {
    auto path = resolve_model(std::string((*model)->name));
    if (!path) return report(path.error());
    fmt::print("{}\n", *path);
    return kDone;
  }
  auto verified = verify_model(**model);
  if (!verified) return report(verified.error());
  fmt::print("{}: as published\n", (*model)->name);
  return kDone;
}

}  // namespace tenon::cli
