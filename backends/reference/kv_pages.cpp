#include "kv_pages.hpp"

#include "quantize.hpp"

#include <tenon/dequantize.hpp>

#include <algorithm>
#include <bit>

namespace tenon::reference {
namespace {

void store_q8_0(const float* x, int64_t n, std::byte* to) {
  for (int64_t i = 0; i < n; i += 32, to += sizeof(BlockQ8_0)) {
    ActBlock quantized;
    quantize_row(x + i, 32, &quantized);
    BlockQ8_0 block;
    block.d = f32_to_f16(quantized.d);
    for (int j = 0; j < 32; ++j) block.qs[j] = static_cast<int8_t>(quantized.q[j]);
    std::memcpy(to, &block, sizeof block);
  }
}

void store_head(DType dtype, const float* x, int64_t n, std::byte* to) {
  if (dtype == DType::q8_0) return store_q8_0(x, n, to);
  if (dtype == DType::f32) {
    std::memcpy(to, x, static_cast<size_t>(n) * sizeof(float));
    return;
  }
  for (int64_t i = 0; i < n; ++i) {
    const uint16_t half = f32_to_f16(x[i]);
    std::memcpy(to + 2 * i, &half, sizeof half);
  }
}

/// f16 to f32 without branches, so that the compiler takes several at once: the exponent's bias is corrected by an
/// exact product, which also normalizes subnormals; infinity and NaN get their exponent back.
void load_f16(const std::byte* from, int64_t n, float* out) {
  for (int64_t i = 0; i < n; ++i) {
    uint16_t half;
    std::memcpy(&half, from + 2 * i, sizeof half);
    const uint32_t magnitude = static_cast<uint32_t>(half & 0x7FFF) << 13;
    const uint32_t top = magnitude >= 0x0F800000u ? 0x7F800000u : 0u;
    const uint32_t bits = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112f) | top;
    out[i] = std::bit_cast<float>(bits | static_cast<uint32_t>(half & 0x8000) << 16);
  }
}

}  // namespace

KvPages::KvPages(const tenon_attention_params& params)
    : dtype_(static_cast<DType>(params.kv_dtype)), page_tokens_(params.page_tokens), n_kv_heads_(params.n_kv_heads) {
  const int64_t n_heads = n_kv_heads_ * page_tokens_;
  keys_ = {0, params.head_dim, row_bytes(dtype_, params.head_dim)};
  values_ = {n_heads * keys_.head_bytes, params.v_head_dim, row_bytes(dtype_, params.v_head_dim)};
  page_bytes_ = (n_heads * (keys_.head_bytes + values_.head_bytes) + 63) / 64 * 64;
}

std::string KvPages::layout() const { return "kv/head-token-dim/" + std::string(info_of(dtype_).name) + "/1"; }

int64_t KvPages::place(const Part& part, const int32_t* pages, int64_t kv_head, int64_t position) const {
  const int64_t page = pages[position / page_tokens_], token = position % page_tokens_;
  return page * page_bytes_ + part.offset + (kv_head * page_tokens_ + token) * part.head_bytes;
}

void KvPages::store(void* kv, const int32_t* pages, int64_t position, const float* k, const float* v) const {
  auto* base = static_cast<std::byte*>(kv);
  for (int64_t h = 0; h < n_kv_heads_; ++h) {
    store_head(dtype_, k + h * keys_.width, keys_.width, base + place(keys_, pages, h, position));
    store_head(dtype_, v + h * values_.width, values_.width, base + place(values_, pages, h, position));
  }
}

void KvPages::load(const Part& part, const void* kv, const int32_t* pages, int64_t kv_head, int64_t begin, int64_t end,
                   float* out) const {
  while (begin < end) {
    // Tokens of one head lie side by side up to the end of their page.
    const int64_t stop = std::min(end, (begin / page_tokens_ + 1) * page_tokens_), n = (stop - begin) * part.width;
    const std::byte* from = static_cast<const std::byte*>(kv) + place(part, pages, kv_head, begin);
    if (dtype_ == DType::f16) {
      load_f16(from, n, out);
    } else {
      dequantize_row(dtype_, from, out, n);
    }
    out += n;
    begin = stop;
  }
}

void KvPages::load_keys(const void* kv, const int32_t* pages, int64_t kv_head, int64_t begin, int64_t end,
                        float* out) const {
  load(keys_, kv, pages, kv_head, begin, end, out);
}

void KvPages::load_values(const void* kv, const int32_t* pages, int64_t kv_head, int64_t begin, int64_t end,
                          float* out) const {
  load(values_, kv, pages, kv_head, begin, end, out);
}

}  // namespace tenon::reference
