#include "vocabulary.hpp"

#include "byte_alphabet.hpp"
#include "message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tenon::bpe {
namespace {

constexpr std::string_view kTypesKey = "tokenizer.ggml.token_type";

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

Result<int32_t> special_id(const Meta& meta, std::string_view key, int32_t n_tokens) {
  if (!meta.find(key)) return -1;
  const auto id = meta.integer(key);
  if (!id) return invalid(fmt::format("{} is not a whole number; expected a token id", key));
  if (*id < 0 || *id >= n_tokens) {
    return invalid(fmt::format("{} is {}, but the vocabulary has ids 0 to {}", key, *id, n_tokens - 1));
  }
  return static_cast<int32_t>(*id);
}

Result<bool> flag(const Meta& meta, std::string_view key, bool otherwise) {
  if (!meta.find(key)) return otherwise;
  const auto value = meta.flag(key);
  if (!value) return invalid(fmt::format("{} is not a bool", key));
  return *value;
}

}  // namespace

Result<Vocabulary> Vocabulary::read(const Meta& meta) {
  const auto pre = meta.text(kPreKey);
  if (!pre) return invalid(fmt::format("{} is missing or no text; known: {}", kPreKey, known_pre_tokenizers()));
  Vocabulary vocabulary;
  vocabulary.pre_ = find_pre_tokenizer(*pre);
  if (vocabulary.pre_ == nullptr) {
    return invalid(fmt::format("{} is {}; known: {}", kPreKey, quoted(*pre), known_pre_tokenizers()));
  }
  if (auto done = vocabulary.read_tokens(meta); !done) return done.error();
  vocabulary.index_tokens();
  if (auto done = vocabulary.read_special_ids(meta); !done) return done.error();
  return vocabulary;
}

Result<void> Vocabulary::read_tokens(const Meta& meta) {
  const auto tokens = meta.array(kTokensKey, TENON_VALUE_STRING);
  if (!tokens) return invalid(fmt::format("{} is missing or no array of strings", kTokensKey));
  if (tokens->count == 0 || tokens->count > kMaxTokens) {
    return invalid(fmt::format("{} has {} tokens; expected 1 to {}", kTokensKey, tokens->count, kMaxTokens));
  }
  types_.assign(static_cast<size_t>(tokens->count), TENON_TOKEN_NORMAL);
  if (auto done = read_types(meta); !done) return done;
  tokens_.reserve(types_.size());
  std::string raw;
  for (size_t i = 0; i < types_.size(); ++i) {
    const std::string_view written = view(tokens->strings[i]);
    raw.clear();
    if (types_[i] == TENON_TOKEN_NORMAL) append_raw_bytes(written, raw);
    tokens_.append(types_[i] == TENON_TOKEN_NORMAL ? raw : written);
  }
  return {};
}

Result<void> Vocabulary::read_types(const Meta& meta) {
  if (!meta.find(kTypesKey)) return {};
  const auto signed_types = meta.array(kTypesKey, TENON_VALUE_INT);
  const auto types = signed_types ? signed_types : meta.array(kTypesKey, TENON_VALUE_UINT);
  if (!types) return invalid(fmt::format("{} is no array of whole numbers", kTypesKey));
  if (types->count != types_.size()) {
    return invalid(fmt::format("{} has {} elements, {} has {}: expected as many", kTypesKey, types->count, kTokensKey,
                               types_.size()));
  }
  const auto* numbers = static_cast<const int64_t*>(types->numbers);
  for (size_t i = 0; i < types_.size(); ++i) {
    if (numbers[i] < 0 || numbers[i] > TENON_TOKEN_BYTE) {
      return invalid(fmt::format("{}[{}] is {}; expected 1 to {}", kTypesKey, i, numbers[i], +TENON_TOKEN_BYTE));
    }
    if (numbers[i] != 0) types_[i] = static_cast<uint8_t>(numbers[i]);  // 0: undefined, in old files
  }
  return {};
}

Result<void> Vocabulary::read_special_ids(const Meta& meta) {
  info_ = {sizeof(tenon_vocab_info), size(), -1, -1, -1, -1, 0, 0};
  int32_t eot = -1;
  int32_t eom = -1;
  const std::pair<std::string_view, int32_t*> ids[] = {{"tokenizer.ggml.bos_token_id", &info_.bos},
                                                       {"tokenizer.ggml.eos_token_id", &info_.eos},
                                                       {"tokenizer.ggml.unknown_token_id", &info_.unknown},
                                                       {"tokenizer.ggml.padding_token_id", &info_.pad},
                                                       {"tokenizer.ggml.eot_token_id", &eot},
                                                       {"tokenizer.ggml.eom_token_id", &eom}};
  for (const auto& [key, target] : ids) {
    const auto id = special_id(meta, key, size());
    if (!id) return id.error();
    *target = *id;
  }
  const auto add_bos = flag(meta, "tokenizer.ggml.add_bos_token", pre_->add_bos && info_.bos >= 0);
  if (!add_bos) return add_bos.error();
  const auto add_eos = flag(meta, "tokenizer.ggml.add_eos_token", false);
  if (!add_eos) return add_eos.error();
  if (*add_bos && info_.bos < 0)
    return invalid("tokenizer.ggml.add_bos_token is true without tokenizer.ggml.bos_token_id");
  if (*add_eos && info_.eos < 0)
    return invalid("tokenizer.ggml.add_eos_token is true without tokenizer.ggml.eos_token_id");
  info_.add_bos = *add_bos ? 1 : 0;
  info_.add_eos = *add_eos ? 1 : 0;

  stop_ids_ = {info_.eos, eot, eom};
  const auto control = [&](std::string_view name) {
    const int32_t id = find(name);
    return id >= 0 && type(id) == TENON_TOKEN_CONTROL ? id : -1;
  };
  for (const std::string_view name : kStopNames) stop_ids_.push_back(control(name));
  if (control("<|return|>") < 0) stop_ids_.push_back(control(kEndName));
  std::ranges::sort(stop_ids_);
  const auto repeated = std::ranges::unique(stop_ids_);
  stop_ids_.erase(repeated.begin(), repeated.end());
  if (stop_ids_.front() < 0) stop_ids_.erase(stop_ids_.begin());
  return {};
}

void Vocabulary::index_tokens() {
  tokens_.start_index();
  for (int32_t id = 0; id < size(); ++id) {
    if (type(id) == TENON_TOKEN_NORMAL) tokens_.insert(id);
  }
  for (int32_t id = 0; id < size(); ++id) {
    if (type(id) != TENON_TOKEN_NORMAL) tokens_.insert(id);
  }
}

}  // namespace tenon::bpe
