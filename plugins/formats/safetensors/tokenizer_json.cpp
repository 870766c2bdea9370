#include "tokenizer_json.hpp"

#include "tokenizer_kinds.hpp"

#include <files/message.hpp>

#include <tenon.h>

#include <fmt/format.h>

#include <algorithm>

namespace tenon::safetensors {
namespace {

constexpr uint64_t kMaxTokenizerBytes = uint64_t{1} << 27;
constexpr uint64_t kMaxConfigBytes = uint64_t{1} << 24;
/// Whether the post-processor puts the token `bos` before a text.
bool puts_first(const Json* processor, std::string_view bos) {
  if (processor == nullptr || bos.empty()) return false;
  if (const Json* inner = processor->find("processors")) {
    return std::ranges::any_of(inner->items, [&](const Json& each) { return puts_first(&each, bos); });
  }
  const Json* single = processor->find("single");
  if (single == nullptr || single->items.empty()) return false;
  const Json* token = single->items.front().find("SpecialToken");
  return token != nullptr && token->text_of("id") == bos;
}

/// A token in tokenizer_config.json: its text, or a map with it.
std::string_view token_of(const Json& config, std::string_view key) {
  const Json* token = config.find(key);
  if (token == nullptr) return {};
  return token->is(Json::Kind::text) ? std::string_view(token->text) : token->text_of("content");
}

/// The ids that end a text: of tokenizer_config.json, then those of generation_config.json or config.json.
std::vector<int64_t> ends(const Tokens& tokens, const Json& tokenizer_config, const Json& config,
                          const Json& generation) {
  std::vector<int64_t> ids;
  const auto add = [&](int64_t id) {
    const bool is_token = id >= 0 && id < static_cast<int64_t>(tokens.texts.size());
    if (is_token && std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
  };
  add(tokens.find(token_of(tokenizer_config, "eos_token")));
  const Json* key = generation.find("eos_token_id");
  if (key == nullptr) key = config.find("eos_token_id");
  if (key == nullptr) return ids;
  if (key->is(Json::Kind::integer)) add(static_cast<int64_t>(key->number));
  for (const Json& item : key->items) add(static_cast<int64_t>(item.number));
  return ids;
}

void add_special_ids(const Tokens& tokens, const Json& root, const Json& tokenizer_config, const Json& config,
                     const Json& generation, Values& values) {
  int64_t bos = tokens.find(token_of(tokenizer_config, "bos_token"));
  const Json* bos_id = config.find("bos_token_id");
  if (bos < 0 && bos_id != nullptr && bos_id->is(Json::Kind::integer) && bos_id->number < tokens.texts.size()) {
    bos = static_cast<int64_t>(bos_id->number);
  }
  if (bos >= 0) values.add("tokenizer.ggml.bos_token_id", bos);
  const std::vector<int64_t> end_ids = ends(tokens, tokenizer_config, config, generation);
  constexpr const char* kEndKeys[] = {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id",
                                      "tokenizer.ggml.eom_token_id"};
  for (size_t i = 0; i < std::min(end_ids.size(), std::size(kEndKeys)); ++i) values.add(kEndKeys[i], end_ids[i]);
  if (const int64_t pad = tokens.find(token_of(tokenizer_config, "pad_token")); pad >= 0) {
    values.add("tokenizer.ggml.padding_token_id", pad);
  }
  const Json* says = tokenizer_config.find("add_bos_token");
  const bool add_bos = bos >= 0 && ((says != nullptr && says->flag) ||
                                    puts_first(root.find("post_processor"), tokens.texts[static_cast<size_t>(bos)]));
  values.add("tokenizer.ggml.add_bos_token", add_bos);
}

/// chat_template.jinja, or the template of tokenizer_config.json: a text, or the one named default of several.
Result<void> add_chat_template(const Folder& folder, const Json& tokenizer_config, Values& values) {
  auto file = folder.read_text("chat_template.jinja", kMaxConfigBytes);
  if (!file) return file.error();
  if (*file) {
    values.add("tokenizer.chat_template", std::string_view(**file));
    return {};
  }
  const Json* source = tokenizer_config.find("chat_template");
  if (source == nullptr) return {};
  if (source->is(Json::Kind::text)) values.add("tokenizer.chat_template", std::string_view(source->text));
  for (const Json& each : source->items) {
    if (each.text_of("name") == "default") values.add("tokenizer.chat_template", each.text_of("template"));
  }
  return {};
}

Result<void> add_vocabulary(const Json& root, const Json& tokenizer_config, const Json& config, const Json& generation,
                            Values& values) {
  const Json* model = root.find("model");
  if (model == nullptr || !model->is(Json::Kind::map)) return wrong("'model' must be a map");
  const std::string_view type = model->text_of("type");
  // Old files leave the type out; only BPE has merges.
  const bool is_bpe = (type.empty() || type == "BPE") && model->find("merges") != nullptr;
  const auto kind = is_bpe ? kind_of(root, *model) : Kind::other;
  if (kind == Kind::other) {
    values.add("tokenizer.ggml.model",
               fmt::format("{} of {} that is no BPE of bytes or of pieces", type.empty() ? "a model" : type, kFile));
    return {};
  }
  auto tokens = read_tokens(root, *model);
  if (!tokens) return tokens.error();
  auto merges = read_merges(*model);
  if (!merges) return merges.error();
  auto added = kind == Kind::bytes ? add_bytes(root, *model, *tokens, *merges, values)
                                   : add_pieces(root, *model, *tokens, *merges, values);
  if (!added) return added;
  add_special_ids(*tokens, root, tokenizer_config, config, generation, values);
  return {};
}

}  // namespace

Result<void> add_tokenizer(const Folder& folder, const Json& config, Values& values) {
  auto tokenizer_config = folder.read_json("tokenizer_config.json", kMaxConfigBytes);
  if (!tokenizer_config) return tokenizer_config.error();
  auto generation = folder.read_json("generation_config.json", kMaxConfigBytes);
  if (!generation) return generation.error();
  const Json none;
  const Json& settings = *tokenizer_config ? **tokenizer_config : none;
  auto chat = add_chat_template(folder, settings, values);
  if (!chat) return chat;
  auto root = folder.read_json(kFile, kMaxTokenizerBytes);
  if (!root) return root.error();
  if (!*root) {
    values.add("tokenizer.ggml.model", fmt::format("missing: the folder has no {}", kFile));
    return {};
  }
  return add_vocabulary(**root, settings, config, *generation ? **generation : none, values);
}

}  // namespace tenon::safetensors
