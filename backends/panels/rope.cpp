// rope: rotates pairs of the first n_dims of each head by the host's table of (cos, sin), in place.
#include "ops.hpp"
#include "packed.hpp"
#include "row_kernels.hpp"
#include "small_rows.hpp"

#include <tenon/op_contract.hpp>

namespace tenon::panels {
namespace {

class Rope final : public PanelOp {
 public:
  explicit Rope(const OpView& op) : PanelOp(op), p_(op.params<tenon_rope_params>()) {}

  Result<void> run(const tenon_run& run) const override {
    return for_rows(run, elements(p_), [&](int64_t r) {
      const float* table = row_of(run.in[p_.n_in], r);
      for (uint32_t v = 0; v < p_.n_in; ++v) {
        for (int64_t head = 0; head < p_.n_heads[v]; ++head) {
          float* x = row_of(run.out[v], r) + head * p_.head_dim;
          if (p_.pairing == TENON_PAIRING_HALVES) {
            rotate_halves(x, table, p_.n_dims);
          } else {
            rotate_interleaved(x, table, p_.n_dims);
          }
        }
      }
    });
  }

  static int64_t elements(const tenon_rope_params& p) {
    int64_t n = 0;
    for (uint32_t v = 0; v < p.n_in; ++v) n += p.n_heads[v] * p.n_dims;
    return n;
  }

 private:
  tenon_rope_params p_;
};

tenon_support supports(const OpView& op) {
  const std::string problem = check_rope(op);
  return answer(op, problem, "", false, problem.empty() ? Rope::elements(op.params<tenon_rope_params>()) : 0);
}

}  // namespace

OpEntry rope_entry() { return {"rope", supports, make_kernel<Rope>}; }

}  // namespace tenon::panels
