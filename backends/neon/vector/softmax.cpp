// softmax over a row: x = scale * x, m = max, e = exp(x - m), times 1 / the eight-way sum of e. Bit-exact to class f32.
#include "eight_way.hpp"
#include "exp.hpp"
#include "panels/row_kernels.hpp"

namespace tenon::panels {

void softmax_row(float* x, int64_t n, float scale) {
  const F32x8 factor = set8(scale), none = set8(0.0f);
  F32x8 m = set8(x[0] * scale);
  for (int64_t i = 0; i < n; i += 8) {
    const F32x8 v = mul8(load_tail(x, i, n), factor);
    store_tail(x, i, n, v);
    // Lanes past the end hold what is in m already.
    m = greater8(n - i >= 8 ? v : select8(lanes_between(0, n - i), v, m), m);
  }
  const F32x8 highest = set8(highest_lane(m));
  F32x8 partial = none;
  for (int64_t i = 0; i < n; i += 8) {
    F32x8 e = exp8(sub8(load_tail(x, i, n), highest));
    if (n - i < 8) e = select8(lanes_between(0, n - i), e, none);
    store_tail(x, i, n, e);
    partial = add8(partial, e);
  }
  const F32x8 inverse = set8(1.0f / sum_lanes(partial));
  for (int64_t i = 0; i < n; i += 8) store_tail(x, i, n, mul8(load_tail(x, i, n), inverse));
}

}  // namespace tenon::panels
