// layer_norm: y = (x - mean) / sqrt(variance + eps) * w + bias over each group of `width` elements. Mean and variance
// are eight-way sums in f64 in every class. f32: c = f32((x - mean) * r), out = fma(c, w, bias), bias 0 where absent.
// exact64: all in f64.
#include "elementwise.hpp"

namespace tenon::reference {
namespace {

class LayerNorm final : public FileOrderKernel {
 public:
  explicit LayerNorm(const OpView& op)
      : FileOrderKernel(op), params_(op.params<tenon_norm_params>()), exact_(is_exact(op)) {}

  Result<void> run(const tenon_run& run) const override {
    return for_each_row(run, [&](int64_t r) {
      for (int64_t g = 0; g < params_.groups; ++g) {
        const int64_t at = g * params_.width;
        norm(row_of(run.in[0], r) + at, vector_of(run, 0), vector_of(run, 1), row_of(run.out[0], r) + at);
      }
    });
  }

 private:
  void norm(const float* x, const float* w, const float* bias, float* out) const {
    const auto n = static_cast<double>(params_.width);
    const double mean = eight_way_sum<double>(params_.width, [&](int64_t i) { return double{x[i]}; }) / n;
    const double squares = eight_way_sum<double>(params_.width, [&](int64_t i) {
      const double centred = double{x[i]} - mean;
      return centred * centred;
    });
    const double r = 1.0 / std::sqrt(squares / n + double{params_.eps});
    for (int64_t i = 0; i < params_.width; ++i) {
      const double y = (double{x[i]} - mean) * r;
      const float b = bias == nullptr ? 0.0f : bias[i];
      out[i] = exact_ ? static_cast<float>(y * double{w[i]} + double{b}) : std::fma(static_cast<float>(y), w[i], b);
    }
  }

  tenon_norm_params params_;
  bool exact_;
};

tenon_support supports(const OpView& op) {
  const auto params = op.params<tenon_norm_params>();
  return elementwise_answer(op, check_layer_norm(op), 2 * params.width * params.groups);
}

}  // namespace

OpEntry layer_norm_entry() { return {"layer_norm", supports, make_kernel<LayerNorm>}; }

}  // namespace tenon::reference
