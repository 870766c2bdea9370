// A request to the ids that are fed, and its chain of processors.
#include "parts.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tenon {
namespace {

/// Text of a special token for a template's bos_token and eos_token, empty where the model has none.
std::string special_text(const TokenizerHandle& tokenizer, int32_t id) {
  if (id < 0) return {};
  auto bytes = tokenizer.token_bytes(id, 1, true);
  return bytes ? *bytes : std::string{};
}

}  // namespace

Result<std::vector<int32_t>> Engine::Parts::prompt_tokens(const Request& request) const {
  if (!request.tokens.empty()) {
    for (const int32_t id : request.tokens) {
      if (id >= 0 && id < plan->graph().vocab_size) continue;
      return invalid(fmt::format("token id {} is out of the vocabulary of {}", id, plan->graph().vocab_size));
    }
    return request.tokens;
  }
  RenderedPrompt prompt;
  if (request.messages.empty()) {
    prompt.text = request.prompt;
  } else {
    if (!chat_template) return invalid("this model has no chat template: give a plain prompt");
    nlohmann::json messages = nlohmann::json::array();
    for (const Message& message : request.messages) {
      messages.push_back({{"role", message.role}, {"content", message.content}});
    }
    const nlohmann::json input = {{"messages", std::move(messages)},
                                  {"add_generation_prompt", true},
                                  {"bos_token", special_text(*tokenizer, tokenizer->info().bos)},
                                  {"eos_token", special_text(*tokenizer, tokenizer->info().eos)}};
    // Bytes that are no UTF-8 become U+FFFD: JSON cannot carry them.
    auto rendered = chat_template->render(input.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    if (!rendered) return rendered.error();
    prompt = std::move(*rendered);
  }
  auto ids = tokenizer->encode(prompt.text, prompt.special_ranges);
  if (!ids) return ids.error();
  const tenon_vocab_info& info = tokenizer->info();
  // A template may have written bos itself; twice would be another prompt than the model was trained on.
  if (info.add_bos != 0 && info.bos >= 0 && (ids->empty() || ids->front() != info.bos))
    ids->insert(ids->begin(), info.bos);
  if (ids->empty()) {
    // A model needs something to continue: the token that starts a text, where there is one.
    const int32_t start = info.bos >= 0 ? info.bos : info.eos;
    if (start < 0) return invalid("the prompt is empty and the model has no token that starts a text");
    ids->push_back(start);
  }
  return ids;
}

Result<Sampler> Engine::Parts::make_sampler(const Request& request) const {
  const auto vocab_size = static_cast<int32_t>(plan->graph().vocab_size);
  if (!request.greedy) return Sampler::create(registry->processors(), settings.sampling.chain, vocab_size);
  std::vector<ChainItem> greedy(1);
  greedy.front().name = "greedy";
  return Sampler::create(registry->processors(), greedy, vocab_size);
}

}  // namespace tenon
