#include "vocabulary.hpp"

#include "byte_alphabet.hpp"

#include <fmt/format.h>
#include <vocabulary/message.hpp>
#include <vocabulary/token_list.hpp>

namespace tenon::bpe {

Result<Vocabulary> Vocabulary::read(const Meta& meta) {
  const auto pre = meta.text(kPreKey);
  if (!pre) return invalid(fmt::format("{} is missing or no text; known: {}", kPreKey, known_pre_tokenizers()));
  Vocabulary vocabulary;
  vocabulary.pre_ = find_pre_tokenizer(*pre);
  if (vocabulary.pre_ == nullptr) {
    return invalid(fmt::format("{} is {}; known: {}", kPreKey, vocabulary::quoted(*pre), known_pre_tokenizers()));
  }
  if (auto done = vocabulary.read_tokens(meta); !done) return done.error();
  vocabulary.index_tokens();
  if (auto done = vocabulary.read_special_ids(meta); !done) return done.error();
  return vocabulary;
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
  defaults.add_bos = pre_->add_bos;
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
