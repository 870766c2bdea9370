// The parent's part: cases in children, an op and format each; after a crash or a hang the rest goes on in a new one.
#pragma once

#include <conformance/case.hpp>
#include <conformance/record.hpp>
#include <tenon/result.hpp>

#include <chrono>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tenon::conformance {

struct RunRequest {
  // The child's arguments for the cases [first, end) of the same list.
  std::function<std::vector<std::string>(size_t first, size_t end)> arguments;
  std::chrono::seconds step_limit{30};                    // for one step of one case; more is a hang
  std::function<void(size_t done, size_t all)> progress;  // may be empty
};

struct RunResult {
  PluginFacts plugin;
  std::vector<CaseResult> cases;  // in the order of the list
};

/// Errors: TENON_INVALID where the plug-in cannot be loaded, TENON_INTERNAL where it crashes or hangs while it is, or
/// where no child can be started.
Result<RunResult> run_cases(std::span<const Case> cases, const RunRequest& request);

}  // namespace tenon::conformance
