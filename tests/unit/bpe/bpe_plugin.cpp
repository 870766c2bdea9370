#include "bpe_plugin.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace bpe_test {

Metadata metadata_from_json(const std::string& path, std::string_view pre) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot open " + path);
  const auto json = nlohmann::json::parse(file);
  Metadata metadata;
  metadata.set("tokenizer.ggml.model", "gpt2");
  metadata.set("tokenizer.ggml.pre", pre);
  metadata.set("tokenizer.ggml.tokens", json["tokens"].get<std::vector<std::string>>());
  metadata.set("tokenizer.ggml.token_type", json["types"].get<std::vector<int64_t>>());
  metadata.set("tokenizer.ggml.merges", json["merges"].get<std::vector<std::string>>());
  if (json.contains("bos")) metadata.set("tokenizer.ggml.bos_token_id", json["bos"].get<int64_t>());
  if (json.contains("eos")) metadata.set("tokenizer.ggml.eos_token_id", json["eos"].get<int64_t>());
  return metadata;
}

Metadata fixture_metadata(std::string_view pre) {
  return metadata_from_json(TENON_TEST_SOURCE "/tests/unit/bpe/data/vocabulary.json", pre);
}

}  // namespace bpe_test
