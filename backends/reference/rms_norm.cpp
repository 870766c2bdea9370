// rms_norm: y = x / sqrt(mean(x^2) + eps) * w over each group of `width` elements. The sum of squares is the eight-way
// sum in f64 in every class. f32: r = f32(1 / sqrt(sum / width + eps)), out = (x * r) * w. exact64: all in f64.
#include "elementwise.hpp"

namespace tenon::reference {
namespace {

class RmsNorm final : public FileOrderKernel {
 public:
  explicit RmsNorm(const OpView& op)
      : FileOrderKernel(op), params_(op.params<tenon_norm_params>()), exact_(is_exact(op)) {}

  Result<void> run(const tenon_run& run) const override {
    return for_each_row(run, [&](int64_t r) {
      for (int64_t g = 0; g < params_.groups; ++g) {
        const int64_t at = g * params_.width;
        norm(row_of(run.in[0], r) + at, vector_of(run, 0), row_of(run.out[0], r) + at);
      }
    });
  }

 private:
  void norm(const float* x, const float* w, float* out) const {
    const double sum = eight_way_sum<double>(params_.width, [&](int64_t i) { return double{x[i]} * double{x[i]}; });
    const double r = 1.0 / std::sqrt(sum / static_cast<double>(params_.width) + double{params_.eps});
    if (exact_) {
      for (int64_t i = 0; i < params_.width; ++i) out[i] = static_cast<float>(double{x[i]} * r * double{w[i]});
    } else {
      const auto rounded = static_cast<float>(r);
      for (int64_t i = 0; i < params_.width; ++i) out[i] = (x[i] * rounded) * w[i];
    }
  }

  tenon_norm_params params_;
  bool exact_;
};

tenon_support supports(const OpView& op) {
  const auto params = op.params<tenon_norm_params>();
  return elementwise_answer(op, check_rms_norm(op), params.width * params.groups);
}

}  // namespace

OpEntry rms_norm_entry() { return {"rms_norm", supports, make_kernel<RmsNorm>}; }

}  // namespace tenon::reference
