// softcap: out = cap * tanh(in / cap); out may be in.
#include "ops.hpp"
#include "packed.hpp"
#include "row_kernels.hpp"
#include "small_rows.hpp"

#include <tenon/op_contract.hpp>

namespace tenon::panels {
namespace {

class Softcap final : public PanelOp {
 public:
  explicit Softcap(const OpView& op) : PanelOp(op), p_(op.params<tenon_softcap_params>()) {}
  Result<void> run(const tenon_run& run) const override {
    return for_rows(run, 4 * p_.width,
                    [&](int64_t r) { softcap_row(p_.cap, row_of(run.in[0], r), p_.width, row_of(run.out[0], r)); });
  }

 private:
  tenon_softcap_params p_;
};

tenon_support supports(const OpView& op) {
  return answer(op, check_softcap(op), "", false, 8 * op.params<tenon_softcap_params>().width);
}

}  // namespace

OpEntry softcap_entry() { return {"softcap", supports, make_kernel<Softcap>}; }

}  // namespace tenon::panels
