// The `reference` backend: every op by plain loops, in all three numeric classes. What other backends are held to.
#include "op.hpp"

#include <tenon/plugin.hpp>

#include <array>

namespace {

using namespace tenon;
using namespace tenon::reference;

class ReferenceBackend final : public Backend {
 public:
  tenon_support supports(const OpView& op) const override {
    const OpEntry* entry = find(op.name());
    if (entry == nullptr) return no("op '" + std::string(op.name()) + "' is not known here");
    if (op.revision() != 1) {
      return no("revision " + std::to_string(op.revision()) + " of " + std::string(op.name()) +
                " is asked, expected 1");
    }
    return entry->supports(op);
  }

  Result<std::unique_ptr<Kernel>> create(const OpView& op) const override {
    const tenon_support answer = supports(op);
    if (answer.supported == 0) return unsupported(answer.reason);
    return find(op.name())->create(op);
  }

 private:
  const OpEntry* find(std::string_view name) const {
    for (const OpEntry& entry : entries_) {
      if (entry.name == name) return &entry;
    }
    return nullptr;
  }

  std::array<OpEntry, 15> entries_{gather_entry(),  add_entry(),       mul_entry(),        reduce_mean_entry(),
                                   softmax_entry(), rms_norm_entry(),  layer_norm_entry(), rope_entry(),
                                   glu_entry(),     matmul_entry(),    linear_entry(),     ffn_entry(),
                                   moe_entry(),     attention_entry(), softcap_entry()};
};

Result<std::unique_ptr<Plugin>> make(const Host&, const Options&) {
  return std::unique_ptr<Plugin>(std::make_unique<PluginOf<ReferenceBackend>>(std::make_unique<ReferenceBackend>()));
}

constexpr PluginInfo kInfo{.id = "reference", .version = "0.1.0", .interfaces = TENON_KERNEL_INTERFACE};

}  // namespace

TENON_PLUGIN(kInfo, make);
