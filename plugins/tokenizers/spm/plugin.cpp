// The spm plug-in: tenon.tokenizer/1 for SentencePiece vocabularies with scores (tokenizer.ggml.model llama, or spm
// where a reader of tokenizer.json made the scores).
#include "spm_tokenizer.hpp"

#include <tenon/plugin.hpp>

#include <vocabulary/message.hpp>

namespace tenon::spm {
namespace {

class SpmKind final : public TokenizerKind {
 public:
  const char* name() const override { return "spm"; }

  Result<void> accepts(const Meta& meta) const override {
    const auto model = meta.text(vocabulary::kModelKey);
    if (!model) return unsupported("tokenizer.ggml.model is missing or no text; spm reads llama");
    if (*model != "llama" && *model != "spm") {
      return unsupported("tokenizer.ggml.model is " + vocabulary::quoted(*model) + "; spm reads llama");
    }
    return {};
  }

  Result<std::unique_ptr<Tokenizer>> create(const Meta& meta) const override {
    if (auto accepted = accepts(meta); !accepted) return accepted.error();
    return SpmTokenizer::create(meta);
  }
};

constexpr PluginInfo kInfo{"spm", "0.1.0", TENON_TOKENIZER_INTERFACE};

Result<std::unique_ptr<Plugin>> make(const Host&, const Options&) {
  return std::make_unique<PluginOf<TokenizerKind>>(std::make_unique<SpmKind>());
}

}  // namespace
}  // namespace tenon::spm

TENON_PLUGIN(tenon::spm::kInfo, tenon::spm::make);
