// The gated feed-forward: down(act(gate(x)) * up(x)), one for ffn, many stacked ones for moe.
#pragma once

#include "elementwise.hpp"

namespace tenon::reference {

/// The packed weights of one run. Biases may be nullptr.
struct GatedWeights {
  const std::byte *gate, *up, *down;
  const float *gate_bias, *up_bias, *down_bias;
};

/// Shapes of n stacked experts: gate, up [n, inner, hidden], down [n, hidden, inner].
struct GatedShape {
  Matrix gate, up, down;
  int64_t inner = 0, hidden = 0;
  tenon_activation activation{};

  bool down_is_int8() const { return down.numeric_class == TENON_CLASS_INT8; }
};

/// One worker's scratch.
template <class T>
struct GatedScratch {
  std::byte* unpacked;
  T *first, *second;  // [n_rows] each

  void carve(Carver& carver, const GatedShape& shape, int64_t n_rows) {
    const int64_t widest = shape.hidden > shape.inner ? shape.hidden : shape.inner;
    unpacked = carver.take<std::byte>(unpacked_bytes(widest));
    first = carver.take<T>(n_rows);
    second = carver.take<T>(n_rows);
  }
};

/// Element j of the inner activations of one expert: inner[out_rows[i]][j] for the rows i of x; out_rows nullptr: i.
template <class T>
void gated_inner(const GatedShape& shape, const GatedWeights& w, int64_t expert, int64_t j, const Input<T>& x,
                 const int32_t* out_rows, const GatedScratch<T>& scratch, T* inner) {
  const int64_t row = expert * shape.inner + j;
  multiply_row(shape.gate, w.gate, row, x, scratch.unpacked, scratch.first);
  multiply_row(shape.up, w.up, row, x, scratch.unpacked, scratch.second);
  for (int64_t i = 0; i < x.n; ++i) {
    T gate = scratch.first[i], up = scratch.second[i];
    if (w.gate_bias != nullptr) gate = gate + T{w.gate_bias[row]};
    if (w.up_bias != nullptr) up = up + T{w.up_bias[row]};
    inner[(out_rows == nullptr ? i : out_rows[i]) * shape.inner + j] = activate<T>(shape.activation, gate, up);
  }
}

/// Element i of an expert's output: scratch.first[r] for the rows r of inner, with the bias.
template <class T>
void gated_down(const GatedShape& shape, const GatedWeights& w, int64_t expert, int64_t i, const Input<T>& inner,
                const GatedScratch<T>& scratch) {
  const int64_t row = expert * shape.hidden + i;
  multiply_row(shape.down, w.down, row, inner, scratch.unpacked, scratch.first);
  if (w.down_bias == nullptr) return;
  for (int64_t r = 0; r < inner.n; ++r) scratch.first[r] = scratch.first[r] + T{w.down_bias[row]};
}

/// Inner activations [n, inner] of all experts' rows, and the same quantized where down is int8.
template <class T>
struct GatedInner {
  T* x;
  ActBlock* blocks;

  void carve(Carver& carver, const GatedShape& shape, int64_t n) {
    x = carver.take<T>(n * shape.inner);
    blocks = shape.down_is_int8() ? carver.take<ActBlock>(n * (shape.inner / 32)) : nullptr;
  }
  Result<void> quantize(const GatedShape& shape, int64_t n, const tenon_exec& exec) const {
    if constexpr (std::is_same_v<T, float>) {
      if (blocks == nullptr) return {};
      const int64_t k = shape.inner;
      return parallel_for(exec, n, [&](int64_t r, uint32_t) { quantize_row(x + r * k, k, blocks + r * (k / 32)); });
    } else {
      static_cast<void>(shape), static_cast<void>(n), static_cast<void>(exec);
      return {};
    }
  }
  /// Rows `rows` [n] of it, or the first n.
  Input<T> input(const GatedShape& shape, int64_t n, const int32_t* rows) const {
    return {x, shape.inner, blocks, n, rows};
  }
};

/// Shapes of `n` experts, for check_gated's tensors. `asked` is the op's class.
GatedShape gated_shape(const tenon_tensor& gate, const tenon_tensor& up, const tenon_tensor& down, int64_t n,
                       uint32_t asked, const tenon_activation& activation);

}  // namespace tenon::reference
