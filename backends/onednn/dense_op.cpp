#include "dense_op.hpp"

#include <tenon/dequantize.hpp>

namespace tenon::onednn {

void DenseOp::use_matrix(uint32_t index, int64_t n_parts) {
  if (index >= tensors_.size() || is_absent(tensors_[index])) return;
  const tenon_tensor& t = tensors_[index];
  matrices_[index] = {static_cast<DType>(t.dtype), n_parts, rows_of(t) / n_parts, row_width(t)};
}

Result<tenon_pack_plan> DenseOp::pack_plan(uint32_t index) const {
  if (index >= tensors_.size() || is_absent(tensors_[index])) {
    return invalid("weight " + std::to_string(index) + " is asked for and absent");
  }
  const tenon_tensor& t = tensors_[index];
  const DTypeInfo& info = info_of(static_cast<DType>(t.dtype));
  tenon_pack_plan plan = pack_plan_of(static_cast<uint64_t>(rows_of(t) * row_bytes(info.dtype, row_width(t))),
                                      "rows/" + std::string(info.name) + "/1");
  const Matrix& m = matrices_[index];
  if (m.n_parts > 0 && m.expands()) {
    plan.dense_bytes = static_cast<uint64_t>(m.dense_bytes());
    plan.dense_parts = static_cast<uint32_t>(m.n_parts);
  }
  return plan;
}

Result<void> DenseOp::pack(uint32_t index, const void* source, void* packed, const tenon_exec&) const {
  const auto plan = pack_plan(index);
  if (!plan) return plan.error();
  std::memcpy(packed, source, plan->bytes);
  return {};
}

Result<void> DenseOp::unpack_rows(uint32_t index, const void* packed, std::span<const int32_t> rows, float* out,
                                  int64_t ld) const {
  if (index >= tensors_.size() || is_absent(tensors_[index])) {
    return invalid("rows of weight " + std::to_string(index) + " are asked for and it is absent");
  }
  const tenon_tensor& t = tensors_[index];
  const auto dtype = static_cast<DType>(t.dtype);
  const int64_t width = row_width(t);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] < 0 || rows[i] >= rows_of(t)) {
      return invalid("row " + std::to_string(rows[i]) + " is asked for, the weight has rows 0 to " +
                     std::to_string(rows_of(t) - 1));
    }
    dequantize_row(dtype, static_cast<const std::byte*>(packed) + rows[i] * row_bytes(dtype, width),
                   out + static_cast<int64_t>(i) * ld, width);
  }
  return {};
}

Result<void> DenseOp::expand(uint32_t index, uint32_t part, const void* packed, void* dense,
                             const tenon_exec& exec) const {
  const Matrix& m = matrices_[index];
  const int64_t bytes = row_bytes(m.dtype, m.k);
  return parallel_for(exec, m.rows, [&](int64_t row, uint32_t) {
    dequantize_row(m.dtype, static_cast<const std::byte*>(packed) + (part * m.rows + row) * bytes,
                   static_cast<float*>(dense) + row * m.k, m.k);
  });
}

const float* DenseOp::rows_of_part(const tenon_run& run, uint32_t index, int64_t part, int64_t first, int64_t n,
                                   float* scratch) const {
  const Matrix& m = matrices_[index];
  if (!m.expands()) return vector_of(run, index) + (part * m.rows + first) * m.k;
  if (run.dense != nullptr && run.dense[index] != nullptr && part < run.dense_parts[index]) {
    const auto* base = static_cast<const std::byte*>(run.dense[index]) + part * m.dense_bytes();
    return reinterpret_cast<const float*>(base) + first * m.k;
  }
  const int64_t bytes = row_bytes(m.dtype, m.k);
  for (int64_t i = 0; i < n; ++i) {
    dequantize_row(m.dtype, bytes_of(run, index) + (part * m.rows + first + i) * bytes, scratch + i * m.k, m.k);
  }
  return scratch;
}

int64_t DenseOp::scratch_floats() const {
  int64_t most = 0;
  for (const Matrix& m : matrices_) {
    if (m.n_parts > 0 && m.expands()) most = std::max(most, std::min(kSlice, m.rows) * m.k);
  }
  return most;
}

tenon_support answer(const OpView& op, const std::string& problem, DType weight, int64_t multiply_adds) {
  if (!problem.empty()) return no(problem);
  if (op.numeric_class() == TENON_CLASS_EXACT64) return no("class exact64 is asked, expected default");
  tenon_support support = yes(std::string(op.name()) + "_" + std::string(info_of(weight).name) + "_f32_onednn",
                              TENON_CLASS_OTHER, static_cast<float>(multiply_adds) / 10.0f);
  support.row_invariant = 0;
  return support;
}

}  // namespace tenon::onednn
