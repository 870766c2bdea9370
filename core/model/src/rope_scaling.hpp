// Stretching rotary positions to a longer context: the ways that model files name, as changes of the frequencies.
#pragma once

#include <tenon/model/graph.hpp>

#include <span>
#include <string_view>

namespace tenon {

struct RopeScalingNumbers {
  double factor = 1;                     // of the context's length
  double original_context = 1;           // positions that the model was first trained on
  double low = 1, high = 4;              // bands: turns within original_context that bound the mixed frequencies
  double beta_fast = 32, beta_slow = 1;  // yarn: the same
  double truncate = 1;                   // yarn: 0 leaves the bounds of the ramp between two pairs
  double magnitude = 0;                  // yarn: of cos and sin; 0: 0.1 ln(factor) + 1
  double extra_magnitude = 1;            // yarn: times that
};

struct RopeScaling {
  std::string_view name;
  void (*apply)(const RopeScalingNumbers& numbers, double theta, RopeFrequencies& frequencies);
};
/// linear, bands, yarn.
std::span<const RopeScaling> rope_scalings();

/// What a recipe gives as NAME_`name` for a scaling of the param NAME.
struct RopeScalingNumber {
  std::string_view name;
  double RopeScalingNumbers::*member;
  std::string_view needed_by;  // names of scalings that have no default for it
};
std::span<const RopeScalingNumber> rope_scaling_numbers();

}  // namespace tenon
