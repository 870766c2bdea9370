// Text to ids and back. Golden ids are from the `tokenizers` package.
#include "bpe_plugin.hpp"
#include "golden.hpp"

#include <catch2/catch.hpp>

#include <thread>

using bpe_test::fixture_metadata;
using bpe_test::Loaded;
using bpe_test::Metadata;
using Ids = std::vector<int32_t>;

namespace {

/// A vocabulary of single letters and what is made of them, ids in this order.
Metadata tiny(std::vector<std::string> tokens, std::vector<std::string> merges, std::string_view pre = "gpt-2") {
  Metadata metadata;
  metadata.set("tokenizer.ggml.model", "gpt2");
  metadata.set("tokenizer.ggml.pre", pre);
  metadata.set("tokenizer.ggml.tokens", std::move(tokens));
  metadata.set("tokenizer.ggml.merges", std::move(merges));
  return metadata;
}

}  // namespace

TEST_CASE("Every scanner gives the golden texts the ids of the tokenizers package") {
  for (const std::string& pre : bpe_test::golden_pres()) {
    const Loaded tokenizer(fixture_metadata(pre).view());
    for (const auto& row : bpe_test::golden_rows(pre)) {
      INFO(pre << ": " << row.text);
      CHECK(tokenizer.encode(row.text) == row.ids);
    }
  }
}

TEST_CASE("The ids of a text decode to its bytes") {
  for (const std::string& pre : bpe_test::golden_pres()) {
    const Loaded tokenizer(fixture_metadata(pre).view());
    for (const auto& row : bpe_test::golden_rows(pre)) {
      INFO(pre << ": " << row.text);
      CHECK(tokenizer.decode(tokenizer.encode(row.text)) == row.text);
    }
  }
}

TEST_CASE("Very long runs have the ids of the tokenizers package") {
  for (const std::string& pre : bpe_test::golden_pres()) {
    const Loaded tokenizer(fixture_metadata(pre).view());
    for (const auto& row : bpe_test::golden_runs(pre)) {
      std::string text;
      for (size_t i = 0; i < row.count; ++i) text += row.unit;
      Ids expected;
      for (const auto& [id, n] : row.runs) expected.insert(expected.end(), n, id);
      INFO(pre << ": " << row.count << " times " << row.unit);
      CHECK((tokenizer.encode(text) == expected));
    }
  }
}

TEST_CASE("Any bytes decode to themselves") {
  const Loaded tokenizer(fixture_metadata("qwen2").view());
  std::string text = "caf\xC3 \xFF\xFE\x80 ok \xF0\x9F\x91";
  for (int byte = 0; byte < 256; ++byte) text += static_cast<char>(byte);
  CHECK(tokenizer.decode(tokenizer.encode(text)) == text);
}

TEST_CASE("The pair of lowest rank merges first, the leftmost of equals") {
  // By hand. abcb: "b c" has rank 0, so a, bc, b. aaa: the left pair merges.
  const Loaded tokenizer(tiny({"a", "b", "c", "bc", "ab", "aa"}, {"b c", "a b", "a a"}).view());
  CHECK(tokenizer.encode("abcb") == Ids{0, 3, 1});
  CHECK(tokenizer.encode("aaa") == Ids{5, 0});
  CHECK(tokenizer.encode("ab") == Ids{4});
}

TEST_CASE("A pair that a merge makes comes first where its rank is lower than the ones that wait") {
  // By hand, with ranks that no training would give: bcbc -> "b c" (rank 2) at 0, then "bc b" (rank 0) before the other
  // "b c", which leaves bcb, c. In a piece of 40 bytes, the same ten times: "bcb c" (rank 1) then joins each.
  Metadata metadata = tiny({"b", "c", "bc", "bcb", "bcbc"}, {"bc b", "bcb c", "b c"});
  const Loaded tokenizer(metadata.view());
  CHECK(tokenizer.encode("bcbc") == Ids{4});
  std::string text;
  for (int i = 0; i < 10; ++i) text += "bcbc";
  CHECK(tokenizer.encode(text) == Ids(10, 4));
}

TEST_CASE("Where merges are ignored, a piece that is a token is that token") {
  // "abc" is a token that no merge makes.
  const std::vector<std::string> tokens = {"a", "b", "c", "ab", "abc"};
  CHECK(Loaded(tiny(tokens, {"a b"}, "llama-bpe").view()).encode("abc") == Ids{4});
  CHECK(Loaded(tiny(tokens, {"a b"}, "dbrx").view()).encode("abc") == Ids{3, 2});
}

TEST_CASE("A byte without a token is left out before anything merges") {
  // As in the tokenizers package without unk_token: a, b, c become neighbours.
  const Loaded tokenizer(tiny({"a", "c", "ac"}, {"a c"}).view());
  CHECK(tokenizer.encode("abc") == Ids{2});
  CHECK(tokenizer.encode("!?").empty());
}

TEST_CASE("A control token is never a piece") {
  Metadata metadata = tiny({"a", "b", "ab"}, {});
  metadata.set("tokenizer.ggml.token_type", std::vector<int64_t>{1, 1, 3});
  CHECK(Loaded(metadata.view()).encode("ab") == Ids{0, 1});
}

TEST_CASE("Words that begin alike keep their own ids in a long text") {
  // Every word is a piece, so the text's ids are those of its words.
  const Loaded tokenizer(fixture_metadata("gpt-2").view());
  std::string text;
  Ids expected;
  for (int round = 0; round < 2; ++round) {
    for (char a = 'a'; a <= 'z'; ++a) {
      for (char b = 'a'; b <= 'z'; ++b) {
        const std::string word = std::string(" mergeme") + a + b;
        text += word;
        const Ids ids = tokenizer.encode(word);
        expected.insert(expected.end(), ids.begin(), ids.end());
      }
    }
  }
  CHECK((tokenizer.encode(text) == expected));
}

TEST_CASE("Threads may encode with one tokenizer at the same time") {
  const Loaded tokenizer(fixture_metadata("gpt-4o").view());
  std::string text;
  for (const auto& row : bpe_test::golden_rows("gpt-4o")) text += row.text;
  const Ids expected = tokenizer.encode(text);
  std::vector<Ids> found(4);
  std::vector<std::thread> threads;
  for (Ids& ids : found) threads.emplace_back([&] { ids = tokenizer.encode(text); });
  for (std::thread& thread : threads) thread.join();
  for (const Ids& ids : found) CHECK((ids == expected));
}

TEST_CASE("Encoding stops where the receiver refuses") {
  const Loaded tokenizer(fixture_metadata("gpt-2").view());
  tenon_sink sink{nullptr, [](void*, const void*, size_t) -> tenon_code { return TENON_LIMIT; }};
  tenon_status status = tenon::empty_status();
  const std::string text(5000, '~');
  const auto& api = bpe_test::bpe_plugin();
  CHECK(api.encode(tokenizer.handle(), tenon::str(text), nullptr, 0, &sink, &status) == TENON_LIMIT);
}
