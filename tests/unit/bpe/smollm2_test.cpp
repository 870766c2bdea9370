// The vocabulary of a real model, SmolLM2-135M-Instruct, read from its GGUF file: TENON_TEST_SMOLLM2, or the place
// where fetched models lie. Without the file there is nothing to test. The ids are those of
// tests/data/smollm2/tokens.json, from the `tokenizers` package; its format is written in it.
#include "bpe_plugin.hpp"
#include "golden.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <memory>

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

struct Model {
  explicit Model(const std::string& path) : metadata(path), tokenizer(metadata.view()) {}
  GgufMetadata metadata;
  Loaded tokenizer;
};

std::unique_ptr<Model> smollm2() {
  const std::string path = model_path();
  if (!path.empty()) return std::make_unique<Model>(path);
  WARN("SmolLM2 is not there: not tested");
  return nullptr;
}

}  // namespace

TEST_CASE("SmolLM2's vocabulary gives ordinary text the ids of the tokenizers package") {
  const auto model = smollm2();
  if (model == nullptr) return;
  const auto rows = bpe_test::smollm2_rows();
  REQUIRE(rows.size() > 200);
  for (const auto& row : rows) {
    INFO(row.text.substr(0, 100));
    CHECK((model->tokenizer.encode(row.text) == row.ids));
  }
}

TEST_CASE("SmolLM2's control tokens are matched where they are allowed as the tokenizers package matches them") {
  const auto model = smollm2();
  if (model == nullptr) return;
  const auto rows = bpe_test::smollm2_rows();
  REQUIRE(rows.size() > 200);
  for (const auto& row : rows) {
    INFO(row.text.substr(0, 100));
    CHECK((model->tokenizer.encode(row.text, {{0, row.text.size()}}) == row.ids_added));
  }
}

TEST_CASE("SmolLM2 stops at the end of a turn and at the end of the text") {
  const auto model = smollm2();
  if (model == nullptr) return;
  CHECK(model->tokenizer.stop_ids() == Ids{0, 2});
  CHECK(model->tokenizer.info().bos == 1);
  CHECK(model->tokenizer.info().add_bos == 0);
}
