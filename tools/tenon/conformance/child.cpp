#include <conformance/child.hpp>
#include <conformance/fault_report.hpp>
#include <conformance/record.hpp>
#include <tenon/base/child.hpp>
#include <tenon/config/yaml.hpp>
#include <tenon/registry/registry.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace tenon::conformance {
namespace {

/// A registry with one backend; the consent to threads of its own is given, since nothing else runs here.
Result<Registry> open_alone(const std::string& plugin, const std::string& options,
                            const std::vector<std::filesystem::path>& plugin_dirs) {
  PluginUse use;
  use.use = plugin;
  if (!options.empty()) {
    auto parsed = parse_yaml(options, "--options");
    if (!parsed) return parsed.error();
    use.options = std::move(*parsed);
    use.has_options = true;
  }
  use.allow_threads = true;
  auto registry = Registry::open({plugin_dirs, {use}, true}, silent_log());
  if (!registry) return registry.error();
  if (registry->backends().empty()) {
    return invalid(fmt::format("plug-in '{}' offers no {}: it is no backend, there is nothing to check",
                               registry->plugins()[0].id, TENON_KERNEL_INTERFACE));
  }
  return registry;
}

/// Where the plug-in 'reference' is; "" where it is not or cannot be used.
std::filesystem::path find_reference(const std::vector<std::filesystem::path>& plugin_dirs) {
  for (const PluginState& each : Registry::list({plugin_dirs, {}, false})) {
    if (each.id == "reference" && each.stage >= PluginStage::usable) return each.path;
  }
  return {};
}

}  // namespace

bool run_task(const ChildTask& task, std::span<const Case> cases) {
  const auto refuse = [](const Error& error) {
    write_result(refusal_line(error.message));
    return false;
  };
  report_faults();
  // The reference for itself, so that a plug-in under test may have any id. A plug-in is started once in a process:
  // where the reference itself is tested, it is both.
  auto plugin = open_alone(task.plugin, task.options, task.plugin_dirs);
  if (!plugin) return refuse(plugin.error());
  const PluginState& state = plugin->plugins()[0];
  write_result(plugin_line({state.id, state.version, state.path.string(), state.build_id}));
  std::optional<Registry> reference;
  const std::filesystem::path path = find_reference(task.plugin_dirs);
  if (path.empty()) return refuse(invalid("there is no plug-in 'reference' to compare with"));
  std::error_code unknown;
  if (!std::filesystem::equivalent(path, state.path, unknown)) {
    auto opened = open_alone(path.string(), "", {});
    if (!opened) return refuse(opened.error());
    reference = std::move(*opened);
  }
  const tenon_kernel_api& backend = *plugin->backends()[0].api;
  const tenon_kernel_api& oracle = reference ? *reference->backends()[0].api : backend;
  const StageFunction stage = [](std::string_view text) { write_result(stage_line(text)); };
  for (size_t i = task.first; i < std::min(task.end, cases.size()); ++i) {
    write_result(begin_line(i));
    write_result(end_line(i, check_case(cases[i], backend, oracle, task.settings, stage)));
  }
  return true;
}

}  // namespace tenon::conformance
