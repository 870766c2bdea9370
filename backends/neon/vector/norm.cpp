// Norms and means over a row: eight-way sums in f64 (core/README.md). The square of an f32 is exact in f64, so a fused
// multiply-add rounds as the two operations do. Bit-exact to class f32.
#include "eight_way.hpp"
#include "panels/row_kernels.hpp"

namespace tenon::panels {

void rms_norm_row(const float* x, const float* w, int64_t width, float eps, float* out) {
  F64x8 squares = set_f64(0);
  for (int64_t i = 0; i < width; i += 8) {
    const F64x8 v = to_f64(load_tail(x, i, width));
    for (int j = 0; j < 4; ++j) squares.v[j] = vfmaq_f64(squares.v[j], v.v[j], v.v[j]);
  }
  const double mean = sum_lanes(squares) / static_cast<double>(width);
  const F32x8 r = set8(static_cast<float>(1.0 / __builtin_sqrt(mean + static_cast<double>(eps))));
  for (int64_t i = 0; i < width; i += 8) {
    store_tail(out, i, width, mul8(mul8(load_tail(x, i, width), r), load_tail(w, i, width)));
  }
}

namespace {

inline double sum_of_row(const float* x, int64_t width) {
  F64x8 sum = set_f64(0);
  for (int64_t i = 0; i < width; i += 8) {
    const F64x8 v = to_f64(load_tail(x, i, width));
    for (int j = 0; j < 4; ++j) sum.v[j] = vaddq_f64(sum.v[j], v.v[j]);
  }
  return sum_lanes(sum);
}

/// x[i .. i + 8) - mean, zero past the end, which is no deviation.
inline F64x8 deviations(const float* x, int64_t i, int64_t width, float64x2_t mean) {
  F64x8 v = to_f64(load_tail(x, i, width));
  for (float64x2_t& pair : v.v) pair = vsubq_f64(pair, mean);
  if (width - i >= 8) return v;
  double lanes[8];
  for (int j = 0; j < 4; ++j) vst1q_f64(lanes + 2 * j, v.v[j]);
  for (int64_t j = width - i; j < 8; ++j) lanes[j] = 0;
  return {{vld1q_f64(lanes), vld1q_f64(lanes + 2), vld1q_f64(lanes + 4), vld1q_f64(lanes + 6)}};
}

}  // namespace

void means_of_rows(const float* x, int64_t ld, int64_t n_rows, int64_t width, float* out, int64_t out_ld) {
  for (int64_t r = 0; r < n_rows; ++r, x += ld) {
    F32x8 sums[4] = {set8(0.0f), set8(0.0f), set8(0.0f), set8(0.0f)};
    int64_t i = 0;
    for (; i + 32 <= width; i += 32) {
      for (int v = 0; v < 4; ++v) sums[v] = add8(sums[v], load8(x + i + 8 * v));
    }
    for (int v = 0; v < 4; ++v) {  // of a known number of turns, so that the sums stay in registers
      if (i + 8 * v < width) sums[v] = add8(sums[v], load_tail(x, i + 8 * v, width));
    }
    const F32x8 sum = add8(add8(sums[0], sums[2]), add8(sums[1], sums[3]));
    out[r * out_ld] = sum_lanes(sum) / static_cast<float>(width);
  }
}

void layer_norm_row(const float* x, const float* w, const float* bias, int64_t width, float eps, float* out) {
  const double n = static_cast<double>(width);
  const float64x2_t mean = vdupq_n_f64(sum_of_row(x, width) / n);
  F64x8 squares = set_f64(0);
  for (int64_t i = 0; i < width; i += 8) {
    const F64x8 v = deviations(x, i, width, mean);
    // Here the square is not exact in f64: two roundings, as the definition has them.
    for (int j = 0; j < 4; ++j) squares.v[j] = vaddq_f64(squares.v[j], vmulq_f64(v.v[j], v.v[j]));
  }
  const float64x2_t r = vdupq_n_f64(1.0 / __builtin_sqrt(sum_lanes(squares) / n + static_cast<double>(eps)));
  for (int64_t i = 0; i < width; i += 8) {
    const F64x8 v = deviations(x, i, width, mean);
    const auto scaled = [&](int j) { return vcvt_f32_f64(vmulq_f64(v.v[j], r)); };
    const F32x8 normal{vcombine_f32(scaled(0), scaled(1)), vcombine_f32(scaled(2), scaled(3))};
    const F32x8 b = bias == nullptr ? set8(0.0f) : load_tail(bias, i, width);
    store_tail(out, i, width, fma8(b, normal, load_tail(w, i, width)));
  }
}

}  // namespace tenon::panels
