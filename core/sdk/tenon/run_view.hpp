// The buffers of a run, and loops over its rows on the host's threads.
#pragma once

#include <tenon/kernel.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tenon {

inline float* row_of(const tenon_buffer& buffer, int64_t row) {
  return static_cast<float*>(buffer.data) + row * buffer.ld;
}
/// nullptr where the weight is absent.
inline const std::byte* bytes_of(const tenon_run& run, uint32_t weight) {
  return weight < run.n_weights ? static_cast<const std::byte*>(run.weights[weight]) : nullptr;
}
inline const float* vector_of(const tenon_run& run, uint32_t weight) {
  return reinterpret_cast<const float*>(bytes_of(run, weight));
}

/// f(row) for every row of the run, over the workers.
template <class F>
Result<void> for_each_row(const tenon_run& run, F&& f) {
  return parallel_for(*run.exec, run.n_rows, [&](int64_t row, uint32_t) { f(row); });
}

/// f(index, worker) for index in [0, n), in tasks of `grain` neighbours.
template <class F>
Result<void> for_each_chunk(const tenon_exec& exec, int64_t n, int64_t grain, F&& f) {
  return parallel_for(exec, (n + grain - 1) / grain, [&](int64_t task, uint32_t worker) {
    const int64_t end = std::min(n, (task + 1) * grain);
    for (int64_t i = task * grain; i < end; ++i) f(i, worker);
  });
}

/// Hands out pieces of workspace on cache lines. With base nullptr it only counts: the same code asks for the bytes at
/// plan time and takes them in run.
class Carver {
 public:
  explicit Carver(void* base) : base_(static_cast<std::byte*>(base)) {}

  template <class T>
  T* take(int64_t n) {
    std::byte* at = base_ == nullptr ? nullptr : base_ + bytes_;
    bytes_ += (n * static_cast<int64_t>(sizeof(T)) + 63) / 64 * 64;
    return reinterpret_cast<T*>(at);
  }
  int64_t bytes() const { return bytes_; }

 private:
  std::byte* base_;
  int64_t bytes_ = 0;
};

}  // namespace tenon
