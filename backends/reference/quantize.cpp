#include "quantize.hpp"

#include <cmath>
#include <limits>

namespace tenon::reference {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Half to even for |x| < 2^22: the sum has no bits below one, so the adder does the rounding.
float round_even(float x) {
  constexpr float kUnitInLastPlace = 0x1.8p23f;
  return (x + kUnitInLastPlace) - kUnitInLastPlace;
}

/// The largest |x|; NaN where one is.
float largest(const float* x) {
  float amax = 0;
  bool has_nan = false;
  for (int i = 0; i < 32; ++i) {
    const float a = std::fabs(x[i]);
    has_nan |= a != a;
    amax = a > amax ? a : amax;
  }
  return has_nan ? std::numeric_limits<float>::quiet_NaN() : amax;
}

void quantize_block(const float* x, ActBlock& block) {
  const float amax = largest(x);
  const float inverse = 127.0f / amax;
  block = {};
  if (!(amax < kInfinity)) {
    block.d = std::numeric_limits<float>::quiet_NaN();
    return;
  }
  if (!(inverse < kInfinity)) return;
  block.d = amax / 127.0f;
  for (int i = 0; i < 32; ++i) block.q[i] = static_cast<int16_t>(static_cast<int32_t>(round_even(x[i] * inverse)));
  for (int i = 0; i < 32; ++i) block.sum16[i / 16] += block.q[i];
  block.sum = block.sum16[0] + block.sum16[1];
}

}  // namespace

void quantize_row(const float* x, int64_t k, ActBlock* blocks) {
  for (int64_t b = 0; b < k / 32; ++b) quantize_block(x + 32 * b, blocks[b]);
}

}  // namespace tenon::reference
