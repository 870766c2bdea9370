// The bpe plug-in: tenon.tokenizer/1 for byte-level BPE vocabularies (tokenizer.ggml.model gpt2).
#include "bpe_tokenizer.hpp"

#include <tenon/plugin.hpp>

#include <vocabulary/message.hpp>

namespace tenon::bpe {
namespace {

class BpeKind final : public TokenizerKind {
 public:
  const char* name() const override { return "bpe"; }

  Result<void> accepts(const Meta& meta) const override {
    const auto model = meta.text(kModelKey);
    if (!model) return unsupported("tokenizer.ggml.model is missing or no text; bpe reads gpt2");
    if (*model != "gpt2")
      return unsupported("tokenizer.ggml.model is " + vocabulary::quoted(*model) + "; bpe reads gpt2");
    return {};
  }

  Result<std::unique_ptr<Tokenizer>> create(const Meta& meta) const override {
    if (auto accepted = accepts(meta); !accepted) return accepted.error();
    return BpeTokenizer::create(meta);
  }
};

constexpr PluginInfo kInfo{"bpe", "0.1.0", TENON_TOKENIZER_INTERFACE};

Result<std::unique_ptr<Plugin>> make(const Host&, const Options&) {
  return std::make_unique<PluginOf<TokenizerKind>>(std::make_unique<BpeKind>());
}

}  // namespace
}  // namespace tenon::bpe

TENON_PLUGIN(tenon::bpe::kInfo, tenon::bpe::make);
