// Integer sums with SDOT (FEAT_DotProd): four products of each of four outputs an instruction, which is the order of
// the panels. Included by files compiled for it alone.
#pragma once

#include "codes.hpp"

namespace tenon::panels {
namespace {

struct FourDot {
  static constexpr int kRows = 1;
  static void arrange(Codes&) {}

  /// sum[0] = start[0] + sum over vectors [first, first + kVectors) of code q.
  template <int kLargest, int kVectors>
  static void sums(const Codes& w, int first, const ActBlock* const* x, const int32_t* start, I32x8* sum) {
    I32x8 s = set8(start[0]);
    for (int v = first; v < first + kVectors; v += 4) {
      const int8x16_t q = vld1q_s8(x[0]->q + 4 * v);
      s = {vdotq_laneq_s32(s.low, w.low[v], q, 0), vdotq_laneq_s32(s.high, w.high[v], q, 0)};
      s = {vdotq_laneq_s32(s.low, w.low[v + 1], q, 1), vdotq_laneq_s32(s.high, w.high[v + 1], q, 1)};
      s = {vdotq_laneq_s32(s.low, w.low[v + 2], q, 2), vdotq_laneq_s32(s.high, w.high[v + 2], q, 2)};
      s = {vdotq_laneq_s32(s.low, w.low[v + 3], q, 3), vdotq_laneq_s32(s.high, w.high[v + 3], q, 3)};
    }
    sum[0] = s;
  }
};

}  // namespace
}  // namespace tenon::panels
