// Rows of ops that cost less than waking a thread: the caller does few of them itself.
#pragma once

#include <tenon/run_view.hpp>

namespace tenon::panels {

/// f(row) for every row; `elements`: how many a row touches. Under about 20,000 elements (some microseconds) a barrier
/// costs more than it saves.
template <class F>
Result<void> for_rows(const tenon_run& run, int64_t elements, F&& f) {
  constexpr int64_t kTaskElements = 20'000;
  if (run.n_rows * elements <= kTaskElements) {
    for (int64_t r = 0; r < run.n_rows; ++r) f(r);
    return {};
  }
  const int64_t grain = std::max<int64_t>(1, kTaskElements / 2 / std::max<int64_t>(1, elements));
  return for_each_chunk(*run.exec, run.n_rows, grain, [&](int64_t r, uint32_t) { f(r); });
}

}  // namespace tenon::panels
