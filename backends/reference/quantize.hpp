// Activations of the int8 class.
#pragma once

#include <cstdint>

namespace tenon::reference {

/// 32 activations: x[i] is about d * q[i]. Codes are -127..127, held in 16 bits because that is what is multiplied.
struct ActBlock {
  int16_t q[32];
  float d;
  int32_t sum16[2];  // of q[0..15] and q[16..31]
  int32_t sum;       // of q
};

/// x [k], k a multiple of 32, into blocks [k / 32]: d = amax / 127, q = rint(x * (127 / amax)), half to even.
/// A block that is too small for 127 / amax to be finite is all zero. One with an infinity or NaN gets d = NaN, so that
/// a broken row shows in the result instead of turning into numbers.
void quantize_row(const float* x, int64_t k, ActBlock* blocks);

}  // namespace tenon::reference
