// A choice that takes its time and never ends a text, so that there is something to interrupt.
#include <tenon/plugin.hpp>
#include <tenon/processor.hpp>

#include <array>
#include <chrono>
#include <thread>

namespace {

using namespace tenon;

constexpr int32_t kToken = 300;  // some text of the demo model

class Dawdle final : public Processor {
 public:
  Result<int32_t> choose(tenon_candidates&) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return kToken;
  }
  Result<std::unique_ptr<Processor>> clone() const override {
    return std::unique_ptr<Processor>(std::make_unique<Dawdle>());
  }
};

class Set final : public ProcessorSet {
 public:
  Set() : ProcessorSet(entries_) {}

 private:
  std::array<ProcessorEntry, 1> entries_{ProcessorEntry{
      processor_info(TENON_PROCESSOR_CHOICE, "dawdle", "waits, then writes one token again and again", {}),
      [](const Options&, int32_t) -> Result<std::unique_ptr<Processor>> {
        return std::unique_ptr<Processor>(std::make_unique<Dawdle>());
      }}};
};

Result<std::unique_ptr<Plugin>> make(const Host&, const Options&) {
  return std::unique_ptr<Plugin>(std::make_unique<PluginOf<Set>>(std::make_unique<Set>()));
}

constexpr PluginInfo kInfo{.id = "dawdles", .version = "1.0", .interfaces = TENON_PROCESSOR_INTERFACE};

}  // namespace

TENON_PLUGIN(kInfo, make);
