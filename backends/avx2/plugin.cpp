// The `avx2` backend: the ops of backends/panels with hand-written kernels for AVX2, FMA and F16C, in the classes f32
// and int8, with the bits of core/README.md. Products of plain weights use AVX-512 where the processor has it
// (isa/level.hpp). This file and the ops are compiled for the baseline; panel/, vector/ and attention/ are not.
#include "isa/level.hpp"
#include "panels/ops.hpp"

#include <tenon/plugin.hpp>

#include <array>

std::string_view tenon::panels::isa_name(Work work) {
  return work == Work::plain_products ? level_name(level()) : "avx2";
}

namespace {

using namespace tenon;

constexpr std::array kOptions{string_option(
    "isa", "auto", "auto|avx2|avx512", "instructions of products of plain weights; auto: the best the processor has")};

Result<std::unique_ptr<Plugin>> make(const Host&, const Options& options) {
  const auto used = panels::use_level(options.text("isa"));
  if (!used) return used.error();
  return std::unique_ptr<Plugin>(std::make_unique<PluginOf<OpTable>>(std::make_unique<OpTable>(panels::all_entries())));
}

constexpr PluginInfo kInfo{
    .id = "avx2", .version = "0.1.0", .interfaces = TENON_KERNEL_INTERFACE, .isa = TENON_ISA_AVX2, .options = kOptions};

}  // namespace

TENON_PLUGIN(kInfo, make);
