// What a vocabulary says of itself, and which are refused with which message.
#include "golden.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace spm_test;
using Catch::Contains;
using Catch::StartsWith;

namespace {

const std::vector<std::string> kTokens{"<unk>", "<s>", "</s>", "<0x41>", "a", "▁a", "<end_of_turn>", "  "};

Metadata small() {
  Metadata metadata;
  metadata.set("tokenizer.ggml.model", "llama");
  metadata.set("tokenizer.ggml.tokens", kTokens);
  metadata.set("tokenizer.ggml.token_type", std::vector<int64_t>{2, 3, 3, 6, 1, 1, 3, 4});
  metadata.set("tokenizer.ggml.scores", std::vector<double>{0, 0, 0, 0, -1, -2, 0, -3});
  return metadata;
}

template <class Value>
std::string refusal_with(const std::string& key, Value value) {
  Metadata metadata = small();
  metadata.set(key, std::move(value));
  return refusal(metadata);
}

std::string refusal_without(const std::string& key) {
  Metadata metadata = small();
  metadata.erase(key);
  return refusal(metadata);
}

std::string refusal_of_token(size_t i, const std::string& token) {
  auto tokens = kTokens;
  tokens[i] = token;
  return refusal_with("tokenizer.ggml.tokens", tokens);
}

std::string refusal_of_score(double score) {
  return refusal_with("tokenizer.ggml.scores", std::vector<double>{0, 0, 0, 0, -1, score, 0, -3});
}

}  // namespace

TEST_CASE("The plug-in accepts llama vocabularies and no others") {
  const auto acceptance = [](const Metadata& metadata) {
    const tenon_meta meta = metadata.view();
    tenon_status status = tenon::empty_status();
    const auto& plugin = tokenizer_test::tokenizer_plugin();
    const tenon_code code = plugin.accepts(plugin.self, &meta, &status);
    return std::pair(code, std::string(status.message));
  };
  Metadata metadata = small();
  CHECK(acceptance(metadata).first == TENON_OK);
  metadata.set("tokenizer.ggml.model", "gpt2");
  CHECK(acceptance(metadata).first == TENON_UNSUPPORTED);
  CHECK_THAT(acceptance(metadata).second, Contains("\"gpt2\""));
  metadata.erase("tokenizer.ggml.model");
  CHECK(acceptance(metadata).first == TENON_UNSUPPORTED);
}

TEST_CASE("Where the metadata is silent the format's own ids count, and bos is added") {
  const auto info = Loaded(small().view()).info();
  CHECK(info.n_tokens == 8);
  CHECK(info.unknown == 0);
  CHECK(info.bos == 1);
  CHECK(info.eos == 2);
  CHECK(info.pad == -1);
  CHECK(info.add_bos == 1);
  CHECK(info.add_eos == 0);
  Metadata metadata = small();
  metadata.set("tokenizer.ggml.add_bos_token", false);
  CHECK(Loaded(metadata.view()).info().add_bos == 0);
}

TEST_CASE("Stop ids are eos and control tokens with a well-known name") {
  CHECK(Loaded(small().view()).stop_ids() == Ids{2, 6});
}

TEST_CASE("A token is found by its text, its name, or the byte that it is") {
  const Loaded tokenizer(small().view());
  CHECK(tokenizer.find("a") == 4);
  CHECK(tokenizer.find(" a") == 5);
  CHECK(tokenizer.find("A") == 3);
  CHECK(tokenizer.find("  ") == 7);
  CHECK(tokenizer.find("<end_of_turn>") == 6);
  CHECK(tokenizer.find("<0x41>") == -1);
  CHECK(tokenizer.find("b") == -1);
  CHECK(tokenizer.find("") == -1);
}

TEST_CASE("The bytes of an id outside the vocabulary are an error") {
  const Loaded tokenizer(small().view());
  CHECK_THROWS_WITH(tokenizer.decode({8}), "token id 8, but the vocabulary has ids 0 to 7");
  CHECK_THROWS_WITH(tokenizer.decode({-1}), Contains("token id -1"));
  CHECK(tokenizer.token_type(8) == 0);
}

TEST_CASE("Scores must be there, as many as tokens, and numbers") {
  CHECK_THAT(refusal_without("tokenizer.ggml.scores"), StartsWith("tokenizer.ggml.scores is missing"));
  CHECK_THAT(refusal_with("tokenizer.ggml.scores", "high"), StartsWith("tokenizer.ggml.scores is missing or no array"));
  CHECK_THAT(refusal_with("tokenizer.ggml.scores", std::vector<double>{1, 2}),
             StartsWith("tokenizer.ggml.scores has 2 elements, tokenizer.ggml.tokens has 8"));
  CHECK(refusal_of_score(NAN) == "tokenizer.ggml.scores[5] is NaN, expected a number");
}

TEST_CASE("A byte token must name a byte that no other names") {
  for (const char* name : {"<0x-1>", "<0x100>", "<0x4>", "<0xG0>", "A", "<0x41", ""}) {
    CHECK_THAT(refusal_of_token(3, name),
               StartsWith("tokenizer.ggml.tokens[3] is ") && Contains("of type byte") && Contains("<0x00> to <0xFF>"));
  }
  Metadata metadata = small();
  metadata.set("tokenizer.ggml.tokens", std::vector<std::string>{"<unk>", "<s>", "</s>", "<0x4a>", "<0x4A>"});
  metadata.set("tokenizer.ggml.token_type", std::vector<int64_t>{2, 3, 3, 6, 6});
  metadata.set("tokenizer.ggml.scores", std::vector<double>{0, 0, 0, 0, 0});
  CHECK(refusal(metadata) == "tokenizer.ggml.tokens[3] and tokenizer.ggml.tokens[4] are both the byte <0x4A>");
}

TEST_CASE("Without types, names of bytes are bytes") {
  Metadata metadata = small();
  metadata.erase("tokenizer.ggml.token_type");
  metadata.set("tokenizer.ggml.unknown_token_id", 0);
  const Loaded tokenizer(metadata.view());
  CHECK(tokenizer.token_type(3) == TENON_TOKEN_BYTE);
  CHECK(tokenizer.token_type(1) == TENON_TOKEN_NORMAL);
}

TEST_CASE("A byte without any token is refused where no unknown token stands for it") {
  Metadata metadata = small();
  metadata.set("tokenizer.ggml.token_type", std::vector<int64_t>{3, 3, 3, 6, 1, 1, 3, 4});
  CHECK_THAT(refusal(metadata), Contains("no token for the byte <0x00>") && Contains("unknown_token_id"));
}

TEST_CASE("A piece that is there twice is refused with both ids, an empty one is not") {
  CHECK(refusal_of_token(5, "a") ==
        "tokenizer.ggml.tokens[4] and tokenizer.ggml.tokens[5] are both \"a\"; expected every piece once");
  auto tokens = kTokens;
  tokens[4] = tokens[5] = "";
  CHECK(refusal_with("tokenizer.ggml.tokens", tokens).empty());
}

TEST_CASE("Ids outside the vocabulary are refused by the key") {
  for (const char* name : {"bos", "eos", "unknown", "padding", "eot", "eom"}) {
    const std::string key = "tokenizer.ggml." + std::string(name) + "_token_id";
    CHECK(refusal_with(key, 8) == key + " is 8, but the vocabulary has ids 0 to 7");
    CHECK_THAT(refusal_with(key, -1), StartsWith(key + " is -1"));
    CHECK_THAT(refusal_with(key, "a"), StartsWith(key));
  }
}

TEST_CASE("Flags and lists of another type are refused by the key") {
  CHECK_THAT(refusal_with("tokenizer.ggml.add_space_prefix", 1), Contains("add_space_prefix is not a bool"));
  CHECK_THAT(refusal_with("tokenizer.ggml.add_bos_token", 1), Contains("is not a bool"));
  CHECK_THAT(refusal_without("tokenizer.ggml.tokens"), StartsWith("tokenizer.ggml.tokens is missing"));
  CHECK_THAT(refusal_with("tokenizer.ggml.tokens", std::vector<std::string>{}), Contains("has 0 tokens"));
  CHECK_THAT(refusal_with("tokenizer.ggml.token_type", std::vector<int64_t>{1, 1}),
             StartsWith("tokenizer.ggml.token_type has 2 elements, tokenizer.ggml.tokens has 8"));
  CHECK_THAT(refusal_with("tokenizer.ggml.token_type", std::vector<int64_t>{1, 1, 1, 1, 9, 1, 1, 1}),
             StartsWith("tokenizer.ggml.token_type[4] is 9"));
}
