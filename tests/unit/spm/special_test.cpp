// Control and user-defined tokens in a text. The fixture has <unk> 0, <s> 1, </s> 2, <|im_start|> 3, <|im_end|> 4 and
// the user-defined <think> 5, </think> 6, <|im 7, abcd 8, runs of newlines 9 to 11, "\t\t" 12, runs of spaces 13 to 15.
#include "golden.hpp"

#include <catch2/catch.hpp>

using namespace spm_test;

namespace {

Ids joined(std::initializer_list<Ids> parts) {
  Ids all;
  for (const Ids& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

bool contains(const Ids& ids, int32_t id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); }

}  // namespace

TEST_CASE("A control token's name is text outside the special ranges and itself wholly inside one") {
  const Loaded tokenizer(fixture_metadata(false).view());
  const std::string text = "a</s>b";
  CHECK_FALSE(contains(tokenizer.encode(text), 2));
  CHECK_FALSE(contains(tokenizer.encode(text, {{1, 4}}), 2));
  CHECK_FALSE(contains(tokenizer.encode(text, {{1, 3}, {3, 5}}), 2));
  CHECK(tokenizer.encode(text, {{1, 5}}) == joined({tokenizer.encode("a"), {2}, tokenizer.encode("b")}));
}

TEST_CASE("A user-defined token is matched everywhere, the longest at its place") {
  const Loaded tokenizer(fixture_metadata(false).view());
  CHECK(tokenizer.encode("<think>abcd") == Ids{5, 8});
  CHECK(tokenizer.encode("\n\n\n\n\n") == Ids{11, 10});
  CHECK(tokenizer.encode("     ") == joined({{15}, tokenizer.encode(" ")}));
  CHECK(tokenizer.encode("<|im_end|>", {{0, 10}}) == Ids{4});
}

TEST_CASE("Where a space is put in front, every piece of text behind an added token gets one") {
  const Loaded tokenizer(fixture_metadata(true).view());
  const Loaded bare(fixture_metadata(false).view());
  CHECK(tokenizer.encode("x") == bare.encode(" x"));
  CHECK(tokenizer.encode("<s>x", {{0, 3}}) == joined({{1}, bare.encode(" x")}));
  CHECK(tokenizer.encode("x<think>y") == joined({bare.encode(" x"), {5}, bare.encode(" y")}));
  CHECK(tokenizer.encode("").empty());
  CHECK(tokenizer.encode("<s>", {{0, 3}}) == Ids{1});
}

TEST_CASE("The space in front is dropped again at the first position alone") {
  const Loaded tokenizer(fixture_metadata(true).view());
  CHECK(tokenizer.decode(tokenizer.encode("x y")) == "x y");
  CHECK(tokenizer.decode(joined({{1}, tokenizer.encode("x")})) == " x");
  const Loaded bare(fixture_metadata(false).view());
  CHECK(bare.decode(bare.encode(" x")) == " x");
}

TEST_CASE("A control token gives its name only where asked to") {
  const Loaded tokenizer(fixture_metadata(false).view());
  CHECK(tokenizer.decode({3, 5, 0}) == "<think>");
  CHECK(tokenizer.decode({3, 5, 0}, true) == "<|im_start|><think><unk>");
}

TEST_CASE("Ranges that do not fit the text are refused") {
  const Loaded tokenizer(fixture_metadata(false).view());
  CHECK_THROWS_WITH(tokenizer.encode("abc", {{0, 4}}), Catch::Contains("0..4") && Catch::Contains("3 bytes"));
  CHECK_THROWS_WITH(tokenizer.encode("abc", {{1, 2}, {1, 3}}), Catch::Contains("ascending"));
}
