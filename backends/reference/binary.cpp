// add, mul: out = a (+|*) b, b a row for each, one row for all, or a constant weight. One rounding in every class.
#include "elementwise.hpp"

namespace tenon::reference {
namespace {

template <bool kMultiply>
class Binary final : public FileOrderKernel {
 public:
  explicit Binary(const OpView& op)
      : FileOrderKernel(op), params_(op.params<tenon_binary_params>()), constant_(!is_absent(op.weight(0))) {}

  Result<void> run(const tenon_run& run) const override {
    return for_each_row(run, [&](int64_t r) {
      const float* a = row_of(run.in[0], r);
      const float* b = constant_ ? vector_of(run, 0) : row_of(run.in[1], params_.broadcast_b != 0 ? 0 : r);
      float* out = row_of(run.out[0], r);
      for (int64_t i = 0; i < params_.width; ++i) out[i] = kMultiply ? a[i] * b[i] : a[i] + b[i];
    });
  }

 private:
  tenon_binary_params params_;
  bool constant_;
};

tenon_support supports(const OpView& op) {
  return elementwise_answer(op, check_binary(op), op.params<tenon_binary_params>().width);
}

}  // namespace

OpEntry add_entry() { return {"add", supports, make_kernel<Binary<false>>}; }
OpEntry mul_entry() { return {"mul", supports, make_kernel<Binary<true>>}; }

}  // namespace tenon::reference
