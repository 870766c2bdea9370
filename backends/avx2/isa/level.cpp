#include "level.hpp"

#include "panels/level.hpp"

#include <atomic>

namespace tenon::panels {
namespace {

constexpr std::string_view kNames[] = {"avx2", "avx512"};  // of Level, in its order

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

std::string_view level_name(Level level) { return kNames[static_cast<size_t>(level)]; }

Level level() { return in_use.load(std::memory_order_relaxed); }

Result<void> use_level(std::string_view name) {
  const auto chosen = choose_level(name, kNames, static_cast<size_t>(highest()));
  if (!chosen) return chosen.error();
  in_use = static_cast<Level>(*chosen);
  return {};
}

}  // namespace tenon::panels
