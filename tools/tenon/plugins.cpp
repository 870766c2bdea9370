// tenon plugins list: what plug-ins there are, and how far each one came.
#include "cli.hpp"

#include <tenon/base/cpu.hpp>
#include <tenon/registry/registry.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tenon::cli {
namespace {

int write_plugins_json(const std::vector<PluginState>& plugins) {
  nlohmann::json list = nlohmann::json::array();
  for (const PluginState& plugin : plugins) {
    list.push_back({{"id", plugin.id},
                    {"version", plugin.version},
                    {"stage", name_of(plugin.stage)},
                    {"path", plugin.path.string()},
                    {"interfaces", plugin.interfaces},
                    {"needs", isa_names(plugin.isa)},
                    {"fault", plugin.fault ? nlohmann::json(plugin.fault->to_error().message) : nlohmann::json()}});
  }
  return write_json({{"processor", isa_names(cpu_isa())}, {"plugins", std::move(list)}});
}

}  // namespace

int run_plugins(const std::vector<std::string>& arguments) {
  po::options_description options = model_options();
  options.add_options()("action", po::value<std::string>()->required(), "list")("json", po::bool_switch(),
                                                                                "JSON on stdout");
  po::positional_options_description positional;
  positional.add("action", 1);
  const Parsed parsed = parse("plugins list [OPTIONS]", arguments, options, positional);
  if (parsed.done) return parsed.code;
  if (parsed.values["action"].as<std::string>() != "list") {
    return report(invalid(fmt::format("no action '{}'; there is list", parsed.values["action"].as<std::string>())));
  }
  auto settings = settings_of(parsed.values);
  if (!settings) return report(settings.error());
  const Registry::Request request{settings->plugin_dirs, settings->plugins, settings->plugins_given};
  const std::vector<PluginState> plugins = Registry::list(request);
  if (parsed.values["json"].as<bool>()) return write_plugins_json(plugins);
  fmt::print("processor: {}\n\n", isa_names(cpu_isa()));
  for (const PluginState& plugin : plugins) {
    fmt::print("{:<12} {:<8} {:<9} {}\n", plugin.id.empty() ? "?" : plugin.id, plugin.version, name_of(plugin.stage),
               plugin.path.string());
    std::string interfaces;
    for (const std::string& interface : plugin.interfaces) interfaces += " " + interface;
    fmt::print("             offers{}; needs {}\n", interfaces, isa_names(plugin.isa));
    if (plugin.fault) fmt::print("             {}\n", plugin.fault->to_error().message);
  }
  return kDone;
}

}  // namespace tenon::cli
