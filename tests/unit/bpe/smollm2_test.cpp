// The vocabulary of a real model, SmolLM2-135M-Instruct, read from its GGUF file: TENON_TEST_SMOLLM2, or the place
// where fetched models lie. Without the file there is nothing to test. Ids: see make_golden.py.
#include "bpe_plugin.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

using bpe_test::GgufMetadata;
using bpe_test::Loaded;
using Ids = std::vector<int32_t>;

namespace {

std::string model_path() {
  if (const char* path = std::getenv("TENON_TEST_SMOLLM2")) return path;
  const char* home = std::getenv("HOME");
  const std::string path = std::string(home == nullptr ? "" : home) + "/.cache/tenon/models/smollm2-135m.gguf";
  return std::filesystem::exists(path) ? path : "";
}

}  // namespace

TEST_CASE("SmolLM2's vocabulary gives the ids of the tokenizers package") {
  const std::string path = model_path();
  if (path.empty()) {
    WARN("SmolLM2 is not there: not tested");
    return;
  }
  const GgufMetadata metadata(path);
  const Loaded tokenizer(metadata.view());
  std::ifstream file(TENON_TEST_SOURCE "/tests/unit/bpe/data/smollm2.json");
  const auto golden = nlohmann::json::parse(file);
  for (size_t i = 0; i < golden["texts"].size(); ++i) {
    const auto text = golden["texts"][i].get<std::string>();
    INFO(text);
    CHECK(tokenizer.encode(text) == golden["ids"][i].get<Ids>());
  }
  const std::string prompt = "<|im_start|>user\nHello<|im_end|>\n";
  CHECK(tokenizer.encode(prompt, {{0, prompt.size()}}).front() == 1);
  CHECK(tokenizer.decode(tokenizer.encode(prompt, {{0, prompt.size()}}), true) == prompt);
  CHECK(tokenizer.stop_ids() == Ids{0, 2});
}
