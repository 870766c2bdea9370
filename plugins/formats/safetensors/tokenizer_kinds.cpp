#include "tokenizer_kinds.hpp"

#include <files/message.hpp>

#include <tenon.h>

#include <fmt/format.h>

#include <algorithm>

namespace tenon::safetensors {
namespace {

constexpr std::string_view kSpace = "\xE2\x96\x81";  // U+2581, which stands for a space in pieces

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

std::vector<std::string> steps_of(const Json& root) {
  std::vector<std::string> steps;
  if (const Json* pre = root.find("pre_tokenizer"); pre != nullptr && pre->is(Json::Kind::map)) list_steps(*pre, steps);
  return steps;
}

bool is_byte_level(const std::vector<std::string>& steps) {
  return !steps.empty() && (steps.back() == "byte_level" || steps.back() == "bytes");
}

/// Whether every part of the normalizer is of pieces: spaces become U+2581, and one is put in front (`prefix`).
bool is_of_pieces(const Json& normalizer, bool& prefix) {
  const std::string_view type = normalizer.text_of("type");
  if (type == "Sequence") {
    const Json* inner = normalizer.find("normalizers");
    return inner != nullptr &&
           std::ranges::all_of(inner->items, [&](const Json& each) { return is_of_pieces(each, prefix); });
  }
  if (type == "Prepend") {
    prefix = true;
    return normalizer.text_of("prepend") == kSpace;
  }
  const Json* pattern = normalizer.find("pattern");
  return type == "Replace" && pattern != nullptr && pattern->text_of("String") == " " &&
         normalizer.text_of("content") == kSpace;
}

/// Metaspace: as the normalizer above.
bool puts_space(const Json* pre_tokenizer) {
  if (pre_tokenizer == nullptr || pre_tokenizer->text_of("type") != "Metaspace") return false;
  const Json* old = pre_tokenizer->find("add_prefix_space");
  const std::string_view scheme = pre_tokenizer->text_of("prepend_scheme");
  return scheme.empty() ? old == nullptr || old->flag : scheme != "never";
}

bool names_byte(std::string_view token) {
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F'); };
  return token.size() == 6 && token.starts_with("<0x") && token[5] == '>' && is_hex(token[3]) && is_hex(token[4]);
}

}  // namespace

Kind kind_of(const Json& root, const Json& model) {
  const std::vector<std::string> steps = steps_of(root);
  if (is_byte_level(steps)) return Kind::bytes;
  const Json* fallback = model.find("byte_fallback");
  if (fallback == nullptr || !fallback->flag) return Kind::other;
  // A split at spaces finds none: they are U+2581 by then.
  const bool cuts =
      std::ranges::any_of(steps, [](const std::string& step) { return step != "Metaspace" && step != "other split "; });
  const Json* normalizer = root.find("normalizer");
  bool prefix = false;
  const bool fits = normalizer == nullptr || normalizer->is(Json::Kind::null) || is_of_pieces(*normalizer, prefix);
  return cuts || !fits ? Kind::other : Kind::pieces;
}

Result<void> add_bytes(const Json& root, const Json& model, const Tokens& tokens,
                       const std::vector<std::string>& merges, Values& values) {
  const Json* normalizer = root.find("normalizer");
  if (normalizer != nullptr && normalizer->is(Json::Kind::map) && normalizer->text_of("type") != "NFC") {
    return wrong(fmt::format("normalizer {} is not supported, expected NFC or none",
                             formats::quoted(normalizer->text_of("type"))));
  }
  values.add("tokenizer.ggml.model", std::string_view("gpt2"));
  values.add("tokenizer.ggml.tokens", tokens.texts);
  values.add("tokenizer.ggml.token_type", tokens.types);
  values.add("tokenizer.ggml.merges", merges);
  values.add("tokenizer.pre_tokenizer", steps_of(root));
  const Json* ignores = model.find("ignore_merges");
  values.add("tokenizer.ignore_merges", ignores != nullptr && ignores->flag);
  return {};
}

Result<void> add_pieces(const Json& root, const Json& model, const Tokens& tokens,
                        const std::vector<std::string>& merges, Values& values) {
  constexpr double kUnmerged = -1e9;  // below every merge: characters, and pieces that nothing makes
  std::vector<double> scores(tokens.texts.size(), kUnmerged);
  for (size_t i = 0; i < merges.size(); ++i) {
    std::string piece = merges[i];
    piece.erase(piece.find(' '), 1);
    const int64_t id = tokens.find(piece);
    if (id < 0) return wrong(fmt::format("'model.merges[{}]' makes {}, which is no token", i, formats::quoted(piece)));
    double& score = scores[static_cast<size_t>(id)];
    if (score == kUnmerged) score = -static_cast<double>(i);
  }
  std::vector<int64_t> types = tokens.types;
  const std::string_view unknown = model.text_of("unk_token");
  for (size_t i = 0; i < types.size(); ++i) {
    if (types[i] != TENON_TOKEN_UNUSED && names_byte(tokens.texts[i])) types[i] = TENON_TOKEN_BYTE;
    if (!unknown.empty() && tokens.texts[i] == unknown) types[i] = TENON_TOKEN_UNKNOWN;
  }
  bool prefix = false;
  if (const Json* normalizer = root.find("normalizer"); normalizer != nullptr) is_of_pieces(*normalizer, prefix);
  values.add("tokenizer.ggml.model", std::string_view("spm"));
  values.add("tokenizer.ggml.tokens", tokens.texts);
  values.add("tokenizer.ggml.token_type", types);
  values.add("tokenizer.ggml.scores", scores);
  values.add("tokenizer.ggml.add_space_prefix", prefix || puts_space(root.find("pre_tokenizer")));
  if (const int64_t id = tokens.find(unknown); !unknown.empty() && id >= 0) {
    values.add("tokenizer.ggml.unknown_token_id", id);
  }
  return {};
}

}  // namespace tenon::safetensors
