// The rows of one step, in the arrays that a tenon_batch points into.
#pragma once

#include <tenon.h>
#include <tenon/engine/kv_cache.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace tenon {

class StepRows {
 public:
  /// Adds consecutive tokens of one sequence whose first stands at `first_position`. `pages` must cover them and stay
  /// as it is until the step is over.
  void add(std::span<const int32_t> sequence_tokens, int64_t first_position, const PageTable& pages) {
    const auto n = static_cast<int64_t>(sequence_tokens.size());
    sequences_.push_back({static_cast<int64_t>(tokens.size()), n, first_position, pages.pages.data(),
                          static_cast<int64_t>(pages.pages.size())});
    tokens.insert(tokens.end(), sequence_tokens.begin(), sequence_tokens.end());
    for (int64_t i = 0; i < n; ++i) positions_.push_back(static_cast<int32_t>(first_position + i));
  }

  /// Valid until the next add.
  tenon_batch batch() const {
    tenon_batch batch{};
    batch.size = sizeof batch;
    batch.n_rows = static_cast<int64_t>(tokens.size());
    batch.tokens = tokens.data();
    batch.positions = positions_.data();
    batch.sequences = sequences_.data();
    batch.n_sequences = static_cast<int64_t>(sequences_.size());
    return batch;
  }

  std::vector<int32_t> tokens;

 private:
  std::vector<int32_t> positions_;
  std::vector<tenon_batch_sequence> sequences_;
};

}  // namespace tenon
