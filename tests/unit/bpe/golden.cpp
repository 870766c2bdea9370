#include "golden.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

namespace bpe_test {
namespace {

using nlohmann::json;
using Ids = std::vector<int32_t>;

json read(const char* path) {
  std::ifstream file(path);
  return json::parse(file);
}

const json& golden() {
  static const json content = read(TENON_TEST_SOURCE "/tests/unit/bpe/data/golden.json");
  return content;
}

std::string smollm2_text(const json& row) {
  const json& text = row["text"];
  if (text.is_string()) return text.get<std::string>();
  std::string whole;
  const auto unit = text["repeat"].get<std::string>();
  for (auto n = text["times"].get<size_t>(); n > 0; --n) whole += unit;
  return whole;
}

/// `suffix`: "" or "_added".
Ids smollm2_ids(const json& row, const std::string& suffix) {
  if (row.contains("ids" + suffix)) return row["ids" + suffix].get<Ids>();
  if (!row.contains("runs" + suffix)) return smollm2_ids(row, "");
  Ids ids;
  for (const json& run : row["runs" + suffix]) {
    const Ids unit = run[0].get<Ids>();
    for (auto n = run[1].get<size_t>(); n > 0; --n) ids.insert(ids.end(), unit.begin(), unit.end());
  }
  return ids;
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

std::vector<Smollm2Row> smollm2_rows() {
  const json content = read(TENON_TEST_SOURCE "/tests/data/smollm2/tokens.json");
  std::vector<Smollm2Row> rows;
  for (const json& row : content["cases"]) {
    rows.push_back({smollm2_text(row), smollm2_ids(row, ""), smollm2_ids(row, "_added")});
  }
  return rows;
}

}  // namespace bpe_test
