// rms_norm and layer_norm over groups of `width` elements; sums in f64 in every class.
#include "op.hpp"

#include "sums.hpp"

namespace tenon::reference {
namespace {

template <bool kCentred>
class Norm final : public FileOrderKernel {
 public:
  explicit Norm(const OpView& op)
      : FileOrderKernel(op),
        params_(op.params<tenon_norm_params>()),
        exact_(elementwise_class(op) == TENON_CLASS_EXACT64) {}

  Result<void> run(const tenon_run& run) const override {
    const float* w = vector_of(run, 0);
    const float* bias = kCentred ? vector_of(run, 1) : nullptr;
    for (int64_t r = 0; r < run.n_rows; ++r) {
      for (int64_t g = 0; g < params_.groups; ++g) {
        const float* x = row_of(run.in[0], r) + g * params_.width;
        float* out = row_of(run.out[0], r) + g * params_.width;
        if (kCentred) {
          centred(x, w, bias, out);
        } else {
          plain(x, w, out);
        }
      }
    }
    return {};
  }

 private:
  void plain(const float* x, const float* w, float* out) const {
    const auto n = static_cast<double>(params_.width);
    const double sum = eight_way_sum<double>(params_.width, [&](int64_t i) { return double{x[i]} * double{x[i]}; });
    const double exact_r = 1.0 / std::sqrt(sum / n + double{params_.eps});
    if (exact_) {
      for (int64_t i = 0; i < params_.width; ++i) out[i] = static_cast<float>(double{x[i]} * exact_r * double{w[i]});
      return;
    }
    const auto r = static_cast<float>(exact_r);
    for (int64_t i = 0; i < params_.width; ++i) out[i] = (x[i] * r) * w[i];
  }

  void centred(const float* x, const float* w, const float* bias, float* out) const {
    const auto n = static_cast<double>(params_.width);
    const double mean = eight_way_sum<double>(params_.width, [&](int64_t i) { return double{x[i]}; }) / n;
    const double sum = eight_way_sum<double>(params_.width, [&](int64_t i) {
      const double d = double{x[i]} - mean;
      return d * d;
    });
    const double r = 1.0 / std::sqrt(sum / n + double{params_.eps});
    for (int64_t i = 0; i < params_.width; ++i) {
      const auto centre = static_cast<float>((double{x[i]} - mean) * r);
      out[i] = std::fma(centre, w[i], bias == nullptr ? 0.0f : bias[i]);
    }
  }

  tenon_norm_params params_;
  bool exact_;
};

tenon_support supports(const OpView& op) {
  const auto params = op.params<tenon_norm_params>();
  std::string problem = check_vector(op.weight(0), "the weight", params.width, false);
  if (problem.empty() && op.name() == "layer_norm")
    problem = check_vector(op.weight(1), "the bias", params.width, true);
  if (!problem.empty()) return no(problem);
  return yes(std::string(op.name()) + "_reference", elementwise_class(op), 1000);
}

template <bool kCentred>
std::unique_ptr<Kernel> make(const OpView& op) {
  return std::make_unique<Norm<kCentred>>(op);
}

}  // namespace

OpEntry rms_norm_entry() { return {"rms_norm", supports, make<false>}; }
OpEntry layer_norm_entry() { return {"layer_norm", supports, make<true>}; }

}  // namespace tenon::reference
