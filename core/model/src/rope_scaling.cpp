#include "rope_scaling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tenon {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

void linear(const RopeScalingNumbers& n, double, RopeFrequencies& frequencies) {
  for (double& inverse : frequencies.inverse) inverse /= n.factor;
}

/// Pairs that turn more than `high` times within the original context stay, those below `low` are slowed by the factor,
/// those between are mixed. A divisor is rounded to f32, as files hold it that bring it as a tensor.
void bands(const RopeScalingNumbers& n, double, RopeFrequencies& frequencies) {
  for (double& inverse : frequencies.inverse) {
    const double turns = n.original_context * inverse / kTurn;
    const double kept = std::clamp((turns - n.low) / (n.high - n.low), 0.0, 1.0);
    inverse /= static_cast<double>(static_cast<float>(1 / ((1 - kept) / n.factor + kept)));
  }
}

/// YaRN (Peng et al. 2023): as bands, with a ramp that is linear in the pair's index.
void yarn(const RopeScalingNumbers& n, double theta, RopeFrequencies& frequencies) {
  const auto n_dims = 2 * static_cast<double>(frequencies.inverse.size());
  // The pair that turns `turns` times within the original context.
  const auto pair_of = [&](double turns) {
    return n_dims * std::log(n.original_context / (turns * kTurn)) / (2 * std::log(theta));
  };
  double low = pair_of(n.beta_fast), high = pair_of(n.beta_slow);
  if (n.truncate != 0) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = std::max(low, 0.0);
  high = std::min(high, n_dims - 1);
  const double width = std::max(high - low, 0.001);
  for (size_t i = 0; i < frequencies.inverse.size(); ++i) {
    const double slowed = std::clamp((static_cast<double>(i) - low) / width, 0.0, 1.0);
    frequencies.inverse[i] *= slowed / n.factor + (1 - slowed);
  }
  const double magnitude = n.magnitude > 0 ? n.magnitude : n.factor <= 1 ? 1 : 0.1 * std::log(n.factor) + 1;
  frequencies.magnitude = magnitude * n.extra_magnitude;
}

constexpr auto kScalings = std::to_array<RopeScaling>({{"linear", linear}, {"bands", bands}, {"yarn", yarn}});

using N = RopeScalingNumbers;
constexpr auto kNumbers = std::to_array<RopeScalingNumber>({{"factor", &N::factor, "linear bands yarn"},
                                                            {"original_context", &N::original_context, "bands yarn"},
                                                            {"low", &N::low, ""},
                                                            {"high", &N::high, ""},
                                                            {"beta_fast", &N::beta_fast, ""},
                                                            {"beta_slow", &N::beta_slow, ""},
                                                            {"truncate", &N::truncate, ""},
                                                            {"magnitude", &N::magnitude, ""},
                                                            {"extra_magnitude", &N::extra_magnitude, ""}});

}  // namespace

std::span<const RopeScaling> rope_scalings() { return kScalings; }
std::span<const RopeScalingNumber> rope_scaling_numbers() { return kNumbers; }

}  // namespace tenon
