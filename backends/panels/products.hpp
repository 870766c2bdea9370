// Rows times slices of panels: what linear, ffn, moe and matmul are made of.
#pragma once

#include "packed.hpp"
#include "row_kernels.hpp"

namespace tenon::panels {

/// Rows below this count are one step of decoding: they are quantized by the caller, without a barrier.
inline constexpr int64_t kFewRows = 8;

/// x [n_rows, k] as the kernels read it: a pointer a row, to floats and, where a matrix is int8, to quantized blocks.
struct Activations {
  const void** floats = nullptr;     // [n_rows]
  const void** quantized = nullptr;  // [n_rows], nullptr where no matrix is int8
  ActBlock* blocks = nullptr;        // [n_rows, k / 32]
  int64_t k = 0;

  /// Takes memory; `quantize`: some matrix that reads these rows is int8.
  void carve(Carver& carver, int64_t n_rows, int64_t width, bool quantize);
  /// Points to the rows of x and quantizes them.
  Result<void> fill(const tenon_exec& exec, const tenon_buffer& x, int64_t n_rows) const;
  const void* const* rows_for(const Matrix& matrix) const { return matrix.is_int8() ? quantized : floats; }
};

/// A slice of work of one matrix: panels [first, last).
struct PanelRange {
  int64_t first, last;
};

/// Panels that a task takes: about 16 KiB of weights, in multiples of `multiple`, and enough tasks for the workers.
int64_t panels_per_task(const Matrix& matrix, uint32_t n_threads, int64_t multiple = 1);

/// Runs the kernel over blocks of rows that stay in the first cache while the panels go by. `call` has all but panels
/// and rows of the matrix's group set by the caller.
void multiply(const Matrix& matrix, PanelCall call, PanelRange range);

}  // namespace tenon::panels
