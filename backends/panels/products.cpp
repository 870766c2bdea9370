#include "products.hpp"

namespace tenon::panels {

void Activations::carve(Carver& carver, int64_t n_rows, int64_t width, bool quantize) {
  k = width;
  floats = carver.take<const void*>(n_rows);
  if (!quantize) return;
  quantized = carver.take<const void*>(n_rows);
  blocks = carver.take<ActBlock>(n_rows * (width / 32));
}

Result<void> Activations::fill(const tenon_exec& exec, const tenon_buffer& x, int64_t n_rows) const {
  for (int64_t r = 0; r < n_rows; ++r) {
    floats[r] = row_of(x, r);
    if (blocks != nullptr) quantized[r] = blocks + r * (k / 32);
  }
  if (blocks == nullptr) return {};
  const auto quantize = [&](int64_t r, uint32_t) { quantize_row(row_of(x, r), k, blocks + r * (k / 32)); };
  if (n_rows >= kFewRows) return for_each_chunk(exec, n_rows, kFewRows, quantize);
  for (int64_t r = 0; r < n_rows; ++r) quantize(r, 0);
  return {};
}

int64_t panels_per_task(const Matrix& matrix, uint32_t n_threads, int64_t multiple) {
  constexpr int64_t kTaskBytes = 16 * 1024, kTasksPerThread = 4;
  const int64_t by_bytes = std::max<int64_t>(1, kTaskBytes / matrix.panel_bytes());
  const int64_t by_threads = std::max<int64_t>(1, matrix.n_panels() / (kTasksPerThread * n_threads));
  const int64_t panels = std::max(by_bytes, std::min(by_threads, 4 * by_bytes));
  return (panels + multiple - 1) / multiple * multiple;
}

void multiply(const Matrix& matrix, PanelCall call, PanelRange range) {
  constexpr int64_t kCacheBytes = 24 * 1024, kTile = 4;
  const int64_t row_size = matrix.is_int8() ? matrix.k / 32 * static_cast<int64_t>(sizeof(ActBlock)) : matrix.k * 4;
  const int64_t block = std::max(kTile, kCacheBytes / row_size / kTile * kTile), n_rows = call.n_rows;
  call.k = matrix.k;
  call.n_outputs = matrix.rows;
  call.first_panel = range.first;
  call.last_panel = range.last;
  for (int64_t row = 0; row < n_rows; row += block) {
    PanelCall part = call;
    part.n_rows = std::min(block, n_rows - row);
    part.x = call.x + row;
    part.out = call.out + row;
    if (call.add != nullptr) part.add = call.add + row;
    matrix.kernel()(part);
  }
}

}  // namespace tenon::panels
