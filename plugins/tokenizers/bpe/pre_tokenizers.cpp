#include "pre_tokenizers.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace tenon::bpe {
namespace {

constexpr auto kKnown = std::to_array<PreTokenizer>({
    {"gpt-2", split_gpt2, false, false},
    {"phi-2", split_gpt2, false, false},
    {"mpt", split_gpt2, false, false},
    {"olmo", split_gpt2, false, false},
    {"jais", split_gpt2, false, false},
    {"trillion", split_gpt2, false, false},
    {"granite-docling", split_gpt2, false, false},
    {"exaone4", split_gpt2, false, false},
    {"gigachat", split_gpt2, false, false},
    {"smollm", split_digits_gpt2, false, false},
    {"starcoder", split_digits_gpt2, false, false},
    {"refact", split_digits_gpt2, false, false},
    {"command-r", split_digits_gpt2, false, false},
    {"codeshell", split_digits_gpt2, false, false},
    {"exaone", split_digits_gpt2, false, false},
    {"minerva-7b", split_digits_gpt2, false, false},
    {"llama3", split_cl100k, true, true},
    {"llama-v3", split_cl100k, true, true},
    {"llama-bpe", split_cl100k, true, true},
    {"falcon3", split_cl100k, true, true},
    {"falcon-h1", split_cl100k, true, true},
    {"pixtral", split_cl100k, true, true},
    {"lfm2", split_cl100k, true, true},
    {"dbrx", split_cl100k, false, false},
    {"smaug-bpe", split_cl100k, false, false},
    {"chatglm-bpe", split_cl100k, false, false},
    {"glm4", split_cl100k, false, false},
    {"qwen2", split_qwen2, false, false},
    {"deepseek-r1-qwen", split_qwen2, false, false},
    {"megrez", split_qwen2, false, false},
    {"stablelm2", split_qwen2, false, false},
    {"hunyuan", split_qwen2, false, false},
    {"solar-open", split_qwen2, false, false},
    {"grok-2", split_qwen2, false, false},
    {"bailingmoe", split_qwen2, false, false},
    {"bailingmoe2", split_qwen2, false, false},
    {"llada-moe", split_qwen2, false, false},
    {"qwen35", split_qwen35, false, false},
    {"seed-coder", split_seed_coder, false, false},
    {"gpt-4o", split_o200k, false, false},
    {"llama4", split_o200k, false, false},
    {"minimax-m2", split_o200k, false, false},
    {"tekken", split_tekken, true, true},
    {"deepseek-v3", split_deepseek_v3, false, false},
    {"deepseek-r1", split_deepseek_v3, false, false},
    {"hunyuan-dense", split_deepseek_v3, false, false},
});

/// The same patterns as they are written in tokenizer.json. Pieces of a text that no step cuts go to the next one.
struct Steps {
  std::vector<std::string> steps;
  SplitFunction split;
};

const std::vector<Steps>& known_steps() {
  static const std::string kContraction = R"((?i:'s|'t|'re|'ve|'m|'ll|'d))";
  static const std::string kSpaces = R"(\s*[\r\n]+|\s+(?!\S)|\s+)";
  static const std::string kUpper = R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}])", kLower = R"([\p{Ll}\p{Lm}\p{Lo}\p{M}])";
  static const std::string kPrefix = R"([^\r\n\p{L}\p{N}]?)", kWord = kPrefix + R"(\p{L}+|)";
  static const std::string kSymbols = R"( ?[^\s\p{L}\p{N}]+[\r\n]*|)", kSlashSymbols = R"( ?[^\s\p{L}\p{N}]+[\r\n/]*|)";
  static const std::string kUpperThenLower = kPrefix + kUpper + "*" + kLower + "+";
  static const std::string kUpperOnly = kPrefix + kUpper + "+" + kLower + "*";
  static const std::vector<Steps> kSteps{
      {{"byte_level"}, split_gpt2},
      {{"digits", "byte_level"}, split_digits_gpt2},
      {{"split " + kContraction + "|" + kWord + R"(\p{N}{1,3}|)" + kSymbols + kSpaces, "bytes"}, split_cl100k},
      {{"split " + kContraction + "|" + kWord + R"(\p{N}|)" + kSymbols + kSpaces, "bytes"}, split_qwen2},
      {{"split " + kUpperThenLower + kContraction + "?|" + kUpperOnly + kContraction + R"(?|\p{N}{1,3}|)" +
            kSlashSymbols + kSpaces,
        "bytes"},
       split_o200k},
      {{"split " + kUpperThenLower + "|" + kUpperOnly + R"(|\p{N}|)" + kSlashSymbols + kSpaces, "bytes"}, split_tekken},
  };
  return kSteps;
}

}  // namespace

SplitFunction find_split(std::span<const std::string> steps) {
  const auto found =
      std::ranges::find_if(known_steps(), [&](const Steps& each) { return std::ranges::equal(each.steps, steps); });
  return found == known_steps().end() ? nullptr : found->split;
}

const PreTokenizer* find_pre_tokenizer(std::string_view name) {
  const auto found = std::ranges::find(kKnown, name, &PreTokenizer::name);
  return found == kKnown.end() ? nullptr : &*found;
}

std::string known_pre_tokenizers() {
  std::string names;
  for (const PreTokenizer& each : kKnown) names.append(names.empty() ? "" : ", ").append(each.name);
  return names;
}

}  // namespace tenon::bpe
