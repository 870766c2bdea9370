// The `onednn` backend: matmul, linear and moe by oneDNN's f32 gemm, on the host's threads. Its sums are in an order of
// its own (class other), and a row's bits depend on the number of rows, so a config must write `determinism: relaxed`.
#include "dense_op.hpp"

#include <tenon/plugin.hpp>

namespace {

using namespace tenon;

Result<std::unique_ptr<Plugin>> make(const Host&, const Options&) {
  std::vector<OpEntry> entries{onednn::matmul_entry(), onednn::linear_entry(), onednn::moe_entry()};
  return std::unique_ptr<Plugin>(std::make_unique<PluginOf<OpTable>>(std::make_unique<OpTable>(std::move(entries))));
}

constexpr PluginInfo kInfo{.id = "onednn", .version = "0.1.0", .interfaces = TENON_KERNEL_INTERFACE};

}  // namespace

TENON_PLUGIN(kInfo, make);
