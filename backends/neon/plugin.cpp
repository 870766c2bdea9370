// The `neon` backend: the ops of backends/panels with hand-written kernels for AArch64, in the classes f32 and int8,
// with the bits of core/README.md. Integer products use SDOT and SMMLA where the processor has them (isa/level.hpp).
#include "isa/level.hpp"
#include "panels/ops.hpp"

#include <tenon/plugin.hpp>

#include <array>

std::string_view tenon::panels::isa_name(Work work) {
  if (work != Work::int8_products) return "neon";
  switch (level()) {
    case Level::dotprod: return "neon_dotprod";
    case Level::i8mm: return "neon_i8mm";
    case Level::neon: break;
  }
  return "neon";
}

namespace {

using namespace tenon;

constexpr std::array kOptions{string_option("isa", "auto", "auto|neon|dotprod|i8mm",
                                            "instructions of integer products; auto: the best the processor has")};

Result<std::unique_ptr<Plugin>> make(const Host&, const Options& options) {
  const auto used = panels::use_level(options.text("isa"));
  if (!used) return used.error();
  return std::unique_ptr<Plugin>(std::make_unique<PluginOf<OpTable>>(std::make_unique<OpTable>(panels::all_entries())));
}

constexpr PluginInfo kInfo{
    .id = "neon", .version = "0.1.0", .interfaces = TENON_KERNEL_INTERFACE, .isa = TENON_ISA_NEON, .options = kOptions};

}  // namespace

TENON_PLUGIN(kInfo, make);
