// top_p p: the fewest most probable tokens whose probabilities reach p; the token that crosses p is kept, and one
// always. Sums in f64: an f32 running sum over a large flat vocabulary loses tokens.
#include "entries.hpp"
#include "sort.hpp"

namespace tenon::processors {
namespace {

class TopP final : public Processor {
 public:
  TopP(double p, int32_t vocab_size) : p_(p), vocab_size_(vocab_size), sorter_(vocab_size) {}

  Result<void> apply(tenon_candidates& c) override {
    if (p_ >= 1) return {};
    const bool was_dense = is_dense(c);
    if (was_dense) keep_from(c, kMasked);
    if (c.n_candidates == 0) return nothing_left();
    const double best = was_dense ? *std::max_element(c.values, c.values + c.n_candidates) : c.values[0];
    if (std::isinf(best)) {  // +inf wins alone
      sorter_.sort(c, c.n_candidates);
      c.n_candidates = 1;
      return {};
    }
    double total = 0;
    for (int64_t i = 0; i < c.n_candidates; ++i) total += std::exp(double{c.values[i]} - best);
    // Sort only as deep as the mass needs, four times deeper each try.
    double sum = 0;
    int64_t kept = 0;
    int64_t sorted = was_dense ? 0 : c.n_candidates;
    for (int64_t depth = kFirstDepth;; depth *= 4) {
      if (sorted < c.n_candidates) {
        sorted = std::min(depth, c.n_candidates);
        sorter_.sort(c, sorted);
      }
      while (kept < sorted && (kept == 0 || sum < p_ * total)) sum += std::exp(double{c.values[kept++]} - best);
      if (sum >= p_ * total || sorted == c.n_candidates) break;
      kept = 0;
      sum = 0;
    }
    c.n_candidates = kept;
    return {};
  }

  Result<std::unique_ptr<Processor>> clone() const override { return std::make_unique<TopP>(p_, vocab_size_); }

 private:
  static constexpr int64_t kFirstDepth = 256;

  double p_;
  int32_t vocab_size_;
  Sorter sorter_;
};

constexpr tenon_option_spec kOptions[] = {
    float_option("p", 0.95, 0.0, 1.0, "the probability mass that is kept; 1: all")};

}  // namespace

const ProcessorEntry kTopP{
    processor_info(TENON_PROCESSOR_FILTER, "top_p", "keeps the most probable tokens that make up p", kOptions),
    [](const Options& options, int32_t vocab_size) -> Result<std::unique_ptr<Processor>> {
      return std::make_unique<TopP>(options.number("p"), vocab_size);
    }};

}  // namespace tenon::processors
