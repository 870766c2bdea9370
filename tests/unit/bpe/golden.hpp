// data/golden.json: texts with their pieces and ids from the `tokenizers` package. See make_golden.py.
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

/// The values of `pre` in the file, one for each scanner.
const std::vector<std::string>& golden_pres();
std::vector<GoldenRow> golden_rows(const std::string& pre);
std::vector<GoldenRun> golden_runs(const std::string& pre);

}  // namespace bpe_test
