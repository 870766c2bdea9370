// Integer sums with the instructions that every AArch64 processor has: products of bytes in i16, as many of them in one
// lane as stay exact, then pairs widened to i32.
#pragma once

#include "codes.hpp"

namespace tenon::panels {
namespace {

struct PlainDot {
  static constexpr int kRows = 1;
  static void arrange(Codes&) {}

  /// sum[0] = start[0] + sum over vectors [first, first + kVectors) of code q, codes at most kLargest in magnitude.
  template <int kLargest, int kVectors>
  static void sums(const Codes& w, int first, const ActBlock* const* x, const int32_t* start, I32x8* sum) {
    constexpr int kPerSum = most_products(kLargest) < kVectors ? most_products(kLargest) : kVectors;
    const int8_t* q = x[0]->q + 4 * first;
    I32x8 low = set8(0), high = set8(0);  // pairs of outputs 0 1 and 2 3, 4 5 and 6 7
    for (int v = 0; v < kVectors; v += kPerSum) {
      add_products<kPerSum>(w.low + first + v, q + 4 * v, low);
      add_products<kPerSum>(w.high + first + v, q + 4 * v, high);
    }
    const int32x4_t from = vdupq_n_s32(start[0]);
    sum[0] = {vaddq_s32(from, vpaddq_s32(low.low, low.high)), vaddq_s32(from, vpaddq_s32(high.low, high.high))};
  }

 private:
  /// Products of a lane that stay inside i16: n * 127 * largest <= 32767, a power of two up to 8.
  static constexpr int most_products(int largest) {
    int n = 8;
    while (n * 127 * largest > 32767) n /= 2;
    return n;
  }

  /// Four neighbouring activations for each of four outputs.
  static int8x16_t four_to_all(const int8_t* q) {
    int32_t four;
    __builtin_memcpy(&four, q, 4);
    return vreinterpretq_s8_s32(vdupq_n_s32(four));
  }

  template <int kVectors>
  static void add_products(const int8x16_t* w, const int8_t* q, I32x8& pairs) {
    int8x16_t x = four_to_all(q);
    int16x8_t first = vmull_s8(vget_low_s8(w[0]), vget_low_s8(x)), second = vmull_high_s8(w[0], x);
    for (int v = 1; v < kVectors; ++v) {
      x = four_to_all(q + 4 * v);
      first = vmlal_s8(first, vget_low_s8(w[v]), vget_low_s8(x));
      second = vmlal_high_s8(second, w[v], x);
    }
    pairs.low = vpadalq_s16(pairs.low, first);
    pairs.high = vpadalq_s16(pairs.high, second);
  }
};

}  // namespace
}  // namespace tenon::panels
