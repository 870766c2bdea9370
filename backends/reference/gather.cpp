// gather: out [r, width] = scale * table[tokens[r]]. The table is dequantized exactly; the one product is rounded once
// in every class.
#include "elementwise.hpp"

namespace tenon::reference {
namespace {

class Gather final : public FileOrderKernel {
 public:
  explicit Gather(const OpView& op) : FileOrderKernel(op), scale_(op.params<tenon_gather_params>().scale) {}

  Result<void> run(const tenon_run& run) const override {
    const int64_t n = rows_of(tensor(0)), width = row_width(tensor(0));
    for (int64_t r = 0; r < run.n_rows; ++r) {
      const int32_t token = run.batch->tokens[r];
      if (token >= 0 && token < n) continue;
      return invalid("token " + std::to_string(token) + " in row " + std::to_string(r) + ", expected 0 to " +
                     std::to_string(n - 1));
    }
    return for_each_row(run, [&](int64_t r) {
      float* out = row_of(run.out[0], r);
      static_cast<void>(unpack_rows(0, run.weights[0], {run.batch->tokens + r, 1}, out, run.out[0].ld));
      if (scale_ == 1.0f) return;
      for (int64_t i = 0; i < width; ++i) out[i] = scale_ * out[i];
    });
  }

 private:
  float scale_;
};

tenon_support supports(const OpView& op) { return elementwise_answer(op, check_gather(op), row_width(op.weight(0))); }

}  // namespace

OpEntry gather_entry() { return {"gather", supports, make_kernel<Gather>}; }

}  // namespace tenon::reference
