// The `reference` backend: every op by plain loops, in f64 where asked. What other backends are held to.
#include "op.hpp"

#include <tenon/plugin.hpp>

#include <array>

namespace {

using namespace tenon;
using namespace tenon::reference;

class ReferenceBackend final : public Backend {
 public:
  tenon_support supports(const OpView& op) const override {
    const OpEntry* entry = find(op);
    if (entry == nullptr) return no("the op is not known here, or in another revision");
    return entry->supports(op);
  }

  Result<std::unique_ptr<Kernel>> create(const OpView& op) const override {
    const tenon_support answer = supports(op);
    if (answer.supported == 0) return unsupported(answer.reason);
    return find(op)->create(op);
  }

 private:
  const OpEntry* find(const OpView& op) const {
    for (const OpEntry& entry : entries_) {
      if (entry.name == op.name() && op.revision() == 1) return &entry;
    }
    return nullptr;
  }

  // ffn is left out: the planner splits it into linear and glu, which say the same.
  std::array<OpEntry, 13> entries_{gather_entry(),   add_entry(),      mul_entry(),        reduce_mean_entry(),
                                   softmax_entry(),  rms_norm_entry(), layer_norm_entry(), rope_entry(),
                                   glu_entry(),      matmul_entry(),   linear_entry(),     moe_entry(),
                                   attention_entry()};
};

Result<std::unique_ptr<Plugin>> make(const Host&, const Options&) {
  return std::unique_ptr<Plugin>(std::make_unique<PluginOf<ReferenceBackend>>(std::make_unique<ReferenceBackend>()));
}

constexpr PluginInfo kInfo{.id = "reference", .version = "0.1.0", .interfaces = TENON_KERNEL_INTERFACE};

}  // namespace

TENON_PLUGIN(kInfo, make);
