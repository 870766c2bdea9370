// Pieces. The golden rows are from the `tokenizers` package; the rest follows from the patterns in split.hpp.
#include "golden.hpp"
#include "pre_tokenizers.hpp"

#include <catch2/catch.hpp>

using tenon::bpe::find_pre_tokenizer;

namespace {

/// With room for `capacity` ends a call.
std::vector<size_t> all_ends(std::string_view pre, std::string_view text, size_t capacity) {
  std::vector<size_t> ends(capacity);
  std::vector<size_t> all;
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t n = find_pre_tokenizer(pre)->split(text, begin, ends);
    REQUIRE(n > 0);
    all.insert(all.end(), ends.begin(), ends.begin() + static_cast<ptrdiff_t>(n));
    begin = all.back();
  }
  return all;
}

std::vector<std::string> pieces(std::string_view pre, std::string_view text) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (const size_t end : all_ends(pre, text, 64)) {
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end;
  }
  return parts;
}

using Pieces = std::vector<std::string>;

}  // namespace

TEST_CASE("Every scanner cuts the golden texts where the tokenizers package cuts them") {
  for (const std::string& pre : bpe_test::golden_pres()) {
    for (const auto& row : bpe_test::golden_rows(pre)) {
      INFO(pre << ": " << row.text);
      CHECK(all_ends(pre, row.text, 64) == row.piece_ends);
    }
  }
}

TEST_CASE("A text is cut in the same places when the pieces are asked for one at a time") {
  for (const std::string& pre : bpe_test::golden_pres()) {
    for (const auto& row : bpe_test::golden_rows(pre)) {
      INFO(pre << ": " << row.text);
      CHECK(all_ends(pre, row.text, 1) == row.piece_ends);
    }
  }
}

TEST_CASE("Bytes that are not UTF-8 are symbols, one each") {
  CHECK(pieces("gpt-2", "a\xFF\xFE b") == Pieces{"a", "\xFF\xFE", " b"});
  CHECK(pieces("qwen2", "ab\xC3") == Pieces{"ab", "\xC3"});
  CHECK(pieces("gpt-4o",
               "1\xE4\xBD"
               "2") == Pieces{"1", "\xE4\xBD", "2"});
}

TEST_CASE("An overlong or surrogate sequence is no letter") {
  CHECK(pieces("gpt-2", "a\xC1\xA1z") == Pieces{"a", "\xC1\xA1", "z"});  // an overlong 'a'
  CHECK(pieces("gpt-2", "a\xE0\x81\xA1z") == Pieces{"a", "\xE0\x81\xA1", "z"});
  CHECK(pieces("gpt-2", "a\xF0\x80\x81\xA1z") == Pieces{"a", "\xF0\x80\x81\xA1", "z"});
  CHECK(pieces("gpt-2", "a\xED\xA0\x80z") == Pieces{"a", "\xED\xA0\x80", "z"});  // U+D800
  CHECK(pieces("gpt-2", "a\xF4\x90\x80\x80z") == Pieces{"a", "\xF4\x90\x80\x80", "z"});
}

TEST_CASE("A multibyte letter after ASCII letters stays in the word") {
  CHECK(pieces("smollm", "na\xC3\xAFvet\xC3\xA9 x") == Pieces{"na\xC3\xAFvet\xC3\xA9", " x"});
}

TEST_CASE("NUL is an ordinary symbol") {
  using namespace std::string_literals;
  CHECK(pieces("qwen2", std::string_view("1\0"
                                         "2",
                                         3)) == Pieces{"1", "\0"s, "2"});
}

TEST_CASE("All names of one pattern lead to the same scanner") {
  CHECK(find_pre_tokenizer("phi-2")->split == find_pre_tokenizer("gpt-2")->split);
  CHECK(find_pre_tokenizer("starcoder")->split == find_pre_tokenizer("smollm")->split);
  CHECK(find_pre_tokenizer("llama3")->split == find_pre_tokenizer("dbrx")->split);
  CHECK(find_pre_tokenizer("deepseek-r1-qwen")->split == find_pre_tokenizer("qwen2")->split);
  CHECK(find_pre_tokenizer("nothing") == nullptr);
}
