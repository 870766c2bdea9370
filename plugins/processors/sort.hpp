// Sorting the parallel arrays of the sparse form through scratch that was sized when the processor was made.
#pragma once

#include "candidates.hpp"

#include <vector>

namespace tenon::processors {

struct Scored {
  float value;
  int32_t id;
};

class Sorter {
 public:
  explicit Sorter(int32_t vocab_size) : scratch_(static_cast<size_t>(vocab_size)) {}

  /// Sorts the first n_sorted places of the sparse form; the rest follows in any order.
  void sort(tenon_candidates& c, int64_t n_sorted) {
    const auto n = static_cast<size_t>(c.n_candidates);
    for (size_t i = 0; i < n; ++i) scratch_[i] = {c.values[i], c.ids[i]};
    const auto first = scratch_.begin();
    const auto order = [](const Scored& a, const Scored& b) { return comes_before(a.value, a.id, b.value, b.id); };
    if (n_sorted < c.n_candidates) {
      std::nth_element(first, first + n_sorted, first + c.n_candidates, order);
    }
    std::sort(first, first + std::min(n_sorted, c.n_candidates), order);
    for (size_t i = 0; i < n; ++i) {
      c.values[i] = scratch_[i].value;
      c.ids[i] = scratch_[i].id;
    }
  }

 private:
  std::vector<Scored> scratch_;
};

}  // namespace tenon::processors
