#include "special_ids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tenon::vocabulary {
namespace {

/// Control tokens with these names end a turn or a text in the chat formats that have them.
constexpr auto kStopNames = std::to_array<std::string_view>({
    "<|im_end|>",             // ChatML: Qwen, SmolLM, ...
    "<|endoftext|>",          // GPT-2 and its heirs
    "<|eot_id|>",             // Llama 3
    "<|eom_id|>",             // Llama 3, tool calls
    "<|eot|>",                // Llama 4
    "<|eom|>",                // Llama 4, tool calls
    "<|end_of_text|>",        // Llama 3, Granite
    "<|return|>",             // gpt-oss
    "<|call|>",               // gpt-oss, tool calls
    "<end_of_turn>",          // Gemma
    "<|end_of_turn|>",        // OpenChat
    "<|END_OF_TURN_TOKEN|>",  // Command R
    "<\xEF\xBD\x9C"
    "end\xE2\x96\x81of\xE2\x96\x81sentence\xEF\xBD\x9C>",  // DeepSeek
    "[|endofturn|]",                                       // EXAONE
    "<EOT>",
    "</s>",
});
/// Ends a turn in Phi; in gpt-oss only a message, with more to come.
constexpr std::string_view kEndName = "<|end|>";

Result<int32_t> special_id(const Meta& meta, std::string_view key, int32_t n_tokens, int32_t otherwise) {
  if (!meta.find(key)) return otherwise;
  const auto id = meta.integer(key);
  if (!id) return invalid(fmt::format("{} is not a whole number; expected a token id", key));
  if (*id < 0 || *id >= n_tokens) {
    return invalid(fmt::format("{} is {}, but the vocabulary has ids 0 to {}", key, *id, n_tokens - 1));
  }
  return static_cast<int32_t>(*id);
}

std::vector<int32_t> stop_ids(std::vector<int32_t> ids, const FindControl& find_control) {
  for (const std::string_view name : kStopNames) ids.push_back(find_control(name));
  if (find_control("<|return|>") < 0) ids.push_back(find_control(kEndName));
  std::erase_if(ids, [](int32_t id) { return id < 0; });
  std::ranges::sort(ids);
  const auto repeated = std::ranges::unique(ids);
  ids.erase(repeated.begin(), repeated.end());
  return ids;
}

}  // namespace

Result<bool> read_flag(const Meta& meta, std::string_view key, bool otherwise) {
  if (!meta.find(key)) return otherwise;
  const auto value = meta.flag(key);
  if (!value) return invalid(fmt::format("{} is not a bool", key));
  return *value;
}

Result<SpecialIds> read_special_ids(const Meta& meta, int32_t n_tokens, const SpecialDefaults& defaults,
                                    const FindControl& find_control) {
  SpecialIds special;
  tenon_vocab_info& info = special.info;
  info = {sizeof(tenon_vocab_info), n_tokens, defaults.bos, defaults.eos, defaults.unknown, -1, 0, 0};
  int32_t eot = -1;
  int32_t eom = -1;
  const std::pair<std::string_view, int32_t*> ids[] = {{"tokenizer.ggml.bos_token_id", &info.bos},
                                                       {"tokenizer.ggml.eos_token_id", &info.eos},
                                                       {"tokenizer.ggml.unknown_token_id", &info.unknown},
                                                       {"tokenizer.ggml.padding_token_id", &info.pad},
                                                       {"tokenizer.ggml.eot_token_id", &eot},
                                                       {"tokenizer.ggml.eom_token_id", &eom}};
  for (const auto& [key, target] : ids) {
    const auto id = special_id(meta, key, n_tokens, *target);
    if (!id) return id.error();
    *target = *id;
  }
  const auto add_bos = read_flag(meta, "tokenizer.ggml.add_bos_token", defaults.add_bos && info.bos >= 0);
  if (!add_bos) return add_bos.error();
  const auto add_eos = read_flag(meta, "tokenizer.ggml.add_eos_token", false);
  if (!add_eos) return add_eos.error();
  if (*add_bos && info.bos < 0)
    return invalid("tokenizer.ggml.add_bos_token is true without tokenizer.ggml.bos_token_id");
  if (*add_eos && info.eos < 0)
    return invalid("tokenizer.ggml.add_eos_token is true without tokenizer.ggml.eos_token_id");
  info.add_bos = *add_bos ? 1 : 0;
  info.add_eos = *add_eos ? 1 : 0;
  special.stop_ids = stop_ids({info.eos, eot, eom}, find_control);
  return special;
}

}  // namespace tenon::vocabulary
