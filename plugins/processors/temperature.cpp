// temperature t: (logit - max) / t, so that a tiny t gives no overflow. 0 keeps the most probable token alone.
#include "candidates.hpp"
#include "entries.hpp"

namespace tenon::processors {
namespace {

class Temperature final : public Processor {
 public:
  explicit Temperature(float t) : t_(t) {}

  Result<void> apply(tenon_candidates& c) override {
    const float best = highest(c);
    if (best == kMasked) return nothing_left();
    if (t_ == 0 || std::isinf(best)) return keep_best(c, best);
    if (t_ == 1) return {};
    float* values = is_dense(c) ? c.logits : c.values;
    const int64_t n = is_dense(c) ? c.vocab_size : c.n_candidates;
    for (int64_t i = 0; i < n; ++i) values[i] = (values[i] - best) / t_;
    return {};
  }

  Result<std::unique_ptr<Processor>> clone() const override { return std::make_unique<Temperature>(t_); }

 private:
  /// The lowest id among the best.
  static Result<void> keep_best(tenon_candidates& c, float best) {
    keep_from(c, best);
    c.n_candidates = 1;
    return {};
  }

  float t_;
};

constexpr tenon_option_spec kOptions[] = {
    float_option("t", 1.0, 0.0, 1e6, "divides the logits; 0 takes the most probable token")};

}  // namespace

const ProcessorEntry kTemperature{
    processor_info(TENON_PROCESSOR_FILTER, "temperature", "flattens or sharpens the distribution", kOptions),
    [](const Options& options, int32_t) -> Result<std::unique_ptr<Processor>> {
      return std::make_unique<Temperature>(static_cast<float>(options.number("t")));
    }};

}  // namespace tenon::processors
