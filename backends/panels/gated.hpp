// The gated feed-forward down(act(gate(x)) * up(x)), one for ffn, many for moe. Gate and up of a slice of outputs are
// multiplied, activated and quantized in one task, so that between x and the inner activations there is one barrier.
#pragma once

#include "products.hpp"

namespace tenon::panels {

/// One expert's packed weights. Biases may be nullptr.
struct GatedWeights {
  const uint8_t *gate, *up, *down;
  const float *gate_bias, *up_bias, *down_bias;
};

class Gated {
 public:
  Gated() = default;
  Gated(const Matrix& gate, const Matrix& up, const Matrix& down, const tenon_activation& activation)
      : gate_(gate), up_(up), down_(down), activation_(activation) {}

  bool exists() const { return gate_.format != nullptr; }
  bool reads_quantized() const { return gate_.is_int8() || up_.is_int8(); }
  const Matrix& gate() const { return gate_; }
  const Matrix& down() const { return down_; }

  /// Inner activations of n rows, as down reads them: blocks where it is int8, else floats.
  struct Inner {
    float* values = nullptr;      // [n, inner]
    ActBlock* blocks = nullptr;   // [n, inner / 32]
    const void** rows = nullptr;  // [n] into one of them
  };
  Inner carve_inner(Carver& carver, int64_t n) const;
  /// Points `rows` to the rows `places` [n], or to the first n.
  void point_rows(const Inner& inner, const int32_t* places, int64_t n) const;

  /// One worker's memory for a slice of gate and up.
  struct Scratch {
    float *gate, *up;              // [kRowBlock, kMostOutputs]
    float **gate_rows, **up_rows;  // [kRowBlock]
  };
  static Scratch carve_scratch(Carver& carver);

  /// Panels of gate and up that a task takes: whole blocks of down's input.
  int64_t inner_grain(uint32_t n_threads) const;
  int64_t n_inner_tasks(uint32_t n_threads) const;

  /// Slice `task` of rows of x [n]: floats and quantized rows. Row i goes to places[i] of inner; nullptr: to i.
  void run_inner(const GatedWeights& w, int64_t task, uint32_t n_threads, const void* const* floats,
                 const void* const* quantized, int64_t n, const int32_t* places, const Inner& inner,
                 const Scratch& scratch) const;

 private:
  static constexpr int64_t kRowBlock = 32;
  static constexpr int64_t kMostOutputs = 128;
  static constexpr int64_t kBlockPanels = 4;  // panels of a quantized block of 32

  void finish_rows(PanelRange range, int64_t first_row, int64_t n, const int32_t* places, const Inner& inner,
                   const Scratch& scratch) const;

  Matrix gate_, up_, down_;
  tenon_activation activation_{};
};

}  // namespace tenon::panels
