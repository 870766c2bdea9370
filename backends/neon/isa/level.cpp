#include "level.hpp"

#include <sys/auxv.h>

#include <atomic>
#include <string>

namespace tenon::panels {
namespace {

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

std::string_view level_name(Level level) {
  switch (level) {
    case Level::dotprod: return "dotprod";
    case Level::i8mm: return "i8mm";
    case Level::neon: break;
  }
  return "neon";
}

Level level() { return in_use.load(std::memory_order_relaxed); }

Result<void> use_level(std::string_view name) {
  const Level most = highest();
  if (name == "auto") {
    in_use = most;
    return {};
  }
  for (const Level each : {Level::neon, Level::dotprod, Level::i8mm}) {
    if (name != level_name(each)) continue;
    if (each > most) {
      return unsupported("option isa is " + std::string(name) + ", the processor has " + std::string(level_name(most)) +
                         " at most; write that or auto");
    }
    in_use = each;
    return {};
  }
  return invalid("option isa is '" + std::string(name) + "', expected auto, neon, dotprod or i8mm");
}

}  // namespace tenon::panels
