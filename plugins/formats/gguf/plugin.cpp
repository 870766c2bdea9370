// The gguf plug-in: tenon.format/1 over the reader in this folder.
#include "model.hpp"

#include <tenon/plugin.hpp>

#include <cstring>

namespace tenon::gguf {
namespace {

class GgufFormat final : public Format {
 public:
  const char* name() const override { return "gguf"; }

  /// By name as well, so that a wrong download called x.gguf gets a message that says what it is.
  bool recognizes(std::string_view path, std::span<const std::byte> first_bytes) const override {
    return path.ends_with(".gguf") || (first_bytes.size() >= 4 && std::memcmp(first_bytes.data(), "GGUF", 4) == 0);
  }

  Result<std::unique_ptr<ModelFile>> open(const std::string& path) const override { return Model::open(path); }
};

constexpr PluginInfo kInfo{"gguf", "0.1.0", TENON_FORMAT_INTERFACE};

Result<std::unique_ptr<Plugin>> make(const Host&, const Options&) {
  return std::make_unique<PluginOf<Format>>(std::make_unique<GgufFormat>());
}

}  // namespace
}  // namespace tenon::gguf

TENON_PLUGIN(tenon::gguf::kInfo, tenon::gguf::make);
