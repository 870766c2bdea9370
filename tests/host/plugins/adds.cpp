// A backend that takes `add` of any width and refuses all else with a reason. Built several times under other ids.
#include <tenon/kernel.hpp>
#include <tenon/plugin.hpp>

namespace {

using namespace tenon;

class AddKernel final : public Kernel {
 public:
  Result<tenon_pack_plan> pack_plan(uint32_t) const override { return pack_plan_of(64, "plain"); }
  Result<void> pack(uint32_t, const void*, void*, const tenon_exec&) const override { return {}; }
  Result<void> run(const tenon_run&) const override { return {}; }
};

class AddBackend final : public Backend {
 public:
  tenon_support supports(const OpView& op) const override {
    if (op.name() != "add") return no("it only adds");
    return yes("add", TENON_CLASS_F32, 1.0f);
  }
  Result<std::unique_ptr<Kernel>> create(const OpView&) const override {
    return std::unique_ptr<Kernel>(std::make_unique<AddKernel>());
  }
};

constexpr tenon_option_spec kOptions[] = {int_option("tile", 8, 1, 64, "rows taken at once")};

Result<std::unique_ptr<Plugin>> make(const Host&, const Options&) {
  return std::unique_ptr<Plugin>(std::make_unique<PluginOf<AddBackend>>(std::make_unique<AddBackend>()));
}

constexpr PluginInfo kInfo{
    .id = ADDS_ID, .version = "1.0", .interfaces = TENON_KERNEL_INTERFACE, .isa = 0, .flags = 0, .options = kOptions};

}  // namespace

TENON_PLUGIN(kInfo, make);
