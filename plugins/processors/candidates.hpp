// What the processors share: reading candidates in either form, and turning a dense form into a sorted short one.
#pragma once

#include <tenon/processor.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon::processors {

inline constexpr float kMasked = -std::numeric_limits<float>::infinity();

/// Descending value, lowest id first among equals: the order of the sparse form.
inline bool comes_before(float value_a, int32_t id_a, float value_b, int32_t id_b) {
  return value_a != value_b ? value_a > value_b : id_a < id_b;
}

/// The largest value that is left; kMasked where none is.
inline float highest(const tenon_candidates& c) {
  if (!is_dense(c)) return c.n_candidates > 0 ? c.values[0] : kMasked;
  float best = kMasked;
  for (int32_t i = 0; i < c.vocab_size; ++i) best = c.logits[i] > best ? c.logits[i] : best;
  return best;
}

inline Error nothing_left() { return invalid("no token is left to choose from: all are masked"); }

/// Keeps what is at or above `least` (and not masked): dense becomes sparse, sparse becomes shorter. One pass.
inline void keep_from(tenon_candidates& c, float least) {
  int64_t n = 0;
  if (is_dense(c)) {
    for (int32_t i = 0; i < c.vocab_size; ++i) {
      if (!(c.logits[i] >= least) || c.logits[i] == kMasked) continue;
      c.ids[n] = i;
      c.values[n++] = c.logits[i];
    }
    c.n_candidates = n;
    return;
  }
  while (n < c.n_candidates && c.values[n] >= least && c.values[n] != kMasked) ++n;
  c.n_candidates = n;
}

}  // namespace tenon::processors
