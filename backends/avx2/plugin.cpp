// The `avx2` backend: hand-written kernels for AVX2, FMA and F16C in the classes f32 and int8, with the bits of
// core/README.md. This file and the ops are compiled for the baseline; only panel/, vector/ and attention/partition.cpp
// use AVX2.
#include "ops.hpp"

#include <tenon/plugin.hpp>

namespace {

using namespace tenon;
using namespace tenon::avx2;

Result<std::unique_ptr<Plugin>> make(const Host&, const Options&) {
  std::vector<OpEntry> entries{gather_entry(),  add_entry(),       mul_entry(),        reduce_mean_entry(),
                               softmax_entry(), rms_norm_entry(),  layer_norm_entry(), rope_entry(),
                               glu_entry(),     matmul_entry(),    linear_entry(),     ffn_entry(),
                               moe_entry(),     attention_entry(), softcap_entry()};
  return std::unique_ptr<Plugin>(std::make_unique<PluginOf<OpTable>>(std::make_unique<OpTable>(std::move(entries))));
}

constexpr PluginInfo kInfo{
    .id = "avx2", .version = "0.1.0", .interfaces = TENON_KERNEL_INTERFACE, .isa = TENON_ISA_AVX2};

}  // namespace

TENON_PLUGIN(kInfo, make);
