// Work done in a process of its own, so that a crash, a hang, an exit or a flood of output costs that process only. The
// host executes itself again; what it computes comes back on a descriptor of its own, not on stdout.
#pragma once

#include <tenon/result.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tenon {

/// Where the child writes its result: open in every child, closed by its end.
inline constexpr int kChildResult = 3;

struct ChildRequest {
  std::vector<std::string> arguments;  // after the name of the program
  std::filesystem::path executable = "/proc/self/exe";
  std::chrono::milliseconds time_limit{0};   // from start to end; 0: none
  std::chrono::milliseconds quiet_limit{0};  // from start, or from the last byte of result, to the next one; 0: none
  uint64_t memory_limit = 0;  // bytes of address space; 0: none. Not set under a sanitizer, which needs more
  size_t most_output = size_t{64} << 10;  // bytes that are kept of stdout and of stderr each; the rest is read and lost
  size_t most_result = size_t{64} << 20;  // a child that writes more is ended
};

enum class ChildEnd {
  done,              // exit code 0, and a result
  exited,            // an exit code other than 0, or no byte of result
  signalled,         // by a signal that was not ours
  timed_out,         // one of the two limits of time was reached; the whole process group was killed
  result_too_large,  // killed for writing more than most_result
  not_started        // the system gave no process, or could not execute the file
};

/// How a child ended. `result` holds what came of it, however it ended.
struct ChildOutcome {
  ChildEnd end = ChildEnd::not_started;
  int exit_code = -1;  // where it exited
  int signal = 0;      // where it was signalled
  std::string result, output, errors;
  bool output_cut = false, errors_cut = false;  // stdout or stderr held more than was kept
  std::string reason;                           // not_started: why

  /// "was killed by signal 11 (SIGSEGV)", "exited with code 3 without a result": to stand after the name of what ran.
  std::string what() const;
};

/// Runs and waits. The child is in a process group of its own, dies with the calling thread, reads an empty stdin,
/// leaves no core and inherits no descriptor. What it started is killed when it ends. Any thread; allocates.
ChildOutcome run_child(const ChildRequest& request);

/// In the child: writes all of `bytes` to kChildResult. False where nobody reads it. Async-signal-safe.
bool write_result(std::string_view bytes) noexcept;

}  // namespace tenon
