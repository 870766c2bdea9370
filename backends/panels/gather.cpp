// gather: out [r, width] = scale * table[tokens[r]]. Used where the table is not shared with a product, whose packed
// rows serve otherwise; then it stays in the order of the file.
#include "ops.hpp"
#include "packed.hpp"
#include "row_kernels.hpp"
#include "small_rows.hpp"

#include <tenon/dequantize.hpp>
#include <tenon/op_contract.hpp>

namespace tenon::panels {
namespace {

class Gather final : public PanelOp {
 public:
  explicit Gather(const OpView& op) : PanelOp(op), scale_(op.params<tenon_gather_params>().scale) {}

  Result<void> run(const tenon_run& run) const override {
    const tenon_tensor table = tensor(0);
    const int64_t n = rows_of(table), width = row_width(table);
    const auto dtype = static_cast<DType>(table.dtype);
    for (int64_t r = 0; r < run.n_rows; ++r) {
      const int32_t token = run.batch->tokens[r];
      if (token >= 0 && token < n) continue;
      return invalid("token " + std::to_string(token) + " in row " + std::to_string(r) + ", expected 0 to " +
                     std::to_string(n - 1));
    }
    return for_rows(run, width, [&](int64_t r) {
      float* out = row_of(run.out[0], r);
      dequantize_row(dtype, bytes_of(run, 0) + run.batch->tokens[r] * row_bytes(dtype, width), out, width);
      if (scale_ != 1.0f) scale_row(scale_, width, out);
    });
  }

 private:
  float scale_;
};

tenon_support supports(const OpView& op) {
  const std::string problem = check_gather(op);
  if (!problem.empty()) return no(problem);
  return answer(op, problem, find_dtype(op.weight(0).dtype)->name, false, row_width(op.weight(0)));
}

}  // namespace

OpEntry gather_entry() { return {"gather", supports, make_kernel<Gather>}; }

}  // namespace tenon::panels
