// add, mul: out = a (+|*) b, b a row for each, one row for all, or a constant weight. Computed in f32 and
// rounded once to the activations' dtype in every class.
#include "elements.hpp"
#include "elementwise.hpp"

namespace tenon::reference {
namespace {

template <bool kMultiply>
class Binary final : public FileOrderKernel {
 public:
  explicit Binary(const OpView& op)
      : FileOrderKernel(op),
        params_(op.params<tenon_binary_params>()),
        dtype_(static_cast<DType>(activation_dtype<tenon_binary_params>(op))),
        constant_(!is_absent(op.weight(0))) {}

  Result<void> run(const tenon_run& run) const override {
    return for_each_row(run, [&](int64_t r) {
      const int64_t a_row = r * run.in[0].ld, out_row = r * run.out[0].ld;
      const int64_t b_row = constant_ || params_.broadcast_b != 0 ? 0 : r * run.in[1].ld;
      const void* b_data = constant_ ? run.weights[0] : run.in[1].data;
      for (int64_t i = 0; i < params_.width; ++i) {
        const float a = load_element(dtype_, run.in[0].data, a_row + i), b = load_element(dtype_, b_data, b_row + i);
        store_element(dtype_, kMultiply ? a * b : a + b, run.out[0].data, out_row + i);
      }
    });
  }

 private:
  tenon_binary_params params_;
  DType dtype_;
  bool constant_;
};

tenon_support supports(const OpView& op) {
  return elementwise_answer(op, check_binary(op), op.params<tenon_binary_params>().width);
}

}  // namespace

OpEntry add_entry() { return {"add", supports, make_kernel<Binary<false>>, 2}; }
OpEntry mul_entry() { return {"mul", supports, make_kernel<Binary<true>>, 2}; }

}  // namespace tenon::reference
