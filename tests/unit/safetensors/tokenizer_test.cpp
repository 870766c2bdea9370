// tokenizer.json in the words of tokenizer.ggml.
#include "model_folder.hpp"

#include <catch2/catch.hpp>

using namespace safetensors_test;

namespace {

constexpr const char* kByteLevel = R"("pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false})";

std::string tokenizer(std::string_view model, std::string_view more = kByteLevel) {
  return std::string(R"({"model": {)").append(model) + "}, " + std::string(more) + "}";
}

/// A folder with this tokenizer.json and nothing else of interest.
std::string refusal_of_tokenizer(std::string_view text) {
  ModelFolder folder;
  folder.write("model.safetensors", safetensors("{}", "")).write("tokenizer.json", text);
  return folder.refusal();
}

std::vector<std::string> texts(const tenon::ModelSource& model, std::string_view key) {
  std::vector<std::string> found;
  const tenon_value* value = model.find(key);
  REQUIRE(value != nullptr);
  for (uint64_t i = 0; i < value->count; ++i) found.emplace_back(tenon::view(value->strings[i]));
  return found;
}

}  // namespace

TEST_CASE("a byte-level vocabulary has its tokens by id, added ones with their type, and a name for what no id has") {
  ModelFolder folder;
  folder.write("model.safetensors", safetensors("{}", ""));
  folder.write(
      "tokenizer.json",
      tokenizer(
          R"("type": "BPE", "ignore_merges": true, "vocab": {"b": 1, "a": 0, "ab": 2}, "merges": ["a b", ["ab", "a"]])",
          R"("pre_tokenizer": {"type": "Sequence", "pretokenizers": [
                              {"type": "Digits", "individual_digits": true},
                              {"type": "ByteLevel", "add_prefix_space": false, "use_regex": true}]},
                            "added_tokens": [{"id": 5, "content": "<s>", "special": true}, {"id": 4, "content": "tool"}],
                            "post_processor": {"type": "Sequence", "processors": [{"type": "TemplateProcessing",
                              "single": [{"SpecialToken": {"id": "<s>"}}, {"Sequence": {"id": "A"}}]}]})"));
  folder.write("tokenizer_config.json", R"({"bos_token": {"content": "<s>"}, "eos_token": "ab",
    "chat_template": [{"name": "tool_use", "template": "T"}, {"name": "default", "template": "D"}]})");
  folder.write("generation_config.json", R"({"eos_token_id": [2, 1, 99]})");
  const auto model = folder.open();
  REQUIRE(model);
  CHECK(model->text("tokenizer.ggml.model") == "gpt2");
  CHECK(texts(*model, "tokenizer.ggml.tokens") == std::vector<std::string>{"a", "b", "ab", "[unused3]", "tool", "<s>"});
  CHECK(texts(*model, "tokenizer.ggml.merges") == std::vector<std::string>{"a b", "ab a"});
  CHECK(texts(*model, "tokenizer.pre_tokenizer") == std::vector<std::string>{"digits", "byte_level"});
  const auto* types = static_cast<const int64_t*>(model->find("tokenizer.ggml.token_type")->numbers);
  CHECK(std::vector<int64_t>(types, types + 6) == std::vector<int64_t>{1, 1, 1, 5, 4, 3});
  CHECK(model->find("tokenizer.ignore_merges")->u == 1);
  CHECK(model->find("tokenizer.ggml.bos_token_id")->i == 5);
  CHECK(model->find("tokenizer.ggml.add_bos_token")->u == 1);
  CHECK(model->find("tokenizer.ggml.eos_token_id")->i == 2);
  CHECK(model->find("tokenizer.ggml.eot_token_id")->i == 1);
  CHECK(model->text("tokenizer.chat_template") == "D");
}

TEST_CASE(
    "a vocabulary of pieces has the scores of its merges, bytes by their names, and the space in front if asked") {
  const std::string model = R"("type": "BPE", "byte_fallback": true, "unk_token": "<unk>",
    "vocab": {"<unk>": 0, "<0x41>": 1, "a": 2, "b": 3, "ab": 4, "aba": 5}, "merges": ["ab a", "a b", "a ba"])";
  // "a ba" makes the piece of the first merge again: the first counts.
  ModelFolder folder;
  folder.write("model.safetensors", safetensors("{}", ""));
  for (const bool prefix : {false, true}) {
    const std::string replace = R"({"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"})";
    folder.write("tokenizer.json",
                 tokenizer(model, prefix ? R"("normalizer": {"type": "Sequence", "normalizers": [{"type": "Prepend",
                                             "prepend": "\u2581"}, )" +
                                               replace + "]}"
                                         : "\"normalizer\": " + replace));
    const auto read = folder.open();
    REQUIRE(read);
    CHECK(read->text("tokenizer.ggml.model") == "spm");
    CHECK(read->find("tokenizer.ggml.add_space_prefix")->u == (prefix ? 1u : 0u));
    CHECK(read->find("tokenizer.ggml.unknown_token_id")->i == 0);
    const auto* types = static_cast<const int64_t*>(read->find("tokenizer.ggml.token_type")->numbers);
    CHECK(std::vector<int64_t>(types, types + 6) == std::vector<int64_t>{2, 6, 1, 1, 1, 1});
    const auto* scores = static_cast<const double*>(read->find("tokenizer.ggml.scores")->numbers);
    CHECK(scores[5] == 0);
    CHECK(scores[4] == -1);
    CHECK(scores[2] < -2);
  }
}

TEST_CASE("a template of its own file counts before the one of tokenizer_config.json") {
  ModelFolder folder;
  folder.write("model.safetensors", safetensors("{}", "")).write("chat_template.jinja", "J");
  folder.write("tokenizer_config.json", R"({"chat_template": "T"})");
  CHECK(folder.open()->text("tokenizer.chat_template") == "J");
  std::filesystem::remove(folder.path("chat_template.jinja"));
  CHECK(folder.open()->text("tokenizer.chat_template") == "T");
}

TEST_CASE("a vocabulary of another kind opens, and no tokenizer will take it") {
  ModelFolder folder;
  folder.write("model.safetensors", safetensors("{}", ""));
  CHECK(folder.open()->text("tokenizer.ggml.model") == "missing: the folder has no tokenizer.json");
  folder.write("tokenizer.json", tokenizer(R"("type": "Unigram", "vocab": [])"));
  CHECK(folder.open()->text("tokenizer.ggml.model") ==
        "Unigram of tokenizer.json that is no BPE of bytes or of pieces");
  folder.write("tokenizer.json", tokenizer(R"("type": "BPE", "vocab": {}, "merges": [])", R"("pre_tokenizer": null)"));
  CHECK(folder.open()->text("tokenizer.ggml.model") == "BPE of tokenizer.json that is no BPE of bytes or of pieces");
  folder.write("tokenizer.json", tokenizer(R"("type": "BPE", "byte_fallback": true, "vocab": {}, "merges": [])",
                                           R"("normalizer": {"type": "Lowercase"})"));
  CHECK(folder.open()->text("tokenizer.ggml.model") == "BPE of tokenizer.json that is no BPE of bytes or of pieces");
}

TEST_CASE("a tokenizer.json that is broken is refused by its name") {
  const std::string front = "tokenizer.json: ";
  CHECK(refusal_of_tokenizer("{}") == front + "'model' must be a map");
  CHECK(refusal_of_tokenizer(tokenizer(R"("type": "BPE", "vocab": [], "merges": [])")) ==
        front + "'model.vocab' must be a map of token: id");
  CHECK(refusal_of_tokenizer(tokenizer(R"("type": "BPE", "vocab": {"a": -1}, "merges": [])")) ==
        front + "the id of token 'a' is no whole number below 2097152");
  CHECK(refusal_of_tokenizer(tokenizer(R"("type": "BPE", "vocab": {"a": 1e9}, "merges": [])")) ==
        front + "the id of token 'a' is no whole number below 2097152");
  CHECK(refusal_of_tokenizer(tokenizer(R"("type": "BPE", "vocab": {"a": 0, "b": 0}, "merges": [])")) ==
        front + "tokens 'a' and 'b' have the same id 0");
  CHECK(refusal_of_tokenizer(tokenizer(R"("type": "BPE", "vocab": {"a": 0}, "merges": ["a a", 3])")) ==
        front + "'model.merges[1]' must be a text or a pair of texts");
  CHECK(refusal_of_tokenizer(tokenizer(R"("type": "BPE", "vocab": {"a": 0}, "merges": ["aa"])")) ==
        front + "'model.merges[0]' is 'aa', expected two tokens and one space");
  CHECK(refusal_of_tokenizer(tokenizer(R"("type": "BPE", "byte_fallback": true, "vocab": {"a": 0}, "merges": ["a a"])",
                                       R"("normalizer": null)")) ==
        front + "'model.merges[0]' makes 'aa', which is no token");
  CHECK(refusal_of_tokenizer(
            tokenizer(R"("type": "BPE", "vocab": {"a": 0}, "merges": [])",
                      R"("normalizer": {"type": "Lowercase"}, "pre_tokenizer": {"type": "ByteLevel"})")) ==
        front + "normalizer 'Lowercase' is not supported, expected NFC or none");
}
