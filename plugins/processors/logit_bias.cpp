// logit_bias {id: bias, ...}: added to the logit of each id; -inf bans the token. A masked token stays masked.
// Candidates in the sparse form are sorted again; tokens that were dropped before stay dropped. Fails where no token is
// left.
#include "entries.hpp"
#include "sort.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tenon::processors {
namespace {

struct Bias {
  int32_t id;
  float bias;
};

class LogitBias final : public Processor {
 public:
  /// `biases` ascending by id.
  LogitBias(std::vector<Bias> biases, int32_t vocab_size)
      : biases_(std::move(biases)), vocab_size_(vocab_size), sorter_(vocab_size) {}

  Result<void> apply(tenon_candidates& c) override {
    if (biases_.empty()) return {};
    if (is_dense(c)) {
      for (const Bias& b : biases_) c.logits[b.id] += b.bias;
    } else {
      for (int64_t i = 0; i < c.n_candidates; ++i) c.values[i] += bias_of(c.ids[i]);
      sorter_.sort(c, c.n_candidates);
      while (c.n_candidates > 0 && c.values[c.n_candidates - 1] == kMasked) --c.n_candidates;
    }
    if (highest(c) == kMasked) return nothing_left();
    return {};
  }

  Result<std::unique_ptr<Processor>> clone() const override {
    return std::make_unique<LogitBias>(biases_, vocab_size_);
  }

 private:
  float bias_of(int32_t id) const {
    const auto at = std::lower_bound(biases_.begin(), biases_.end(), id,
                                     [](const Bias& bias, int32_t wanted) { return bias.id < wanted; });
    return at != biases_.end() && at->id == id ? at->bias : 0.0f;
  }

  std::vector<Bias> biases_;
  int32_t vocab_size_;
  Sorter sorter_;
};

/// What a float can hold: a larger bias would be infinite.
constexpr double kMost = 3e38;
constexpr tenon_option_spec kOptions[] = {map_option("biases", -std::numeric_limits<double>::infinity(), kMost,
                                                     "token id: what is added to its logit; -inf bans it")};

Result<std::unique_ptr<Processor>> create(const Options& options, int32_t vocab_size) {
  std::vector<Bias> biases;
  for (const auto& [id, bias] : options.map("biases")) {
    const std::string name = "token id " + std::to_string(id);
    if (id < 0 || id >= vocab_size) {
      return invalid(name + ", but the vocabulary has ids 0 to " + std::to_string(vocab_size - 1));
    }
    if (std::isnan(bias) || bias > kMost) {
      return invalid("the bias of " + name + " is " + std::to_string(bias) + ", expected a number or -inf");
    }
    biases.push_back({static_cast<int32_t>(id), static_cast<float>(bias)});
  }
  std::sort(biases.begin(), biases.end(), [](const Bias& a, const Bias& b) { return a.id < b.id; });
  for (size_t i = 1; i < biases.size(); ++i) {
    if (biases[i].id == biases[i - 1].id)
      return invalid("token id " + std::to_string(biases[i].id) + " has two biases");
  }
  return std::make_unique<LogitBias>(std::move(biases), vocab_size);
}

}  // namespace

const ProcessorEntry kLogitBias{processor_info(TENON_PROCESSOR_FILTER, "logit_bias",
                                               "makes chosen tokens more or less probable, or bans them", kOptions),
                                create};

}  // namespace tenon::processors
