// Golden logits of a float64 evaluation (layout: tests/oracle/golden_format.py), and how far an engine is from them.
#pragma once

#include <tenon/engine.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tenon::test {

struct Golden {
  size_t n_positions = 0, top_k = 0, vocab_size = 0;
  size_t n_skipped = 0;          // leading tokens whose distributions are not kept
  std::vector<int32_t> tokens;   // [n_skipped + n_positions]; row i is the distribution after tokens[0..n_skipped + i]
  std::vector<uint32_t> ids;     // [n_positions, top_k], most probable first
  std::vector<float> log_probs;  // [n_positions, top_k]
  std::vector<float> log_rest;   // [n_positions]: of all other tokens together
};

/// `path` under tests/data/. Fails the test where it is no golden file.
Golden read_golden(const std::string& path);

/// sum p (log p - log q) over the cells of row `row`: the top tokens and the rest.
double partition_divergence(const Golden& golden, int64_t row, std::span<const float> logits);

/// Over the first n_positions that are kept, evaluated in one window.
struct Distance {
  double divergence;      // the mean of it
  double top1_agreement;  // share of positions with float64's most probable token
};
Distance distance(Engine& engine, const Golden& golden, size_t n_positions);

}  // namespace tenon::test
