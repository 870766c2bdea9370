// The safetensors plug-in: tenon.format/1 over the folder that Hugging Face's tools write.
#include "model.hpp"

#include <tenon/plugin.hpp>

namespace tenon::safetensors {
namespace {

class SafetensorsFormat final : public Format {
 public:
  const char* name() const override { return "safetensors"; }

  bool recognizes(std::string_view path, std::span<const std::byte>) const override {
    if (path.ends_with(".safetensors") || path.ends_with(".safetensors.index.json")) return true;
    std::error_code ignored;
    const std::filesystem::path folder(path);
    if (!std::filesystem::is_directory(folder, ignored)) return false;
    if (std::filesystem::exists(folder / "config.json", ignored)) return true;
    const auto opened = Folder::open(folder);
    return opened && !opened->files_ending_in(".safetensors").empty();
  }

  Result<std::unique_ptr<ModelFile>> open(const std::string& path) const override { return Model::open(path); }
};

constexpr PluginInfo kInfo{"safetensors", "0.1.0", TENON_FORMAT_INTERFACE};

Result<std::unique_ptr<Plugin>> make(const Host&, const Options&) {
  return std::make_unique<PluginOf<Format>>(std::make_unique<SafetensorsFormat>());
}

}  // namespace
}  // namespace tenon::safetensors

TENON_PLUGIN(tenon::safetensors::kInfo, tenon::safetensors::make);
