// The `avx2` backend: the ops of backends/panels with hand-written kernels for AVX2, FMA and F16C, in the classes f32
// and int8, with the bits of core/README.md. This file and the ops are compiled for the baseline; panel/, vector/ and
// attention/ use AVX2.
#include "panels/ops.hpp"

#include <tenon/plugin.hpp>

std::string_view tenon::panels::isa_name(uint32_t) { return "avx2"; }

namespace {

using namespace tenon;

Result<std::unique_ptr<Plugin>> make(const Host&, const Options&) {
  return std::unique_ptr<Plugin>(std::make_unique<PluginOf<OpTable>>(std::make_unique<OpTable>(panels::all_entries())));
}

constexpr PluginInfo kInfo{
    .id = "avx2", .version = "0.1.0", .interfaces = TENON_KERNEL_INTERFACE, .isa = TENON_ISA_AVX2};

}  // namespace

TENON_PLUGIN(kInfo, make);
