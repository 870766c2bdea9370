// The same random weights from a GGUF file and from a folder that the `safetensors` package wrote
// (tests/oracle/safetensors_copy.py): rows permuted (llama, mixtral, granitemoe), an expert a tensor in two files
// (mixtral), gate and up fused in halves (granitemoe) or row by row in MXFP4 (gpt-oss), norms without their one
// (gemma3).
#include "golden.hpp"

#include <tenon/model/source.hpp>

#include <catch2/catch.hpp>

#include <filesystem>

using namespace tenon;
using namespace tenon::test;

namespace {

constexpr const char* kFamilies[] = {"llama", "mixtral", "granitemoe", "gpt-oss-mxfp4", "gemma3"};
const std::string kData = TENON_TEST_SOURCE "/tests/data/";

std::unique_ptr<Engine> load(const std::string& model, std::vector<std::string> set = {}) {
  EngineOptions options;
  options.config = TENON_TEST_BUILD "/share/tenon/configs/default.yaml";
  options.model = model;
  options.set = std::move(set);
  options.set.push_back("runtime.context=128");
  auto engine = Engine::load(options);
  if (!engine) FAIL(engine.error().message);
  return std::move(*engine);
}

std::vector<float> logits_of(Engine& engine, std::span<const int32_t> tokens) {
  std::vector<float> all;
  const auto done = engine.evaluate(
      tokens, [&](int64_t, std::span<const float> logits) { all.insert(all.end(), logits.begin(), logits.end()); });
  if (!done) FAIL(done.error().message);
  return all;
}

}  // namespace

TEST_CASE("the same weights from GGUF and from safetensors give the same logits, bit for bit") {
  for (const std::string family : kFamilies) {
    INFO(family);
    const Golden golden = read_golden("random/" + family + ".golden.bin");
    const auto tokens = std::span(golden.tokens).first(100);
    for (const char* numeric : {"default", "f32"}) {
      const std::vector<std::string> set{std::string("backends.numeric=") + numeric};
      const auto gguf = load(kData + "random/" + family + ".gguf", set);
      const auto folder = load(kData + "safetensors/" + family, set);
      CHECK(folder->model().format() == "safetensors");
      const bool same = logits_of(*gguf, tokens) == logits_of(*folder, tokens);
      CHECK(same);
    }
  }
}

TEST_CASE("a byte-level tokenizer.json gives the ids and the text that the vocabulary of the GGUF file gives") {
  const auto gguf = load(kData + "random/qwen3.gguf"), folder = load(kData + "safetensors/llama");
  // Both have the same tokens and merges; qwen3.gguf names the way to cut that llama's tokenizer.json spells out.
  for (const std::string text :
       {"Then the cat and a dog, reading 12345 things", "  two\n\nlines\t", "don't WON'T \xC3\xA9t\xC3\xA9"}) {
    const auto ours = folder->prompt_tokens({.prompt = text}), theirs = gguf->prompt_tokens({.prompt = text});
    REQUIRE(ours);
    REQUIRE(theirs);
    CHECK(*ours == *theirs);
  }
  CHECK(folder->has_chat_template());
  const Request request{.prompt = "the", .max_tokens = 12, .seed = 3};
  CHECK(folder->generate(request)->text == load(kData + "random/llama.gguf")->generate(request)->text);
}

TEST_CASE("a tokenizer.json of pieces gives the ids that the scores of the GGUF file give") {
  const auto gguf = load(kData + "random/gemma3.gguf"), folder = load(kData + "safetensors/gemma3");
  for (const std::string text :
       {"then the ring and other", "  two\n\nlines\t", "don't WON'T \xC3\xA9t\xC3\xA9", "inginging and andnd", ""}) {
    const auto ours = folder->prompt_tokens({.prompt = text}), theirs = gguf->prompt_tokens({.prompt = text});
    REQUIRE(ours);
    REQUIRE(theirs);
    CHECK(*ours == *theirs);
  }
}

TEST_CASE("a file of the folder stands for it, and so does its index") {
  const std::string folder = kData + "safetensors/";
  CHECK(load(folder + "llama/model.safetensors")->model().tensors().size() ==
        load(folder + "llama")->model().tensors().size());
  CHECK(load(folder + "mixtral/model.safetensors.index.json")->model().tensors().size() ==
        load(folder + "mixtral/model-00002-of-00002.safetensors")->model().tensors().size());
}
