// gather: out [r, width] = scale * table[tokens[r]]. The table is dequantized exactly; the one product is rounded once
// in every class.
#include "elements.hpp"
#include "elementwise.hpp"

namespace tenon::reference {
namespace {

class Gather final : public FileOrderKernel {
 public:
  explicit Gather(const OpView& op)
      : FileOrderKernel(op),
        scale_(op.params<tenon_gather_params>().scale),
        dtype_(static_cast<DType>(activation_dtype<tenon_gather_params>(op))) {}

  Result<void> run(const tenon_run& run) const override {
    const int64_t n = rows_of(tensor(0)), width = row_width(tensor(0));
    for (int64_t r = 0; r < run.n_rows; ++r) {
      const int32_t token = run.batch->tokens[r];
      if (token >= 0 && token < n) continue;
      return invalid("token " + std::to_string(token) + " in row " + std::to_string(r) + ", expected 0 to " +
                     std::to_string(n - 1));
    }
    return for_each_row(run, [&](int64_t r) {
      if (dtype_ != DType::f32) return scale_row(run, r, width);
      float* out = row_of(run.out[0], r);
      static_cast<void>(unpack_rows(0, run.weights[0], {run.batch->tokens + r, 1}, out, run.out[0].ld));
      if (scale_ == 1.0f) return;
      for (int64_t i = 0; i < width; ++i) out[i] = scale_ * out[i];
    });
  }

 private:
  /// Of a table with the dtype of out.
  void scale_row(const tenon_run& run, int64_t r, int64_t width) const {
    const int64_t from = run.batch->tokens[r] * width, to = r * run.out[0].ld;
    for (int64_t i = 0; i < width; ++i) {
      store_element(dtype_, scale_ * load_element(dtype_, run.weights[0], from + i), run.out[0].data, to + i);
    }
  }

  float scale_;
  DType dtype_;
};

tenon_support supports(const OpView& op) { return elementwise_answer(op, check_gather(op), row_width(op.weight(0))); }

}  // namespace

OpEntry gather_entry() { return {"gather", supports, make_kernel<Gather>, 2}; }

}  // namespace tenon::reference
