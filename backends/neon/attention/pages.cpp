// Keys and values of one token into its page (panels/partition.hpp), f16 rounded to nearest even.
#include "panels/partition.hpp"
#include "panels/row_kernels.hpp"

#include "../f32x8.hpp"

namespace tenon::panels {

void store_key(PageType type, const float* k, int64_t head_dim, void* at) {
  if (type == PageType::f32) {
    for (int64_t d = 0; d < head_dim; ++d) static_cast<float*>(at)[d * kTokens] = k[d];
    return;
  }
  auto* halves = static_cast<uint16_t*>(at);
  for (int64_t d = 0; d < head_dim; ++d) narrow_f16(k + d, 1, halves + d * kTokens);
}

void store_value(PageType type, const float* v, int64_t v_head_dim, int64_t v_stride, void* at) {
  for (int64_t e = 0; e < v_stride; e += 8) {
    const F32x8 value = load_tail(v, e, v_head_dim);
    if (type == PageType::f32) {
      store8(static_cast<float*>(at) + e, value);
    } else {
      vst1q_u16(static_cast<uint16_t*>(at) + e, narrow8(value));
    }
  }
}

}  // namespace tenon::panels
