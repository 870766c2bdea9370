#include "vocabulary.hpp"

#include "byte_alphabet.hpp"

#include <fmt/format.h>
#include <vocabulary/message.hpp>
#include <vocabulary/token_list.hpp>

namespace tenon::bpe {

Result<Vocabulary> Vocabulary::read(const Meta& meta) {
  Vocabulary vocabulary;
  if (auto done = vocabulary.read_pre_tokenizer(meta); !done) return done.error();
  if (auto done = vocabulary.read_tokens(meta); !done) return done.error();
  vocabulary.index_tokens();
  if (auto done = vocabulary.read_special_ids(meta); !done) return done.error();
  return vocabulary;
}

Result<void> Vocabulary::read_pre_tokenizer(const Meta& meta) {
  if (const auto list = meta.array(kPreStepsKey, TENON_VALUE_STRING)) {
    std::vector<std::string> steps;
    for (uint64_t i = 0; i < list->count; ++i) steps.emplace_back(view(list->strings[i]));
    const SplitFunction split = find_split(steps);
    if (split == nullptr) {
      return unsupported(fmt::format("{} cuts texts by {}, which no way of cutting here does", kPreStepsKey,
                                     vocabulary::quoted(fmt::format("{}", fmt::join(steps, ", then ")))));
    }
    pre_ = {"by its steps", split, meta.flag(kIgnoreMergesKey).value_or(false), false};
    return {};
  }
  const auto name = meta.text(kPreKey);
  if (!name) return invalid(fmt::format("{} is missing or no text; known: {}", kPreKey, known_pre_tokenizers()));
  const PreTokenizer* known = find_pre_tokenizer(*name);
  if (known == nullptr) {
    return invalid(fmt::format("{} is {}; known: {}", kPreKey, vocabulary::quoted(*name), known_pre_tokenizers()));
  }
  pre_ = *known;
  return {};
}

Result<void> Vocabulary::read_tokens(const Meta& meta) {
  const auto tokens = vocabulary::read_tokens(meta, kMaxTokens);
  if (!tokens) return tokens.error();
  auto types = vocabulary::read_types(meta, static_cast<size_t>(tokens->count));
  if (!types) return types.error();
  types_ = *std::move(types);
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

Result<void> Vocabulary::read_special_ids(const Meta& meta) {
  vocabulary::SpecialDefaults defaults;
  defaults.add_bos = pre_.add_bos;
  auto special = vocabulary::read_special_ids(meta, size(), defaults, [&](std::string_view name) {
    const int32_t id = find(name);
    return id >= 0 && type(id) == TENON_TOKEN_CONTROL ? id : -1;
  });
  if (!special) return special.error();
  special_ = *std::move(special);
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
