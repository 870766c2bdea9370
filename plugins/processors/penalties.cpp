// Penalties on tokens that the sequence has seen. They touch those ids alone.
//   repetition r: logit > 0 ? logit / r : logit * r, once for each distinct token of prompt and output
//   frequency f: logit -= f * (times in the output); presence p: logit -= p if it is in the output
#include "candidates.hpp"
#include "entries.hpp"

#include <vector>

namespace tenon::processors {
namespace {

enum class Kind { repetition, frequency, presence };

class Penalty final : public Processor {
 public:
  Penalty(Kind kind, float strength, bool include_prompt, int32_t vocab_size)
      : kind_(kind), strength_(strength), include_prompt_(include_prompt), counts_(static_cast<size_t>(vocab_size)) {}

  Result<void> apply(tenon_candidates& c) override {
    if (!is_dense(c)) return invalid("a penalty must stand before the first processor that drops tokens");
    if (include_prompt_) count(c.prompt, c.n_prompt, 1);
    count(c.generated, c.n_generated, 1);
    // The first visit of an id applies its penalty and clears its count, so that each counts once.
    if (include_prompt_) penalize(c, c.prompt, c.n_prompt);
    penalize(c, c.generated, c.n_generated);
    return {};
  }

  Result<std::unique_ptr<Processor>> clone() const override {
    return std::make_unique<Penalty>(kind_, strength_, include_prompt_, static_cast<int32_t>(counts_.size()));
  }

 private:
  void count(const int32_t* ids, int64_t n, int32_t by) {
    for (int64_t i = 0; i < n; ++i) {
      if (is_known(ids[i])) counts_[static_cast<size_t>(ids[i])] += by;
    }
  }

  bool is_known(int32_t id) const { return id >= 0 && static_cast<size_t>(id) < counts_.size(); }

  void penalize(tenon_candidates& c, const int32_t* ids, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      if (!is_known(ids[i])) continue;
      int32_t& times = counts_[static_cast<size_t>(ids[i])];
      if (times == 0) continue;
      float& logit = c.logits[ids[i]];
      if (kind_ == Kind::repetition) logit = logit > 0 ? logit / strength_ : logit * strength_;
      if (kind_ == Kind::frequency) logit -= strength_ * static_cast<float>(times);
      if (kind_ == Kind::presence) logit -= strength_;
      times = 0;
    }
  }

  Kind kind_;
  float strength_;
  bool include_prompt_;
  std::vector<int32_t> counts_;  // all zero between calls
};

template <Kind kKind>
Result<std::unique_ptr<Processor>> create(const Options& options, int32_t vocab_size) {
  return std::make_unique<Penalty>(kKind, static_cast<float>(options.number("strength")),
                                   options.flag("include_prompt"), vocab_size);
}

constexpr const char* kPrompt = "whether tokens of the prompt count too";
constexpr tenon_option_spec kRepetitionOptions[] = {
    float_option("strength", 1.0, 0.01, 100.0, "divides positive logits, multiplies negative ones"),
    bool_option("include_prompt", true, kPrompt)};
constexpr tenon_option_spec kFrequencyOptions[] = {
    float_option("strength", 0.0, -100.0, 100.0, "taken off for each time a token was written"),
    bool_option("include_prompt", false, kPrompt)};
constexpr tenon_option_spec kPresenceOptions[] = {
    float_option("strength", 0.0, -100.0, 100.0, "taken off once for a token that was written"),
    bool_option("include_prompt", false, kPrompt)};

}  // namespace

const ProcessorEntry kRepetition{
    processor_info(TENON_PROCESSOR_FILTER, "repetition", "makes seen tokens less probable", kRepetitionOptions),
    create<Kind::repetition>};
const ProcessorEntry kFrequency{processor_info(TENON_PROCESSOR_FILTER, "frequency",
                                               "penalizes by how often a token was written", kFrequencyOptions),
                                create<Kind::frequency>};
const ProcessorEntry kPresence{
    processor_info(TENON_PROCESSOR_FILTER, "presence", "penalizes tokens that were written", kPresenceOptions),
    create<Kind::presence>};

}  // namespace tenon::processors
