#include "tokenizer_tokens.hpp"

#include <files/message.hpp>

#include <tenon.h>

#include <fmt/format.h>

#include <algorithm>

namespace tenon::safetensors {
namespace {

constexpr uint64_t kMaxTokens = uint64_t{1} << 21;

Result<void> put(Tokens& tokens, std::string_view text, const Json* id, int64_t type) {
  if (id == nullptr || !id->is(Json::Kind::integer) || id->is_negative || id->number >= kMaxTokens) {
    return wrong(fmt::format("the id of token {} is no whole number below {}", formats::quoted(text), kMaxTokens));
  }
  const auto index = static_cast<size_t>(id->number);
  if (index >= tokens.texts.size()) {
    tokens.texts.resize(index + 1);
    tokens.types.resize(index + 1, 0);
  }
  const bool is_same = tokens.types[index] != 0 && tokens.texts[index] == text;
  if (tokens.types[index] != 0 && !is_same) {
    return wrong(fmt::format("tokens {} and {} have the same id {}", formats::quoted(tokens.texts[index]),
                             formats::quoted(text), index));
  }
  tokens.texts[index] = text;
  tokens.types[index] = type;
  tokens.ids.emplace(text, static_cast<int64_t>(index));
  return {};
}

}  // namespace

Result<Tokens> read_tokens(const Json& root, const Json& model) {
  Tokens tokens;
  const Json* vocab = model.find("vocab");
  if (vocab == nullptr || !vocab->is(Json::Kind::map)) return wrong("'model.vocab' must be a map of token: id");
  for (const auto& [text, id] : vocab->entries) {
    auto done = put(tokens, text, &id, TENON_TOKEN_NORMAL);
    if (!done) return done.error();
  }
  if (const Json* added = root.find("added_tokens")) {
    for (const Json& token : added->items) {
      const Json* special = token.find("special");
      const bool is_control = special != nullptr && special->flag;
      auto done =
          put(tokens, token.text_of("content"), token.find("id"), is_control ? TENON_TOKEN_CONTROL : TENON_TOKEN_USER);
      if (!done) return done.error();
    }
  }
  for (size_t i = 0; i < tokens.texts.size(); ++i) {
    if (tokens.types[i] != 0) continue;  // ids that nothing has
    tokens.texts[i] = fmt::format("[unused{}]", i);
    tokens.types[i] = TENON_TOKEN_UNUSED;
  }
  return tokens;
}

Result<std::vector<std::string>> read_merges(const Json& model) {
  std::vector<std::string> merges;
  const Json* list = model.find("merges");
  if (list == nullptr || !list->is(Json::Kind::list)) return wrong("'model.merges' must be a list");
  for (const Json& merge : list->items) {
    const bool is_pair = merge.is(Json::Kind::list) && merge.items.size() == 2 && merge.items[0].is(Json::Kind::text) &&
                         merge.items[1].is(Json::Kind::text);
    if (!is_pair && !merge.is(Json::Kind::text)) {
      return wrong(fmt::format("'model.merges[{}]' must be a text or a pair of texts", merges.size()));
    }
    std::string text = is_pair ? merge.items[0].text + " " + merge.items[1].text : merge.text;
    if (std::ranges::count(text, ' ') != 1) {
      return wrong(fmt::format("'model.merges[{}]' is {}, expected two tokens and one space", merges.size(),
                               formats::quoted(text)));
    }
    merges.push_back(std::move(text));
  }
  return merges;
}

}  // namespace tenon::safetensors
