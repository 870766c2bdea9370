// The vocabulary of a real model, Gemma 3 270M, read from its GGUF file: TENON_TEST_GEMMA3, or the place where fetched
// models lie. Without the file there is nothing to test. The ids are those of tests/data/gemma3-270m/tokens.json.
#include "golden.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>

using namespace spm_test;

namespace {

std::string model_path() {
  if (const char* path = std::getenv("TENON_TEST_GEMMA3")) return path;
  const char* home = std::getenv("HOME");
  const std::string path = std::string(home == nullptr ? "" : home) + "/.cache/tenon/models/gemma3-270m.gguf";
  return std::filesystem::exists(path) ? path : "";
}

}  // namespace

TEST_CASE("Gemma 3's vocabulary gives texts the ids of llama.cpp, control tokens read as text and as tokens") {
  const std::string path = model_path();
  if (path.empty()) {
    WARN("Gemma 3 is not there: not tested");
    return;
  }
  const GgufMetadata metadata(path);
  const Loaded tokenizer(metadata.view());
  const auto cases = golden_cases("data/gemma3-270m/tokens.json", "model");
  REQUIRE(cases.size() > 500);
  for (const Case& each : cases) {
    INFO(each.text.substr(0, 200));
    CHECK((tokenizer.encode(each.text) == each.ids));
    CHECK((tokenizer.encode(each.text, {{0, each.text.size()}}) == each.special));
  }
  CHECK(tokenizer.info().bos == 2);
  CHECK(tokenizer.info().add_bos == 1);
  CHECK(tokenizer.stop_ids() == Ids{1, 106});
}
