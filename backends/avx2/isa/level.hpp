// What products of plain weights use: AVX2, or AVX-512 where the processor has it. Both give the same bits.
#pragma once

#include <tenon/result.hpp>

#include <string_view>

namespace tenon::panels {

enum class Level { avx2, avx512 };

std::string_view level_name(Level level);

/// The level in use.
Level level();

/// Uses the named level, "auto": the highest that the processor has. One that it lacks is refused, never replaced.
Result<void> use_level(std::string_view name);

}  // namespace tenon::panels
