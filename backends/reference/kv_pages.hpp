// Pages of cached keys and values. A page holds k [n_kv_heads][page_tokens][head_dim], then v [n_kv_heads][page_tokens]
// [v_head_dim], in f32, f16, or q8_0 (blocks of 32 along the head).
#pragma once

#include <tenon.h>
#include <tenon/dtype.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace tenon::reference {

/// Where one layer's pages lie and what is in them. Positions are absolute; the page of a position must not be -1.
class KvPages {
 public:
  explicit KvPages(const tenon_attention_params& params);

  int64_t page_bytes() const { return page_bytes_; }
  std::string layout() const;

  /// Writes k [n_kv_heads * head_dim] and v [n_kv_heads * v_head_dim] of one position. f16 is rounded to nearest even;
  /// q8_0 takes d = f16(amax / 127) and q = rint(x * (127 / amax)).
  void store(void* kv, const int32_t* pages, int64_t position, const float* k, const float* v) const;

  /// Keys [end - begin, head_dim] of one head as f32, exactly the values kept; the same for values [.., v_head_dim].
  void load_keys(const void* kv, const int32_t* pages, int64_t kv_head, int64_t begin, int64_t end, float* out) const;
  void load_values(const void* kv, const int32_t* pages, int64_t kv_head, int64_t begin, int64_t end, float* out) const;

 private:
  /// Keys or values: [n_kv_heads][page_tokens] heads of `width` elements, `offset` bytes into the page.
  struct Part {
    int64_t offset, width, head_bytes;
  };

  int64_t place(const Part& part, const int32_t* pages, int64_t kv_head, int64_t position) const;
  void load(const Part& part, const void* kv, const int32_t* pages, int64_t kv_head, int64_t begin, int64_t end,
            float* out) const;

  DType dtype_;
  int64_t page_tokens_, n_kv_heads_;
  Part keys_, values_;
  int64_t page_bytes_;
};

}  // namespace tenon::reference
