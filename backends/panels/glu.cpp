// glu: out = act(gate) * up; out may be gate or up.
#include "ops.hpp"
#include "packed.hpp"
#include "row_kernels.hpp"
#include "small_rows.hpp"

#include <tenon/op_contract.hpp>

namespace tenon::panels {
namespace {

class Glu final : public PanelOp {
 public:
  explicit Glu(const OpView& op) : PanelOp(op), p_(op.params<tenon_glu_params>()) {}
  Result<void> run(const tenon_run& run) const override {
    return for_rows(run, 4 * p_.width, [&](int64_t r) {
      activate_row(p_.activation, row_of(run.in[0], r), row_of(run.in[1], r), p_.width, row_of(run.out[0], r));
    });
  }

 private:
  tenon_glu_params p_;
};

tenon_support supports(const OpView& op) {
  return answer(op, check_glu(op), "", false, 8 * op.params<tenon_glu_params>().width);
}

}  // namespace

OpEntry glu_entry() { return {"glu", supports, make_kernel<Glu>}; }

}  // namespace tenon::panels
