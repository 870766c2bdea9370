// The `reference` backend: every op by plain loops, in all three numeric classes. What other backends are held to.
#include "op.hpp"

#include <tenon/plugin.hpp>

namespace {

using namespace tenon;
using namespace tenon::reference;

Result<std::unique_ptr<Plugin>> make(const Host&, const Options&) {
  std::vector<OpEntry> entries{gather_entry(),  add_entry(),       mul_entry(),        reduce_mean_entry(),
                               softmax_entry(), rms_norm_entry(),  layer_norm_entry(), rope_entry(),
                               glu_entry(),     matmul_entry(),    linear_entry(),     ffn_entry(),
                               moe_entry(),     attention_entry(), softcap_entry()};
  return std::unique_ptr<Plugin>(std::make_unique<PluginOf<OpTable>>(std::make_unique<OpTable>(std::move(entries))));
}

constexpr PluginInfo kInfo{.id = "reference", .version = "0.1.0", .interfaces = TENON_KERNEL_INTERFACE};

}  // namespace

TENON_PLUGIN(kInfo, make);
