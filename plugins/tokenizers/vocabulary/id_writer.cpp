#include "id_writer.hpp"

#include <fmt/format.h>

namespace tenon::vocabulary {

Result<void> check_ranges(std::string_view text, std::span<const tenon_range> ranges) {
  uint64_t before = 0;
  for (const tenon_range& range : ranges) {
    if (range.begin < before || range.end < range.begin || range.end > text.size()) {
      return invalid(fmt::format("special range {}..{}: expected ascending, disjoint ranges in a text of {} bytes",
                                 range.begin, range.end, text.size()));
    }
    before = range.end;
  }
  return {};
}

}  // namespace tenon::vocabulary
