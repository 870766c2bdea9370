// Integer sums of two rows with SMMLA (FEAT_I8MM): eight products of each of two rows by two outputs an instruction,
// twice what SDOT does. Its operands have eight neighbouring k of a row or output, so that the codes of two
// neighbouring vectors are brought together first, once for all rows of a tile. Included by files compiled for it
// alone.
#pragma once

#include "codes.hpp"

namespace tenon::panels {
namespace {

struct TwoRowDot {
  static constexpr int kRows = 2;

  /// Vectors 2 t and 2 t + 1 become elements 8 t .. 8 t + 7 of outputs 0 1 and 2 3 (low), 4 5 and 6 7 (high).
  static void arrange(Codes& w) {
    for (int t = 0; t < 8; t += 2) {
      join(w.low[t], w.low[t + 1]);
      join(w.high[t], w.high[t + 1]);
    }
  }

  /// sum[i] = start[i] + sum over vectors [first, first + kVectors) of code q, of rows x[0] and x[1].
  template <int kLargest, int kVectors>
  static void sums(const Codes& w, int first, const ActBlock* const* x, const int32_t* start, I32x8* sum) {
    // Lanes: row 0 by two outputs, row 1 by the same.
    const int32x4_t from = vcombine_s32(vdup_n_s32(start[0]), vdup_n_s32(start[1]));
    int32x4_t s[4] = {from, from, from, from};
    for (int v = first; v < first + kVectors; v += 2) {
      const int8x16_t q = vcombine_s8(vld1_s8(x[0]->q + 4 * v), vld1_s8(x[1]->q + 4 * v));
      s[0] = vmmlaq_s32(s[0], q, w.low[v]);
      s[1] = vmmlaq_s32(s[1], q, w.low[v + 1]);
      s[2] = vmmlaq_s32(s[2], q, w.high[v]);
      s[3] = vmmlaq_s32(s[3], q, w.high[v + 1]);
    }
    sum[0] = {vcombine_s32(vget_low_s32(s[0]), vget_low_s32(s[1])),
              vcombine_s32(vget_low_s32(s[2]), vget_low_s32(s[3]))};
    sum[1] = {vcombine_s32(vget_high_s32(s[0]), vget_high_s32(s[1])),
              vcombine_s32(vget_high_s32(s[2]), vget_high_s32(s[3]))};
  }

 private:
  static void join(int8x16_t& first, int8x16_t& second) {
    const int32x4_t a = vreinterpretq_s32_s8(first), b = vreinterpretq_s32_s8(second);
    first = vreinterpretq_s8_s32(vzip1q_s32(a, b));
    second = vreinterpretq_s8_s32(vzip2q_s32(a, b));
  }
};

}  // namespace
}  // namespace tenon::panels
