// Texts with their pieces and ids from the `tokenizers` package: data/golden.json, which make_golden.py writes, and
// tests/data/smollm2/tokens.json, which says itself what it holds.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bpe_test {

struct GoldenRow {
  std::string text;
  std::vector<size_t> piece_ends;
  std::vector<int32_t> ids;
};

struct GoldenRun {
  std::string unit;
  size_t count;                                  // the text is unit * count
  std::vector<std::pair<int32_t, size_t>> runs;  // id, how often in a row
};

struct Smollm2Row {
  std::string text;
  std::vector<int32_t> ids;        // where all of it is ordinary text
  std::vector<int32_t> ids_added;  // where control tokens may be anywhere in it
};

/// The values of `pre` in the file, one for each scanner.
const std::vector<std::string>& golden_pres();
std::vector<GoldenRow> golden_rows(const std::string& pre);
std::vector<GoldenRun> golden_runs(const std::string& pre);
std::vector<Smollm2Row> smollm2_rows();

}  // namespace bpe_test
