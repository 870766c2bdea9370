// What the integer products use: plain NEON, or what a processor has beyond it. All levels give the same bits.
#pragma once

#include <tenon/result.hpp>

#include <string_view>

namespace tenon::panels {

enum class Level { neon, dotprod, i8mm };

std::string_view level_name(Level level);

/// The level in use.
Level level();

/// Uses the named level, "auto": the highest that the processor has. One that it lacks is refused, never replaced.
Result<void> use_level(std::string_view name);

}  // namespace tenon::panels
