#include "golden.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

namespace bpe_test {
namespace {

const nlohmann::json& golden() {
  static const nlohmann::json json = [] {
    std::ifstream file(TENON_TEST_SOURCE "/tests/unit/bpe/data/golden.json");
    return nlohmann::json::parse(file);
  }();
  return json;
}

}  // namespace

const std::vector<std::string>& golden_pres() {
  static const std::vector<std::string> pres = [] {
    std::vector<std::string> names;
    for (const auto& [name, rows] : golden()["pieces"].items()) names.push_back(name);
    return names;
  }();
  return pres;
}

std::vector<GoldenRow> golden_rows(const std::string& pre) {
  const auto& texts = golden()["texts"];
  const auto& pieces = golden()["pieces"][pre];
  const auto& ids = golden()["ids"][pre];
  std::vector<GoldenRow> rows;
  for (size_t i = 0; i < texts.size(); ++i) {
    rows.push_back(
        {texts[i].get<std::string>(), pieces[i].get<std::vector<size_t>>(), ids[i].get<std::vector<int32_t>>()});
  }
  return rows;
}

std::vector<GoldenRun> golden_runs(const std::string& pre) {
  std::vector<GoldenRun> runs;
  for (const auto& row : golden()["runs"][pre]) {
    runs.push_back(
        {row[0].get<std::string>(), row[1].get<size_t>(), row[2].get<std::vector<std::pair<int32_t, size_t>>>()});
  }
  return runs;
}

}  // namespace bpe_test
