#include "level.hpp"

#include <atomic>
#include <string>

namespace tenon::panels {
namespace {

/// The compiler's library asks the processor and whether the system saves the wide registers.
Level highest() {
  const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return has_avx512 ? Level::avx512 : Level::avx2;
}

// Of the process, since kernels are plain functions: with several instances the last one's option holds for all, which
// changes speed alone.
std::atomic<Level> in_use{Level::avx2};

}  // namespace

std::string_view level_name(Level level) { return level == Level::avx512 ? "avx512" : "avx2"; }

Level level() { return in_use.load(std::memory_order_relaxed); }

Result<void> use_level(std::string_view name) {
  const Level most = highest();
  if (name == "auto") {
    in_use = most;
    return {};
  }
  for (const Level each : {Level::avx2, Level::avx512}) {
    if (name != level_name(each)) continue;
    if (each > most) {
      return unsupported("option isa is " + std::string(name) + ", the processor has " + std::string(level_name(most)) +
                         " at most; write that or auto");
    }
    in_use = each;
    return {};
  }
  return invalid("option isa is '" + std::string(name) + "', expected auto, avx2 or avx512");
}

}  // namespace tenon::panels
