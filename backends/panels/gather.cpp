// gather: out [r, width] = scale * table[tokens[r]]. Used where the table is not shared with a product, whose packed
// rows serve otherwise; then it stays in the order of the file.
#include "ops.hpp"
#include "packed.hpp"
#include "row_kernels.hpp"
#include "small_rows.hpp"

#include <tenon/dequantize.hpp>
#include <tenon/op_contract.hpp>

#include <cstring>

namespace tenon::panels {
namespace {

class Gather final : public PanelOp {
 public:
  explicit Gather(const OpView& op)
      : PanelOp(op),
        scale_(op.params<tenon_gather_params>().scale),
        dtype_(static_cast<DType>(activation_dtype<tenon_gather_params>(op))) {}

  Result<void> run(const tenon_run& run) const override {
    const tenon_tensor table = tensor(0);
    const int64_t n = rows_of(table), width = row_width(table);
    for (int64_t r = 0; r < run.n_rows; ++r) {
      const int32_t token = run.batch->tokens[r];
      if (token >= 0 && token < n) continue;
      return invalid("token " + std::to_string(token) + " in row " + std::to_string(r) + ", expected 0 to " +
                     std::to_string(n - 1));
    }
    const auto dtype = static_cast<DType>(table.dtype);
    const int64_t row_size = row_bytes(dtype, width);
    const auto row = [&](int64_t r) { return bytes_of(run, 0) + run.batch->tokens[r] * row_size; };
    if (dtype_ != DType::f32) {
      return for_rows(run, width, [&](int64_t r) {
        scale_halves(reinterpret_cast<const uint16_t*>(row(r)), width,
                     static_cast<uint16_t*>(run.out[0].data) + r * run.out[0].ld);
      });
    }
    return for_rows(run, width, [&](int64_t r) {
      float* out = row_of(run.out[0], r);
      widen(dtype, row(r), width, out);
      if (scale_ != 1.0f) scale_row(scale_, width, out);
    });
  }

 private:
  static void widen(DType dtype, const std::byte* from, int64_t width, float* out) {
    if (dtype == DType::f16) return widen_f16(reinterpret_cast<const uint16_t*>(from), width, out);
    if (dtype == DType::bf16) return widen_bf16(reinterpret_cast<const uint16_t*>(from), width, out);
    dequantize_row(dtype, from, out, width);
  }

  /// A row of a table with the dtype of out.
  void scale_halves(const uint16_t* from, int64_t width, uint16_t* out) const {
    if (scale_ == 1.0f) {
      std::memcpy(out, from, static_cast<size_t>(width) * sizeof *out);
      return;
    }
    constexpr int64_t kPiece = 256;  // floats on the stack
    float values[kPiece];
    for (int64_t i = 0; i < width; i += kPiece) {
      const int64_t n = std::min(kPiece, width - i);
      dtype_ == DType::f16 ? widen_f16(from + i, n, values) : widen_bf16(from + i, n, values);
      scale_row(scale_, n, values);
      dtype_ == DType::f16 ? narrow_f16(values, n, out + i) : narrow_bf16(values, n, out + i);
    }
  }

  float scale_;
  DType dtype_;
};

tenon_support supports(const OpView& op) {
  const std::string problem = check_gather(op);
  if (!problem.empty()) return no(problem);
  return answer(op, problem, find_dtype(op.weight(0).dtype)->name, false, row_width(op.weight(0)));
}

}  // namespace

OpEntry gather_entry() { return {"gather", supports, make_kernel<Gather>, 2}; }

}  // namespace tenon::panels
