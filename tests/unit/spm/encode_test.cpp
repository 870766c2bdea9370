// Text to ids and back. Golden ids are llama.cpp's (data/golden.json); the others are worked by hand.
#include "golden.hpp"

#include <catch2/catch.hpp>

#include <limits>

using namespace spm_test;

namespace {

/// A vocabulary of pieces with scores, ids from 3 on behind <unk>, <s>, </s>; bytes from `first_byte()` on.
struct Tiny {
  std::vector<std::string> tokens{"<unk>", "<s>", "</s>"};
  std::vector<int64_t> types{TENON_TOKEN_UNKNOWN, TENON_TOKEN_CONTROL, TENON_TOKEN_CONTROL};
  std::vector<double> scores{0, 0, 0};

  Tiny& add(const std::string& piece, double score, int64_t type = TENON_TOKEN_NORMAL) {
    tokens.push_back(piece);
    scores.push_back(score);
    types.push_back(type);
    return *this;
  }
  Metadata metadata(bool add_space_prefix = false) const {
    Metadata m;
    m.set("tokenizer.ggml.model", "llama");
    m.set("tokenizer.ggml.tokens", tokens);
    m.set("tokenizer.ggml.token_type", types);
    m.set("tokenizer.ggml.scores", scores);
    m.set("tokenizer.ggml.add_space_prefix", add_space_prefix);
    return m;
  }
};

std::string repeated(const std::string& unit, size_t times) {
  std::string text;
  for (size_t i = 0; i < times; ++i) text += unit;
  return text;
}

void check_cases(const Loaded& tokenizer, const std::string& set) {
  const auto cases = golden_cases("unit/spm/data/golden.json", set);
  REQUIRE(cases.size() > 500);
  for (const Case& each : cases) {
    INFO(set << ": " << each.text.substr(0, 200));
    CHECK((tokenizer.encode(each.text) == each.ids));
    CHECK((tokenizer.encode(each.text, {{0, each.text.size()}}) == each.special));
  }
}

}  // namespace

TEST_CASE("The golden texts have llama.cpp's ids, with a space in front") {
  check_cases(Loaded(fixture_metadata(true).view()), "with_space");
}

TEST_CASE("The golden texts have llama.cpp's ids, without a space in front") {
  check_cases(Loaded(fixture_metadata(false).view()), "without_space");
}

TEST_CASE("The golden texts have llama.cpp's ids where no piece is user-defined") {
  check_cases(Loaded(fixture_without_user_pieces().view()), "no_user_pieces");
}

TEST_CASE("The highest score merges first, the leftmost of equals") {
  // abcb: bc (-1) before ab (-2), so a, bc, b. aaa: the left aa. cab: ca and ab have one score, ca is left.
  const Loaded tokenizer(Tiny()
                             .add("a", -9)
                             .add("b", -9)
                             .add("c", -9)
                             .add("bc", -1)
                             .add("ab", -2)
                             .add("aa", -3)
                             .add("ca", -2)
                             .metadata()
                             .view());
  CHECK(tokenizer.encode("abcb") == Ids{3, 6, 4});
  CHECK(tokenizer.encode("aaa") == Ids{8, 3});
  CHECK(tokenizer.encode("cab") == Ids{9, 4});
}

TEST_CASE("A merge that a merge makes possible comes before waiting ones of lower score") {
  // bcbc: bc at 0, then bcb (-1) before the second bc (-3).
  const Loaded tokenizer(Tiny().add("b", -9).add("c", -9).add("bc", -3).add("bcb", -1).metadata().view());
  CHECK(tokenizer.encode("bcbc") == Ids{6, 4});
}

TEST_CASE("Scores may be infinite and their order counts alone") {
  const double infinity = std::numeric_limits<double>::infinity();
  const Loaded tokenizer(Tiny().add("a", 0).add("b", 0).add("ab", -infinity).add("ba", infinity).metadata().view());
  CHECK(tokenizer.encode("aba") == Ids{3, 6});
}

TEST_CASE("A character that is no piece becomes its bytes, and without byte tokens the unknown token") {
  Tiny tiny;
  tiny.add("a", 0).add("<0xC3>", 0, TENON_TOKEN_BYTE).add("<0xA9>", 0, TENON_TOKEN_BYTE);
  CHECK(Loaded(tiny.metadata().view()).encode("aé!") == Ids{3, 4, 5, 0});
  CHECK(Loaded(tiny.metadata().view()).decode({3, 4, 5}) == "aé");
}

TEST_CASE("Control, unknown and byte tokens are never what merging gives") {
  Tiny tiny;
  for (const char* piece : {"<", "s", ">", "<s", "s>", "0", "x", "4", "1", "<0", "x4", "1>", "<0x4", "<0x41"})
    tiny.add(piece, -1);
  tiny.add("<0x41>", 0, TENON_TOKEN_BYTE);
  const Loaded tokenizer(tiny.metadata().view());
  CHECK(tokenizer.encode("<s>") == Ids{6, 5});
  CHECK(tokenizer.decode(tokenizer.encode("<0x41>")) == "<0x41>");
}

TEST_CASE("Pieces that reach over a space are merged, and other words apart") {
  // ">▁<" is a piece; "b▁" is none.
  const Loaded tokenizer(Tiny()
                             .add(">", -9)
                             .add("<", -9)
                             .add("b", -9)
                             .add("▁", -9)
                             .add("▁<", -2)
                             .add(">▁<", -1)
                             .add("▁b", -3)
                             .add(">▁", -4)
                             .metadata()
                             .view());
  CHECK(tokenizer.encode("> <") == Ids{8});
  CHECK(tokenizer.encode("b <b b") == Ids{5, 7, 5, 9});
  CHECK(tokenizer.encode("> b") == Ids{3, 9});
}

TEST_CASE("Any bytes that are characters decode to themselves, the space in front apart") {
  const Loaded with_space(fixture_without_user_pieces().view());
  const Loaded without_space(fixture_metadata(false).view());
  using namespace std::string_literals;
  for (const std::string& text :
       {"Hello  world \n"s, "\x01\x7F\t\x00z"s, "木匠 👍🏽 e\u0301"s, " a"s, ""s, "caf\xC3"s}) {
    INFO(text);
    CHECK(with_space.decode(with_space.encode(text)) == text);
    CHECK(without_space.decode(without_space.encode(text)) == text);
  }
}

TEST_CASE("Long runs take n log n: a million of one character is encoded and decodes to itself") {
  for (const bool has_user_pieces : {true, false}) {
    const Loaded tokenizer(has_user_pieces ? fixture_metadata(false).view() : fixture_without_user_pieces().view());
    for (const char* unit : {"^", "a", " ", "\n", "é", "字", "▁", "a ", "\xFF"}) {
      const std::string text = repeated(unit, (1 << 20) / std::string(unit).size());
      const Ids ids = tokenizer.encode(text);
      INFO("1 MiB of " << unit);
      const std::string expected = unit == std::string("▁") ? repeated(" ", text.size() / 3) : text;
      CHECK((tokenizer.decode(ids) == expected));
    }
  }
}
