// A filter that keeps the `keep` most probable tokens; the lower id goes first among equals. -inf is the least
// probable; the history plays no part.
#include <tenon/plugin.hpp>
#include <tenon/processor.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace {

using namespace tenon;

class Loudest final : public Processor {
 public:
  explicit Loudest(int64_t keep) : keep_(keep) {}

  Result<void> apply(tenon_candidates& c) override {
    if (!is_dense(c)) {
      c.n_candidates = std::min(c.n_candidates, keep_);
      return {};
    }
    const int64_t n = std::min<int64_t>(keep_, c.vocab_size);
    for (int32_t id = 0; id < c.vocab_size; ++id) c.ids[id] = id;
    std::partial_sort(c.ids, c.ids + n, c.ids + c.vocab_size, [&](int32_t a, int32_t b) {
      return c.logits[a] != c.logits[b] ? c.logits[a] > c.logits[b] : a < b;
    });
    for (int64_t i = 0; i < n; ++i) c.values[i] = c.logits[c.ids[i]];
    c.n_candidates = n;
    return {};
  }
  Result<std::unique_ptr<Processor>> clone() const override {
    return std::unique_ptr<Processor>(std::make_unique<Loudest>(keep_));
  }

 private:
  int64_t keep_;
};

constexpr tenon_option_spec kOptions[] = {int_option("keep", 1, 1, 1000, "how many tokens stay")};

class Set final : public ProcessorSet {
 public:
  Set() : ProcessorSet(entries_) {}

 private:
  std::array<ProcessorEntry, 1> entries_{
      ProcessorEntry{processor_info(TENON_PROCESSOR_FILTER, "loudest", "keeps the most probable tokens", kOptions),
                     [](const Options& options, int32_t) -> Result<std::unique_ptr<Processor>> {
                       return std::unique_ptr<Processor>(std::make_unique<Loudest>(options.integer("keep")));
                     }}};
};

Result<std::unique_ptr<Plugin>> make(const Host&, const Options&) {
  return std::unique_ptr<Plugin>(std::make_unique<PluginOf<Set>>(std::make_unique<Set>()));
}

constexpr PluginInfo kInfo{.id = "loudest", .version = "1.0", .interfaces = TENON_PROCESSOR_INTERFACE};

}  // namespace

TENON_PLUGIN(kInfo, make);
