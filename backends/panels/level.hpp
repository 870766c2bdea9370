// The choice among the levels of an ISA that a backend has kernels for.
#pragma once

#include <tenon/result.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace tenon::panels {

/// The place in `names`, which go from the lowest to the highest, of the level that the option isa asks for; "auto":
/// `highest`, the one that the processor has. One that it lacks is refused, never replaced.
inline Result<size_t> choose_level(std::string_view asked, std::span<const std::string_view> names, size_t highest) {
  if (asked == "auto") return highest;
  const auto found = static_cast<size_t>(std::ranges::find(names, asked) - names.begin());
  if (found <= highest) return found;
  if (found < names.size()) {
    return unsupported("option isa is " + std::string(asked) + ", the processor has " + std::string(names[highest]) +
                       " at most; write that or auto");
  }
  std::string all = "auto";
  for (const std::string_view name : names) all += ", " + std::string(name);
  return invalid("option isa is '" + std::string(asked) + "', expected one of " + all);
}

}  // namespace tenon::panels
