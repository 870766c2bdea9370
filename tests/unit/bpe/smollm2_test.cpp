// The vocabulary of a real model, SmolLM2-135M-Instruct, read from its GGUF file: TENON_TEST_SMOLLM2, or the place
// where fetched models lie. Without the file there is nothing to test. The ids are those of
// tests/data/smollm2/tokens.json, from the `tokenizers` package; its format is written in it.
#include "bpe_plugin.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

using bpe_test::GgufMetadata;
using bpe_test::Loaded;
using Ids = std::vector<int32_t>;
using nlohmann::json;

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

std::string text_of(const json& test_case) {
  const json& text = test_case["text"];
  if (text.is_string()) return text.get<std::string>();
  std::string whole;
  for (size_t i = 0; i < text["times"].get<size_t>(); ++i) whole += text["repeat"].get<std::string>();
  return whole;
}

/// `suffix`: "" or "_added".
Ids ids_of(const json& test_case, const std::string& suffix) {
  if (test_case.contains("ids" + suffix)) return test_case["ids" + suffix].get<Ids>();
  if (!test_case.contains("runs" + suffix)) return ids_of(test_case, "");
  Ids ids;
  for (const json& run : test_case["runs" + suffix]) {
    const Ids unit = run[0].get<Ids>();
    for (size_t i = 0; i < run[1].get<size_t>(); ++i) ids.insert(ids.end(), unit.begin(), unit.end());
  }
  return ids;
}

json cases() {
  std::ifstream file(TENON_TEST_SOURCE "/tests/data/smollm2/tokens.json");
  return json::parse(file)["cases"];
}

}  // namespace

TEST_CASE("SmolLM2's vocabulary gives ordinary text the ids of the tokenizers package") {
  const auto model = smollm2();
  if (model == nullptr) return;
  for (const json& each : cases()) {
    INFO(each["subject"] << ": " << text_of(each).substr(0, 100));
    CHECK((model->tokenizer.encode(text_of(each)) == ids_of(each, "")));
  }
}

TEST_CASE("SmolLM2's control tokens are matched where they are allowed as the tokenizers package matches them") {
  const auto model = smollm2();
  if (model == nullptr) return;
  for (const json& each : cases()) {
    const std::string text = text_of(each);
    INFO(each["subject"] << ": " << text.substr(0, 100));
    CHECK((model->tokenizer.encode(text, {{0, text.size()}}) == ids_of(each, "_added")));
  }
}

TEST_CASE("SmolLM2 stops at the end of a turn and at the end of the text") {
  const auto model = smollm2();
  if (model == nullptr) return;
  CHECK(model->tokenizer.stop_ids() == Ids{0, 2});
  CHECK(model->tokenizer.info().bos == 1);
  CHECK(model->tokenizer.info().add_bos == 0);
}
