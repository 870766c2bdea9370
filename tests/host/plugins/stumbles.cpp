// A choice that throws where the seed is 13 and else takes the first of the best: a request fails, the engine lives.
#include <tenon/plugin.hpp>
#include <tenon/processor.hpp>

#include <algorithm>
#include <array>

namespace {

using namespace tenon;

class Stumble final : public Processor {
 public:
  Result<int32_t> choose(tenon_candidates& c) override {
    if (c.seed == 13) throw std::runtime_error("black cat");
    return static_cast<int32_t>(std::max_element(c.logits, c.logits + c.vocab_size) - c.logits);
  }
  Result<std::unique_ptr<Processor>> clone() const override {
    return std::unique_ptr<Processor>(std::make_unique<Stumble>());
  }
};

class Set final : public ProcessorSet {
 public:
  Set() : ProcessorSet(entries_) {}

 private:
  std::array<ProcessorEntry, 1> entries_{
      ProcessorEntry{processor_info(TENON_PROCESSOR_CHOICE, "stumble", "throws for seed 13", {}),
                     [](const Options&, int32_t) -> Result<std::unique_ptr<Processor>> {
                       return std::unique_ptr<Processor>(std::make_unique<Stumble>());
                     }}};
};

Result<std::unique_ptr<Plugin>> make(const Host&, const Options&) {
  return std::unique_ptr<Plugin>(std::make_unique<PluginOf<Set>>(std::make_unique<Set>()));
}

constexpr PluginInfo kInfo{.id = "stumbles", .version = "1.0", .interfaces = TENON_PROCESSOR_INTERFACE};

}  // namespace

TENON_PLUGIN(kInfo, make);
