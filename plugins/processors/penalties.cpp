// Penalties on tokens that the sequence has seen. They touch those ids alone. Candidates in the sparse form are sorted
// again; tokens that were dropped before stay dropped.
//   repetition r: logit > 0 ? logit / r : logit * r, once for each distinct token of prompt and output
//   frequency f: logit -= f * (times in the output); presence p: logit -= p if it is in the output
#include "entries.hpp"
#include "sort.hpp"

#include <vector>

namespace tenon::processors {
namespace {

enum class Kind { repetition, frequency, presence };

class Penalty final : public Processor {
 public:
  Penalty(Kind kind, float strength, bool include_prompt, int32_t vocab_size)
      : kind_(kind),
        strength_(strength),
        include_prompt_(include_prompt),
        counts_(static_cast<size_t>(vocab_size)),
        sorter_(vocab_size) {}

  Result<void> apply(tenon_candidates& c) override {
    if (include_prompt_) count(c.prompt, c.n_prompt, 1);
    count(c.generated, c.n_generated, 1);
    if (!is_dense(c)) {
      for (int64_t i = 0; i < c.n_candidates; ++i) c.values[i] = penalized(c.values[i], times_of(c.ids[i]));
      sorter_.sort(c, c.n_candidates);
    }
    if (include_prompt_) finish(c, c.prompt, c.n_prompt);
    finish(c, c.generated, c.n_generated);
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

  int32_t times_of(int32_t id) const { return is_known(id) ? counts_[static_cast<size_t>(id)] : 0; }

  float penalized(float logit, int32_t times) const {
    if (times == 0) return logit;
    if (kind_ == Kind::repetition) return logit > 0 ? logit / strength_ : logit * strength_;
    return logit - (kind_ == Kind::frequency ? strength_ * static_cast<float>(times) : strength_);
  }

  /// The first visit of an id clears its count, and applies its penalty to dense logits: each counts once.
  void finish(tenon_candidates& c, const int32_t* ids, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      const int32_t times = times_of(ids[i]);
      if (times == 0) continue;
      if (is_dense(c)) c.logits[ids[i]] = penalized(c.logits[ids[i]], times);
      counts_[static_cast<size_t>(ids[i])] = 0;
    }
  }

  Kind kind_;
  float strength_;
  bool include_prompt_;
  std::vector<int32_t> counts_;  // all zero between calls
  Sorter sorter_;
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
