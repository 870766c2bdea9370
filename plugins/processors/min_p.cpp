// min_p p: tokens at least p times as probable as the best: logit >= max + ln p, no softmax needed.
#include "entries.hpp"
#include "sort.hpp"

namespace tenon::processors {
namespace {

class MinP final : public Processor {
 public:
  MinP(double p, int32_t vocab_size) : p_(p), vocab_size_(vocab_size), sorter_(vocab_size) {}

  Result<void> apply(tenon_candidates& c) override {
    if (p_ == 0) return {};
    const float best = highest(c);
    if (best == kMasked) return nothing_left();
    const bool was_dense = is_dense(c);
    keep_from(c, std::isinf(best) ? best : static_cast<float>(double{best} + std::log(p_)));
    if (was_dense) sorter_.sort(c, c.n_candidates);
    return {};
  }

  Result<std::unique_ptr<Processor>> clone() const override { return std::make_unique<MinP>(p_, vocab_size_); }

 private:
  double p_;
  int32_t vocab_size_;
  Sorter sorter_;
};

constexpr tenon_option_spec kOptions[] = {
    float_option("p", 0.05, 0.0, 1.0, "least probability, as a share of the best; 0: off")};

}  // namespace

const ProcessorEntry kMinP{
    processor_info(TENON_PROCESSOR_FILTER, "min_p", "drops tokens far less probable than the best", kOptions),
    [](const Options& options, int32_t vocab_size) -> Result<std::unique_ptr<Processor>> {
      return std::make_unique<MinP>(options.number("p"), vocab_size);
    }};

}  // namespace tenon::processors
