#include "golden.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

namespace spm_test {
namespace {

using nlohmann::json;

json read(const std::string& path) {
  std::ifstream file(TENON_TEST_SOURCE "/tests/" + path);
  return json::parse(file);
}

std::string text_of(const json& written) {
  if (written.is_string()) return written.get<std::string>();
  std::string text;
  if (written.contains("hex")) {
    const auto hex = written["hex"].get<std::string>();
    for (size_t i = 0; i < hex.size(); i += 2) text += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    return text;
  }
  const auto unit = written["repeat"].get<std::string>();
  for (auto n = written["times"].get<size_t>(); n > 0; --n) text += unit;
  return text;
}

Ids ids_of(const json& written) {
  Ids ids;
  for (const json& each : written) {
    if (each.is_number()) {
      ids.push_back(each.get<int32_t>());
    } else {
      ids.insert(ids.end(), each[1].get<size_t>(), each[0].get<int32_t>());
    }
  }
  return ids;
}

Metadata metadata_of(const std::vector<std::string>& tokens, const std::vector<int64_t>& types, const json& scores) {
  Metadata metadata;
  metadata.set("tokenizer.ggml.model", "llama");
  metadata.set("tokenizer.ggml.tokens", tokens);
  metadata.set("tokenizer.ggml.token_type", types);
  metadata.set("tokenizer.ggml.scores", scores.get<std::vector<double>>());
  metadata.set("tokenizer.ggml.bos_token_id", 1);
  metadata.set("tokenizer.ggml.eos_token_id", 2);
  metadata.set("tokenizer.ggml.unknown_token_id", 0);
  return metadata;
}

}  // namespace

std::vector<Case> golden_cases(const std::string& file, const std::string& set) {
  std::vector<Case> cases;
  const json content = read(file);
  for (const json& each : content["sets"][set]) {
    const Ids ids = ids_of(each["ids"]);
    cases.push_back({text_of(each["text"]), ids, each.contains("special") ? ids_of(each["special"]) : ids});
  }
  return cases;
}

Metadata fixture_metadata(bool add_space_prefix) {
  const json file = read("unit/spm/data/vocabulary.json");
  Metadata metadata = metadata_of(file["tokens"], file["types"], file["scores"]);
  metadata.set("tokenizer.ggml.add_space_prefix", add_space_prefix);
  return metadata;
}

Metadata fixture_without_user_pieces() {
  const json file = read("unit/spm/data/vocabulary.json");
  auto tokens = file["tokens"].get<std::vector<std::string>>();
  auto types = file["types"].get<std::vector<int64_t>>();
  for (size_t i = 0; i < types.size(); ++i) {
    if (types[i] != TENON_TOKEN_USER) continue;
    types[i] = TENON_TOKEN_NORMAL;
    tokens[i] = "[gone" + std::to_string(i) + "]";
  }
  return metadata_of(tokens, types, file["scores"]);
}

}  // namespace spm_test
