// softcap: out = cap * tanh(in / cap), element by element; out may be in.
#include "elementwise.hpp"

namespace tenon::reference {
namespace {

inline float tanh_of(float x) { return tanh_f32(x); }
inline double tanh_of(double x) { return std::tanh(x); }

/// T: float, or double for class exact64.
template <class T>
class Softcap final : public FileOrderKernel {
 public:
  explicit Softcap(const OpView& op) : FileOrderKernel(op), params_(op.params<tenon_softcap_params>()) {}

  Result<void> run(const tenon_run& run) const override {
    return for_each_row(run, [&](int64_t r) {
      const float* in = row_of(run.in[0], r);
      float* out = row_of(run.out[0], r);
      const T cap = params_.cap;
      for (int64_t i = 0; i < params_.width; ++i) out[i] = static_cast<float>(cap * tanh_of(T{in[i]} / cap));
    });
  }

 private:
  tenon_softcap_params params_;
};

tenon_support supports(const OpView& op) {
  return elementwise_answer(op, check_softcap(op), 8 * op.params<tenon_softcap_params>().width);
}

std::unique_ptr<Kernel> create(const OpView& op) {
  return is_exact(op) ? make_kernel<Softcap<double>>(op) : make_kernel<Softcap<float>>(op);
}

}  // namespace

OpEntry softcap_entry() { return {"softcap", supports, create}; }

}  // namespace tenon::reference
