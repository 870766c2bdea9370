// The child's part: load the plug-in and the reference, run a stretch of the list of cases, tell each step.
#pragma once

#include <conformance/case.hpp>
#include <conformance/check.hpp>
#include <tenon/result.hpp>

#include <filesystem>
#include <span>
#include <string>

namespace tenon::conformance {

struct ChildTask {
  std::string plugin;   // an id, or a path with a '/'
  std::string options;  // its options, YAML as in a config; "": the defaults
  std::vector<std::filesystem::path> plugin_dirs;
  CheckSettings settings;
  size_t first = 0, end = 0;  // of the cases
};

/// Writes lines of record.hpp to kChildResult. False where the plug-in cannot be loaded, which it tells too.
bool run_task(const ChildTask& task, std::span<const Case> cases);

}  // namespace tenon::conformance
