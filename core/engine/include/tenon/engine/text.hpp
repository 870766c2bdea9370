// The loaded model's tokenizer and chat template, as values of the engine.
#pragma once

#include <tenon/model/source.hpp>
#include <tenon/registry/registry.hpp>
#include <tenon/result.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenon {

/// Any thread.
class TokenizerHandle {
 public:
  /// The first offered tokenizer that accepts the model's vocabulary, or the one whose plug-in id is `use`.
  static Result<TokenizerHandle> open(std::span<const Offer<tenon_tokenizer_api>> offers, std::string_view use,
                                      const ModelSource& model);

  const tenon_vocab_info& info() const { return info_; }
  const std::string& plugin() const { return plugin_; }
  std::span<const int32_t> stop_ids() const { return stop_ids_; }
  /// Without bos and eos. Control tokens count only inside `special_ranges`.
  Result<std::vector<int32_t>> encode(std::string_view text, std::span<const tenon_range> special_ranges) const;
  /// Bytes of one id; `position` is its index in the text. An id out of the vocabulary is an error.
  Result<std::string> token_bytes(int32_t id, uint64_t position, bool with_special) const;
  /// The joined bytes of ids as valid UTF-8.
  Result<std::string> decode(std::span<const int32_t> ids, bool with_special) const;
  uint32_t token_type(int32_t id) const { return static_cast<uint32_t>(api_->token_type(tokenizer_.get(), id)); }
  int32_t find(std::string_view text) const { return api_->find(tokenizer_.get(), str(text)); }

 private:
  struct Destroy {
    const tenon_tokenizer_api* api;
    void operator()(void* tokenizer) const { api->destroy(tokenizer); }
  };

  TokenizerHandle(const Offer<tenon_tokenizer_api>& offer, void* tokenizer)
      : api_(offer.api), plugin_(offer.plugin_id), tokenizer_(tokenizer, Destroy{offer.api}) {}

  const tenon_tokenizer_api* api_;
  std::string plugin_;
  std::unique_ptr<void, Destroy> tokenizer_;
  tenon_vocab_info info_{};
  std::vector<int32_t> stop_ids_;
};

/// A prompt and the byte ranges in which control tokens may be recognised.
struct RenderedPrompt {
  std::string text;
  std::vector<tenon_range> special_ranges;
};

/// Any thread.
class TemplateHandle {
 public:
  static Result<TemplateHandle> open(std::span<const Offer<tenon_template_api>> offers, std::string_view source);
  Result<RenderedPrompt> render(const std::string& input_json) const;

 private:
  struct Destroy {
    const tenon_template_api* api;
    void operator()(void* chat_template) const { api->destroy(chat_template); }
  };

  TemplateHandle(const tenon_template_api& api, void* chat_template)
      : api_(&api), template_(chat_template, Destroy{&api}) {}

  const tenon_template_api* api_;
  std::unique_ptr<void, Destroy> template_;
};

}  // namespace tenon
