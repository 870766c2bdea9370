#include "entries.hpp"

#include <tenon/plugin.hpp>

#include <array>

namespace {

using namespace tenon;
namespace p = tenon::processors;

/// The set of this plug-in; the entries live as long as it.
class Set final : public ProcessorSet {
 public:
  Set() : ProcessorSet(entries_) {}

 private:
  std::array<ProcessorEntry, 11> entries_{p::kTemperature, p::kTopK,      p::kTopP,       p::kMinP,
                                          p::kRepetition,  p::kFrequency, p::kPresence,   p::kLogitBias,
                                          p::kGreedy,      p::kSample,    p::kCategorical};
};

Result<std::unique_ptr<Plugin>> make(const Host&, const Options&) {
  return std::unique_ptr<Plugin>(std::make_unique<PluginOf<Set>>(std::make_unique<Set>()));
}

constexpr PluginInfo kInfo{.id = "processors", .version = "0.1.0", .interfaces = TENON_PROCESSOR_INTERFACE};

}  // namespace

TENON_PLUGIN(kInfo, make);
