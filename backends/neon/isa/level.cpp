#include "level.hpp"

#include "panels/level.hpp"

#include <sys/auxv.h>

#include <atomic>

namespace tenon::panels {
namespace {

constexpr std::string_view kNames[] = {"neon", "dotprod", "i8mm"};  // of Level, in its order

// Bits of Linux's arm64 ABI (asm/hwcap.h), named here since older headers lack the second.
constexpr unsigned long kHwcapDotProd = 1ul << 20;  // AT_HWCAP
constexpr unsigned long kHwcap2I8mm = 1ul << 13;    // AT_HWCAP2

Level highest() {
  if ((getauxval(AT_HWCAP) & kHwcapDotProd) == 0) return Level::neon;
  return (getauxval(AT_HWCAP2) & kHwcap2I8mm) == 0 ? Level::dotprod : Level::i8mm;
}

// Of the process, since kernels are plain functions: with several instances the last one's option holds for all, which
// changes speed alone.
std::atomic<Level> in_use{Level::neon};

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
