// The ends of a chain.
//   greedy: the highest logit, the lowest id among equals
//   sample: argmax of logit + Gumbel noise, a draw from the softmax (Gumbel-max trick). The noise belongs to the token
//   id, so
//     the result does not depend on the order or the form of the candidates
//   categorical: inverse CDF with one uniform number, in the order of the candidates
#include "candidates.hpp"
#include "entries.hpp"

namespace tenon::processors {
namespace {

/// Calls f(id, value) for every candidate that is not masked.
template <class F>
void for_each(const tenon_candidates& c, F&& f) {
  if (is_dense(c)) {
    for (int32_t i = 0; i < c.vocab_size; ++i) {
      if (c.logits[i] != kMasked) f(i, c.logits[i]);
    }
  } else {
    for (int64_t i = 0; i < c.n_candidates; ++i) {
      if (c.values[i] != kMasked) f(c.ids[i], c.values[i]);
    }
  }
}

Result<int32_t> most_probable(const tenon_candidates& c) {
  int32_t best_id = -1;
  float best = kMasked;
  for_each(c, [&](int32_t id, float value) {
    if (best_id >= 0 && !comes_before(value, id, best, best_id)) return;
    best = value;
    best_id = id;
  });
  if (best_id < 0) return nothing_left();
  return best_id;
}

class Greedy final : public Processor {
 public:
  Result<int32_t> choose(tenon_candidates& c) override { return most_probable(c); }
  Result<std::unique_ptr<Processor>> clone() const override { return std::make_unique<Greedy>(); }
};

class Sample final : public Processor {
 public:
  Result<int32_t> choose(tenon_candidates& c) override {
    if (std::isinf(highest(c))) return most_probable(c);  // +inf wins; nothing left is an error there
    const NoiseKey key = noise_key(c);
    // Noise is below 22.9 for a 32-bit uniform, and above -3.2: what cannot win is not drawn for.
    constexpr double kSpan = 22.9 + 3.2;
    const double least = double{highest(c)} - kSpan;
    int32_t best_id = -1;
    double best = 0;
    for_each(c, [&](int32_t id, float value) {
      if (double{value} < least) return;
      const double score = double{value} + noise_gumbel(key, static_cast<uint64_t>(id));
      if (best_id >= 0 && (score < best || (score == best && id > best_id))) return;
      best = score;
      best_id = id;
    });
    if (best_id < 0) return nothing_left();
    return best_id;
  }
  Result<std::unique_ptr<Processor>> clone() const override { return std::make_unique<Sample>(); }
};

class Categorical final : public Processor {
 public:
  explicit Categorical(double u) : u_(u) {}

  Result<int32_t> choose(tenon_candidates& c) override {
    const float best = highest(c);
    if (std::isinf(best)) return most_probable(c);
    constexpr uint64_t kNoToken = ~uint64_t{0};
    const double u = u_ < 0 ? noise_uniform(noise_key(c), kNoToken) : u_;
    double total = 0;
    for_each(c, [&](int32_t, float value) { total += std::exp(double{value} - double{best}); });
    double sum = 0;
    int32_t chosen = -1, last = -1;
    for_each(c, [&](int32_t id, float value) {
      const double weight = std::exp(double{value} - double{best});
      if (weight > 0) last = id;
      sum += weight;
      if (chosen < 0 && weight > 0 && sum > u * total) chosen = id;
    });
    // Rounding may leave the sum below u * total: the last kept id, never a masked one.
    return chosen >= 0 ? chosen : last;
  }
  Result<std::unique_ptr<Processor>> clone() const override { return std::make_unique<Categorical>(u_); }

 private:
  double u_;
};

constexpr tenon_option_spec kCategoricalOptions[] = {float_option(
    "u", -1.0, -1.0, 1.0, "a fixed uniform number, for measurements; negative: drawn by seed and position")};

}  // namespace

const ProcessorEntry kGreedy{
    processor_info(TENON_PROCESSOR_CHOICE, "greedy", "the most probable token", {}),
    [](const Options&, int32_t) -> Result<std::unique_ptr<Processor>> { return std::make_unique<Greedy>(); }};
const ProcessorEntry kSample{
    processor_info(TENON_PROCESSOR_CHOICE, "sample", "a draw by Gumbel-max, keyed by token id", {}),
    [](const Options&, int32_t) -> Result<std::unique_ptr<Processor>> { return std::make_unique<Sample>(); }};
const ProcessorEntry kCategorical{
    processor_info(TENON_PROCESSOR_CHOICE, "categorical", "a draw by inverse CDF", kCategoricalOptions),
    [](const Options& options, int32_t) -> Result<std::unique_ptr<Processor>> {
      return std::make_unique<Categorical>(options.number("u"));
    }};

}  // namespace tenon::processors
