// What a vocabulary says of itself, and which are refused with which message.
#include "bpe_plugin.hpp"

#include <catch2/catch.hpp>

using bpe_test::fixture_metadata;
using bpe_test::Loaded;
using bpe_test::Metadata;
using bpe_test::refusal;
using Catch::Contains;
using Catch::StartsWith;

namespace {

Metadata small() {
  Metadata metadata;
  metadata.set("tokenizer.ggml.model", "gpt2");
  metadata.set("tokenizer.ggml.pre", "gpt-2");
  metadata.set("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b", "ab", "<|eot_id|>", "</s>", "\u0120a"});
  metadata.set("tokenizer.ggml.token_type", std::vector<int64_t>{1, 1, 1, 3, 1, 1});
  metadata.set("tokenizer.ggml.merges", std::vector<std::string>{"a b"});
  metadata.set("tokenizer.ggml.eos_token_id", 4);
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

std::pair<tenon_code, std::string> acceptance(const Metadata& metadata) {
  const tenon_meta meta = metadata.view();
  tenon_status status = tenon::empty_status();
  const tenon_code code = bpe_test::bpe_plugin().accepts(bpe_test::bpe_plugin().self, &meta, &status);
  return {code, status.message};
}

}  // namespace

TEST_CASE("The plug-in accepts gpt2 vocabularies and no others") {
  Metadata metadata = small();
  CHECK(acceptance(metadata).first == TENON_OK);
  metadata.set("tokenizer.ggml.model", "llama");
  CHECK(acceptance(metadata).first == TENON_UNSUPPORTED);
  CHECK_THAT(acceptance(metadata).second, Contains("\"llama\""));
  metadata.erase("tokenizer.ggml.model");
  CHECK(acceptance(metadata).first == TENON_UNSUPPORTED);
}

TEST_CASE("Ids with a meaning are those of the metadata, -1 where it has none") {
  Metadata metadata = small();
  metadata.set("tokenizer.ggml.bos_token_id", 3);
  metadata.set("tokenizer.ggml.unknown_token_id", 1);
  metadata.set("tokenizer.ggml.padding_token_id", 2);
  const auto all = Loaded(metadata.view()).info();
  CHECK(all.n_tokens == 6);
  CHECK(all.bos == 3);
  CHECK(all.eos == 4);
  CHECK(all.unknown == 1);
  CHECK(all.pad == 2);
  CHECK(Loaded(small().view()).info().bos == -1);
}

TEST_CASE("bos and eos are added where the metadata says so, or the pre-tokenizer's models want it") {
  Metadata metadata = small();
  metadata.set("tokenizer.ggml.bos_token_id", 3);
  CHECK(Loaded(metadata.view()).info().add_bos == 0);
  metadata.set("tokenizer.ggml.pre", "llama-bpe");
  CHECK(Loaded(metadata.view()).info().add_bos == 1);
  metadata.set("tokenizer.ggml.add_bos_token", false);
  metadata.set("tokenizer.ggml.add_eos_token", true);
  CHECK(Loaded(metadata.view()).info().add_bos == 0);
  CHECK(Loaded(metadata.view()).info().add_eos == 1);
}

TEST_CASE("Stop ids are eos, eot, eom and control tokens with a well-known name") {
  Metadata metadata = small();
  CHECK(Loaded(metadata.view()).stop_ids() == std::vector<int32_t>{3, 4});
  metadata.set("tokenizer.ggml.eot_token_id", 1);
  metadata.set("tokenizer.ggml.eom_token_id", 2);
  CHECK(Loaded(metadata.view()).stop_ids() == std::vector<int32_t>{1, 2, 3, 4});
  metadata.erase("tokenizer.ggml.eos_token_id");  // </s> is here a normal token
  CHECK(Loaded(metadata.view()).stop_ids() == std::vector<int32_t>{1, 2, 3});
}

TEST_CASE("A token is found by its bytes or its name") {
  const Loaded tokenizer(small().view());
  CHECK(tokenizer.find("ab") == 2);
  CHECK(tokenizer.find("<|eot_id|>") == 3);
  CHECK(tokenizer.find(" a") == 5);
  CHECK(tokenizer.find("\u0120a") == -1);
  CHECK(tokenizer.find("") == -1);
  CHECK(tokenizer.find("abab") == -1);
}

TEST_CASE("Types are those of the file, normal without a list of types, 0 outside the vocabulary") {
  Metadata metadata = small();
  const Loaded typed(metadata.view());
  CHECK(typed.token_type(3) == TENON_TOKEN_CONTROL);
  CHECK(typed.token_type(0) == TENON_TOKEN_NORMAL);
  CHECK(typed.token_type(-1) == 0);
  CHECK(typed.token_type(6) == 0);
  metadata.erase("tokenizer.ggml.token_type");
  CHECK(Loaded(metadata.view()).token_type(3) == TENON_TOKEN_NORMAL);
}

TEST_CASE("The bytes of an id outside the vocabulary are an error") {
  const Loaded tokenizer(small().view());
  CHECK_THROWS_WITH(tokenizer.decode({6}), "token id 6, but the vocabulary has ids 0 to 5");
  CHECK_THROWS_WITH(tokenizer.decode({-1}), Contains("token id -1"));
}

TEST_CASE("An unknown pre is refused with all that are known") {
  const std::string message = refusal_with("tokenizer.ggml.pre", "gpt-9");
  CHECK_THAT(message, StartsWith("tokenizer.ggml.pre is \"gpt-9\"; known: gpt-2, "));
  CHECK_THAT(message, Contains("qwen2") && Catch::EndsWith("hunyuan-dense"));
  CHECK_THAT(refusal_without("tokenizer.ggml.pre"), StartsWith("tokenizer.ggml.pre is missing"));
}

TEST_CASE("A vocabulary without tokens or merges is refused by the key") {
  CHECK_THAT(refusal_without("tokenizer.ggml.tokens"), StartsWith("tokenizer.ggml.tokens is missing"));
  CHECK_THAT(refusal_without("tokenizer.ggml.merges"), StartsWith("tokenizer.ggml.merges is missing"));
  CHECK_THAT(refusal_with("tokenizer.ggml.tokens", std::vector<std::string>{}), Contains("has 0 tokens"));
  CHECK_THAT(refusal_with("tokenizer.ggml.merges", 3), StartsWith("tokenizer.ggml.merges"));
}

TEST_CASE("A vocabulary too large for its ids is refused before it is read") {
  Metadata metadata = small();
  const tenon_str token{"a", 1};
  struct Huge {
    tenon_meta small;
    tenon_str token;
  } huge{metadata.view(), token};
  const tenon_meta meta{sizeof(tenon_meta), 0, &huge, [](void* self, tenon_str key, tenon_value* value) -> tenon_code {
                          const auto& with = *static_cast<Huge*>(self);
                          const tenon_code code = with.small.find(with.small.self, key, value);
                          if (tenon::view(key) == "tokenizer.ggml.tokens") value->count = uint64_t{1} << 40;
                          return code;
                        }};
  CHECK_THROWS_WITH(Loaded(meta), StartsWith("tokenizer.ggml.tokens has 1099511627776 tokens"));
}

TEST_CASE("A list of types must fit the tokens") {
  CHECK_THAT(refusal_with("tokenizer.ggml.token_type", std::vector<int64_t>{1, 1}),
             StartsWith("tokenizer.ggml.token_type has 2 elements, tokenizer.ggml.tokens has 6"));
  CHECK_THAT(refusal_with("tokenizer.ggml.token_type", std::vector<int64_t>{1, 1, 1, 1, 9, 1}),
             StartsWith("tokenizer.ggml.token_type[4] is 9"));
  CHECK_THAT(refusal_with("tokenizer.ggml.token_type", "normal"), StartsWith("tokenizer.ggml.token_type is no array"));
}

TEST_CASE("A merge must be two tokens that make a third") {
  const auto with = [](const char* merge) {
    return refusal_with("tokenizer.ggml.merges", std::vector<std::string>{"a b", merge});
  };
  CHECK_THAT(with("ab"), StartsWith("tokenizer.ggml.merges[1] is \"ab\": expected two tokens"));
  CHECK_THAT(with("a "), Contains("expected two tokens"));
  CHECK_THAT(with(""), Contains("expected two tokens"));
  CHECK_THAT(with("x b"), Contains("its left part is not in tokenizer.ggml.tokens"));
  CHECK_THAT(with("a x"), Contains("its right part is not in tokenizer.ggml.tokens"));
  CHECK_THAT(with("b a"), Contains("the merged token is not in tokenizer.ggml.tokens"));
}

TEST_CASE("Ids outside the vocabulary are refused by the key") {
  for (const char* name : {"bos", "eos", "unknown", "padding", "eot", "eom"}) {
    const std::string key = "tokenizer.ggml." + std::string(name) + "_token_id";
    CHECK(refusal_with(key, 6) == key + " is 6, but the vocabulary has ids 0 to 5");
    CHECK_THAT(refusal_with(key, -1), StartsWith(key + " is -1"));
    CHECK_THAT(refusal_with(key, "a"), StartsWith(key));
  }
}

TEST_CASE("bos cannot be added where there is none") {
  CHECK_THAT(refusal_with("tokenizer.ggml.add_bos_token", true), Contains("without tokenizer.ggml.bos_token_id"));
  CHECK_THAT(refusal_with("tokenizer.ggml.add_bos_token", 1), Contains("is not a bool"));
}

TEST_CASE("A long token from the file is cut in a message") {
  const std::string message =
      refusal_with("tokenizer.ggml.merges", std::vector<std::string>{"\x01" + std::string(5000, 'x')});
  CHECK_THAT(message, Contains("\\x01xxx") && Contains("..."));
  CHECK(message.size() < 300);
}
