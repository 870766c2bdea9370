// add, mul: out = a (+|*) b; b a row for each, one row for all, or a constant weight.
#include "ops.hpp"
#include "packed.hpp"
#include "row_kernels.hpp"
#include "small_rows.hpp"

#include <tenon/op_contract.hpp>

namespace tenon::panels {
namespace {

template <void (*kRow)(const float*, const float*, int64_t, float*)>
class Binary final : public PanelOp {
 public:
  explicit Binary(const OpView& op)
      : PanelOp(op), p_(op.params<tenon_binary_params>()), constant_(!is_absent(op.weight(0))) {}

  Result<void> run(const tenon_run& run) const override {
    return for_rows(run, p_.width, [&](int64_t r) {
      const float* b = constant_ ? vector_of(run, 0) : row_of(run.in[1], p_.broadcast_b != 0 ? 0 : r);
      kRow(row_of(run.in[0], r), b, p_.width, row_of(run.out[0], r));
    });
  }

 private:
  tenon_binary_params p_;
  bool constant_;
};

tenon_support supports(const OpView& op) {
  return answer(op, check_binary(op), "", false, op.params<tenon_binary_params>().width);
}

}  // namespace

OpEntry add_entry() { return {"add", supports, make_kernel<Binary<add_row>>}; }
OpEntry mul_entry() { return {"mul", supports, make_kernel<Binary<multiply_row>>}; }

}  // namespace tenon::panels
