#include "tokenizer_json.hpp"

#include <files/message.hpp>

#include <tenon.h>

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace tenon::safetensors {
namespace {

constexpr uint64_t kMaxTokenizerBytes = uint64_t{1} << 27;
constexpr uint64_t kMaxConfigBytes = uint64_t{1} << 24;
constexpr uint64_t kMaxTokens = uint64_t{1} << 21;
constexpr const char* kFile = "tokenizer.json";

Error wrong(std::string what) { return invalid(fmt::format("{}: {}", kFile, std::move(what))); }

/// Ids of `model.vocab` and `added_tokens`, with the type of each.
struct Tokens {
  std::vector<std::string> texts;
  std::vector<int64_t> types;
  std::unordered_map<std::string_view, int64_t> ids;  // views of the JSON's texts

  int64_t find(std::string_view text) const {
    const auto it = ids.find(text);
    return it == ids.end() ? -1 : it->second;
  }
};

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
    merges.push_back(is_pair ? merge.items[0].text + " " + merge.items[1].text : merge.text);
  }
  return merges;
}

/// The steps of a pre-tokenizer, each as a word: "digits", "split PATTERN", "byte_level" (with its own pattern),
/// "bytes".
void list_steps(const Json& step, std::vector<std::string>& steps) {
  const std::string_view type = step.text_of("type");
  if (type == "Sequence") {
    if (const Json* inner = step.find("pretokenizers")) {
      for (const Json& each : inner->items) list_steps(each, steps);
    }
  } else if (type == "Digits") {
    const Json* single = step.find("individual_digits");
    steps.emplace_back(single != nullptr && single->flag ? "digits" : "runs of digits");
  } else if (type == "Split") {
    const Json* pattern = step.find("pattern");
    const bool is_plain =
        step.text_of("behavior") == "Isolated" && (step.find("invert") == nullptr || !step.find("invert")->flag);
    steps.push_back(fmt::format("{} {}", is_plain ? "split" : "other split",
                                pattern == nullptr ? std::string_view{} : pattern->text_of("Regex")));
  } else if (type == "ByteLevel") {
    const Json* own = step.find("use_regex");
    const Json* prefix = step.find("add_prefix_space");
    if (prefix != nullptr && prefix->flag) steps.emplace_back("space before");
    steps.emplace_back(own == nullptr || own->flag ? "byte_level" : "bytes");
  } else {
    steps.emplace_back(type);
  }
}

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
  std::vector<std::string> steps;
  if (const Json* pre = root.find("pre_tokenizer"); pre != nullptr && pre->is(Json::Kind::map)) list_steps(*pre, steps);
  const std::string_view type = model->text_of("type");
  const bool is_byte_level = !steps.empty() && (steps.back() == "byte_level" || steps.back() == "bytes");
  // Old files leave the type out; only BPE has merges.
  if ((!type.empty() && type != "BPE") || model->find("merges") == nullptr || !is_byte_level) {
    values.add("tokenizer.ggml.model",
               fmt::format("{} of {} that is not byte-level BPE", type.empty() ? "a model" : type, kFile));
    return {};
  }
  const Json* normalizer = root.find("normalizer");
  if (normalizer != nullptr && normalizer->is(Json::Kind::map) && normalizer->text_of("type") != "NFC") {
    return wrong(fmt::format("normalizer {} is not supported, expected NFC or none",
                             formats::quoted(normalizer->text_of("type"))));
  }
  auto tokens = read_tokens(root, *model);
  if (!tokens) return tokens.error();
  auto merges = read_merges(*model);
  if (!merges) return merges.error();
  values.add("tokenizer.ggml.model", std::string_view("gpt2"));
  values.add("tokenizer.ggml.tokens", tokens->texts);
  values.add("tokenizer.ggml.token_type", tokens->types);
  values.add("tokenizer.ggml.merges", *merges);
  values.add("tokenizer.pre_tokenizer", steps);
  const Json* ignores = model->find("ignore_merges");
  values.add("tokenizer.ignore_merges", ignores != nullptr && ignores->flag);
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
