#include <tenon/engine/text.hpp>
#include <tenon/engine/text_stream.hpp>

#include <fmt/format.h>

namespace tenon {

Result<TokenizerHandle> TokenizerHandle::open(std::span<const Offer<tenon_tokenizer_api>> offers, std::string_view use,
                                              const ModelSource& model) {
  const tenon_meta meta = model.meta();
  std::string refusals;
  for (const Offer<tenon_tokenizer_api>& offer : offers) {
    if (use != "auto" && use != offer.plugin_id) continue;
    tenon_status status = empty_status();
    tenon_code code = offer.api->accepts(offer.api->self, &meta, &status);
    if (code != TENON_OK) {
      refusals += fmt::format("\n  {}: {}", offer.plugin_id, from_status(code, status).error().message);
      continue;
    }
    void* tokenizer = nullptr;
    code = offer.api->create(offer.api->self, &meta, &tokenizer, &status);
    if (code != TENON_OK) {
      return Error{code, fmt::format("{}: tokenizer '{}': {}", model.path().string(), offer.plugin_id,
                                     from_status(code, status).error().message)};
    }
    if (tokenizer == nullptr) {
      return Error{TENON_INTERNAL,
                   fmt::format("PLUGIN_CONTRACT: plug-in '{}' made a tokenizer and gave nothing", offer.plugin_id)};
    }
    TokenizerHandle handle(offer, tokenizer);
    handle.info_.size = sizeof handle.info_;
    code = offer.api->info(tokenizer, &handle.info_, &status);
    if (code != TENON_OK) return from_status(code, status).error();
    tenon_sink sink = sink_to(handle.stop_ids_);
    code = offer.api->stop_ids(tokenizer, &sink, &status);
    if (code != TENON_OK) return from_status(code, status).error();
    return handle;
  }
  return invalid(fmt::format("{}: no loaded tokenizer reads this model's vocabulary{}{}", model.path().string(),
                             refusals.empty() ? "; none is loaded" : ":", refusals));
}

Result<std::vector<int32_t>> TokenizerHandle::encode(std::string_view text,
                                                     std::span<const tenon_range> special_ranges) const {
  std::vector<int32_t> ids;
  tenon_sink sink = sink_to(ids);
  tenon_status status = empty_status();
  const tenon_code code =
      api_->encode(tokenizer_.get(), str(text), special_ranges.data(), special_ranges.size(), &sink, &status);
  if (code != TENON_OK) return from_status(code, status).error();
  for (const int32_t id : ids) {
    if (id >= 0 && id < info_.n_tokens) continue;
    return Error{TENON_INTERNAL,
                 fmt::format("PLUGIN_BAD_OUTPUT: tokenizer '{}' gave id {}, its vocabulary has {} tokens", plugin_, id,
                             info_.n_tokens)};
  }
  return ids;
}

Result<std::string> TokenizerHandle::token_bytes(int32_t id, uint64_t position, bool with_special) const {
  std::string bytes;
  tenon_sink sink = sink_to(bytes);
  tenon_status status = empty_status();
  const tenon_code code = api_->token_bytes(tokenizer_.get(), id, position, with_special ? 1 : 0, &sink, &status);
  if (code != TENON_OK) return from_status(code, status).error();
  return bytes;
}

Result<std::string> TokenizerHandle::decode(std::span<const int32_t> ids, bool with_special) const {
  TextStream stream({});
  std::string text;
  for (size_t i = 0; i < ids.size(); ++i) {
    auto bytes = token_bytes(ids[i], i, with_special);
    if (!bytes) return bytes.error();
    text += stream.push(*bytes);
  }
  return text + stream.finish();
}

Result<TemplateHandle> TemplateHandle::open(std::span<const Offer<tenon_template_api>> offers,
                                            std::string_view source) {
  if (offers.empty()) return invalid("the model has a chat template and no plug-in for templates is loaded");
  const tenon_template_api& api = *offers.front().api;
  void* chat_template = nullptr;
  tenon_status status = empty_status();
  const tenon_code code = api.create(api.self, str(source), &chat_template, &status);
  if (code != TENON_OK) {
    return Error{code, fmt::format("the model's chat template: {}", from_status(code, status).error().message)};
  }
  return TemplateHandle(api, chat_template);
}

Result<RenderedPrompt> TemplateHandle::render(const std::string& input_json) const {
  RenderedPrompt prompt;
  tenon_sink text = sink_to(prompt.text), ranges = sink_to(prompt.special_ranges);
  tenon_status status = empty_status();
  const tenon_code code = api_->render(template_.get(), str(input_json), &text, &ranges, &status);
  if (code != TENON_OK) {
    return Error{code, fmt::format("the model's chat template: {}", from_status(code, status).error().message)};
  }
  return prompt;
}

}  // namespace tenon
