// add, mul: out = a (+|*) b; b a row for each, one row for all, or a constant weight.
#include "ops.hpp"
#include "packed.hpp"
#include "row_kernels.hpp"
#include "small_rows.hpp"

#include <tenon/op_contract.hpp>

namespace tenon::panels {
namespace {

/// Element: float, or uint16_t for f16 and bf16.
template <class Element>
using RowKernel = void (*)(const Element*, const Element*, int64_t, Element*);

template <class Element, RowKernel<Element> kRow>
class Binary final : public PanelOp {
 public:
  explicit Binary(const OpView& op)
      : PanelOp(op), p_(op.params<tenon_binary_params>()), constant_(!is_absent(op.weight(0))) {}

  Result<void> run(const tenon_run& run) const override {
    const auto row = [](const tenon_buffer& x, int64_t r) { return static_cast<Element*>(x.data) + r * x.ld; };
    const auto* constant = reinterpret_cast<const Element*>(bytes_of(run, 0));
    return for_rows(run, p_.width, [&](int64_t r) {
      const Element* b = constant_ ? constant : row(run.in[1], p_.broadcast_b != 0 ? 0 : r);
      kRow(row(run.in[0], r), b, p_.width, row(run.out[0], r));
    });
  }

 private:
  tenon_binary_params p_;
  bool constant_;
};

template <RowKernel<float> kF32, RowKernel<uint16_t> kF16, RowKernel<uint16_t> kBf16>
std::unique_ptr<Kernel> create(const OpView& op) {
  switch (activation_dtype<tenon_binary_params>(op)) {
    case TENON_F16: return make_kernel<Binary<uint16_t, kF16>>(op);
    case TENON_BF16: return make_kernel<Binary<uint16_t, kBf16>>(op);
    default: return make_kernel<Binary<float, kF32>>(op);
  }
}

tenon_support supports(const OpView& op) {
  return answer(op, check_binary(op), "", false, op.params<tenon_binary_params>().width);
}

}  // namespace

OpEntry add_entry() { return {"add", supports, create<add_row, add_row_f16, add_row_bf16>, 2}; }
OpEntry mul_entry() { return {"mul", supports, create<multiply_row, multiply_row_f16, multiply_row_bf16>, 2}; }

}  // namespace tenon::panels
