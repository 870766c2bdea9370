// glu: out = act(gate) * up, swiglu_oai by its own formula (core/abi/tenon_kernel.h); out may be gate or up.
#include "elementwise.hpp"

namespace tenon::reference {
namespace {

/// T: float, or double for class exact64.
template <class T>
class Glu final : public FileOrderKernel {
 public:
  explicit Glu(const OpView& op) : FileOrderKernel(op), params_(op.params<tenon_glu_params>()) {}

  Result<void> run(const tenon_run& run) const override {
    return for_each_row(run, [&](int64_t r) {
      const float* gate = row_of(run.in[0], r);
      const float* up = row_of(run.in[1], r);
      float* out = row_of(run.out[0], r);
      for (int64_t i = 0; i < params_.width; ++i) {
        out[i] = static_cast<float>(activate<T>(params_.activation, T{gate[i]}, T{up[i]}));
      }
    });
  }

 private:
  tenon_glu_params params_;
};

tenon_support supports(const OpView& op) {
  const auto params = op.params<tenon_glu_params>();
  return elementwise_answer(op, check_glu(op), 8 * params.width);
}

std::unique_ptr<Kernel> create(const OpView& op) {
  return is_exact(op) ? make_kernel<Glu<double>>(op) : make_kernel<Glu<float>>(op);
}

}  // namespace

OpEntry glu_entry() { return {"glu", supports, create}; }

}  // namespace tenon::reference
