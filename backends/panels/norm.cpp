// rms_norm and layer_norm over groups of `width` elements; out may be in.
#include "ops.hpp"
#include "packed.hpp"
#include "row_kernels.hpp"
#include "small_rows.hpp"

#include <tenon/op_contract.hpp>

namespace tenon::panels {
namespace {

template <bool kLayer>
class Norm final : public PanelOp {
 public:
  explicit Norm(const OpView& op) : PanelOp(op), p_(op.params<tenon_norm_params>()) {}

  Result<void> run(const tenon_run& run) const override {
    return for_rows(run, p_.width * p_.groups, [&](int64_t r) {
      for (int64_t at = 0; at < p_.groups * p_.width; at += p_.width) {
        const float* x = row_of(run.in[0], r) + at;
        float* out = row_of(run.out[0], r) + at;
        if constexpr (kLayer) {
          layer_norm_row(x, vector_of(run, 0), vector_of(run, 1), p_.width, p_.eps, out);
        } else {
          rms_norm_row(x, vector_of(run, 0), p_.width, p_.eps, out);
        }
      }
    });
  }

 private:
  tenon_norm_params p_;
};

template <std::string (*kCheck)(const OpView&)>
tenon_support supports(const OpView& op) {
  const auto p = op.params<tenon_norm_params>();
  return answer(op, kCheck(op), "", false, 2 * p.width * p.groups);
}

}  // namespace

OpEntry rms_norm_entry() { return {"rms_norm", supports<check_rms_norm>, make_kernel<Norm<false>>}; }
OpEntry layer_norm_entry() { return {"layer_norm", supports<check_layer_norm>, make_kernel<Norm<true>>}; }

}  // namespace tenon::panels
