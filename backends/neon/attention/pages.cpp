// Keys and values of one token into its page (panels/partition.hpp). f16 is rounded to nearest even; a block of q8_0 is
// f16(amax / 127) and the codes of quantize_row.
#include "panels/partition.hpp"

#include "../f32x8.hpp"
#include "panels/row_kernels.hpp"

namespace tenon::panels {
namespace {

constexpr int64_t kBlockBytes = 34;

inline uint16_t quantize32(const float* x, ActBlock& block) {
  quantize_row(x, 32, &block);
  uint16_t d;
  narrow_f16(&block.d, 1, &d);
  return d;
}

inline void store_key_q8_0(const float* k, int64_t head_dim, int64_t lane, uint8_t* group) {
  for (int64_t first = 0; first < head_dim; first += 32, group += kTokens * kBlockBytes) {
    ActBlock block;
    const uint16_t d = quantize32(k + first, block);
    __builtin_memcpy(group + 2 * lane, &d, 2);
    for (int64_t i = 0; i < 32; ++i) group[2 * kTokens + i * kTokens + lane] = static_cast<uint8_t>(block.q[i]);
  }
}

inline void store_value_q8_0(const float* v, int64_t v_head_dim, uint8_t* to) {
  for (int64_t first = 0; first < v_head_dim; first += 32, to += kBlockBytes) {
    ActBlock block;
    const uint16_t d = quantize32(v + first, block);
    __builtin_memcpy(to, &d, 2);
    __builtin_memcpy(to + 2, block.q, 32);
  }
}

}  // namespace

void store_key(PageType type, const float* k, int64_t head_dim, int64_t lane, void* group) {
  if (type == PageType::q8_0) return store_key_q8_0(k, head_dim, lane, static_cast<uint8_t*>(group));
  if (type == PageType::f32) {
    float* at = static_cast<float*>(group) + lane;
    for (int64_t d = 0; d < head_dim; ++d) at[d * kTokens] = k[d];
    return;
  }
  uint16_t* at = static_cast<uint16_t*>(group) + lane;
  for (int64_t d = 0; d < head_dim; ++d) narrow_f16(k + d, 1, at + d * kTokens);
}

void store_value(PageType type, const float* v, int64_t v_head_dim, int64_t v_stride, void* at) {
  if (type == PageType::q8_0) return store_value_q8_0(v, v_head_dim, static_cast<uint8_t*>(at));
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
