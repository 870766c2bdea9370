// Control and user-defined tokens in a text. The fixture has <|endoftext|> 0, <|im_start|> 1, <|im_end|> 2 as control
// tokens, and behind 2000 normal ids <think>, </think>, <|im and abcd as user-defined ones.
#include "bpe_plugin.hpp"

#include <catch2/catch.hpp>

using bpe_test::fixture_metadata;
using bpe_test::Loaded;
using Ids = std::vector<int32_t>;

namespace {

constexpr int32_t kImStart = 1;
constexpr int32_t kImEnd = 2;
constexpr int32_t kThink = 2000;
constexpr int32_t kIm = 2002;
constexpr int32_t kAbcd = 2003;

/// The ids of the parts, one after the other.
Ids joined(std::initializer_list<Ids> parts) {
  Ids all;
  for (const Ids& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

TEST_CASE("A control token's name in plain text stays text") {
  const Loaded tokenizer(fixture_metadata("qwen2").view());
  const std::string text = "a<|endoftext|>b";
  const Ids ids = tokenizer.encode(text);
  CHECK(std::find(ids.begin(), ids.end(), 0) == ids.end());
  CHECK(tokenizer.decode(ids) == text);
}

TEST_CASE("A control token is matched inside a special range, and the text around it is encoded apart") {
  const Loaded tokenizer(fixture_metadata("qwen2").view());
  const std::string text = "<|im_start|>user<|im_end|>\n";
  CHECK(tokenizer.encode(text, {{0, text.size()}}) ==
        joined({{kImStart}, tokenizer.encode("user"), {kImEnd}, tokenizer.encode("\n")}));
}

TEST_CASE("Only the ranges given are special") {
  const Loaded tokenizer(fixture_metadata("qwen2").view());
  const std::string text = "<|im_start|><|im_start|>x<|im_start|>";
  CHECK(tokenizer.encode(text, {{0, 12}, {25, 37}}) ==
        joined({{kImStart}, tokenizer.encode("<|im_start|>x"), {kImStart}}));
}

TEST_CASE("A control token that leaves its range stays text") {
  const Loaded tokenizer(fixture_metadata("qwen2").view());
  const std::string text = "<|im_end|>";
  const Ids plain = tokenizer.encode(text);
  CHECK(tokenizer.encode(text, {{0, 9}}) == plain);
  CHECK(tokenizer.encode(text, {{1, 10}}) == plain);
  CHECK(tokenizer.encode(text, {{0, 5}, {5, 10}}) == plain);
}

TEST_CASE("A user-defined token is matched everywhere") {
  const Loaded tokenizer(fixture_metadata("qwen2").view());
  CHECK(tokenizer.encode("abcdgym") == joined({{kAbcd}, tokenizer.encode("gym")}));
  CHECK(tokenizer.encode("<think>") == Ids{kThink});
  CHECK(tokenizer.encode("abcabcd") == joined({tokenizer.encode("abc"), {kAbcd}}));
}

TEST_CASE("Of added tokens at one place the longest that is allowed there wins") {
  const Loaded tokenizer(fixture_metadata("qwen2").view());
  CHECK(tokenizer.encode("<|im_end|>", {{0, 10}}) == Ids{kImEnd});
  CHECK(tokenizer.encode("<|im_end|>") == joined({{kIm}, tokenizer.encode("_end|>")}));
}

TEST_CASE("Ranges that do not fit the text are refused") {
  const Loaded tokenizer(fixture_metadata("qwen2").view());
  CHECK_THROWS_WITH(tokenizer.encode("abc", {{0, 4}}), Catch::Contains("0..4") && Catch::Contains("3 bytes"));
  CHECK_THROWS_WITH(tokenizer.encode("abc", {{1, 2}, {1, 3}}), Catch::Contains("ascending"));
  CHECK_THROWS_WITH(tokenizer.encode("abc", {{2, 1}}), Catch::Contains("2..1"));
}

TEST_CASE("A control token gives its name only where asked to") {
  const Loaded tokenizer(fixture_metadata("qwen2").view());
  CHECK(tokenizer.decode({kImStart, kThink}) == "<think>");
  CHECK(tokenizer.decode({kImStart, kThink}, true) == "<|im_start|><think>");
}

TEST_CASE("A million beginnings of a control token take no more than one step each") {
  const Loaded tokenizer(fixture_metadata("qwen2").view());
  std::string text;
  for (int i = 0; i < 200000; ++i) text += "<|im_";
  CHECK(tokenizer.decode(tokenizer.encode(text, {{0, text.size()}})) == text);
}
