// The data behind unicode.hpp, made by make_unicode_tables.py.
#pragma once

#include "unicode.hpp"

#include <span>

namespace tenon::jinja {

/// From `first` to the next run's first.
struct PropertyRun {
  uint32_t first;
  uint16_t properties;
};
/// Every `stride`-th code point of first..last moves by `distance`.
struct CaseRun {
  uint32_t first, last;
  uint8_t stride;
  int32_t distance;
};
/// A code point that becomes several (0: none). Sorted by it.
struct SpecialCase {
  uint32_t from;
  Case to;
  uint32_t code_points[3];
};

std::span<const PropertyRun> property_runs();
std::span<const CaseRun> case_runs(Case to);
std::span<const SpecialCase> special_cases();

}  // namespace tenon::jinja
