#include "read_bandwidth.hpp"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

namespace tenon::cli {
namespace {

// Several times the largest last-level cache of one socket that is common.
constexpr uint64_t kBytes = uint64_t{512} << 20;
constexpr size_t kSums = 8;  // independent chains: the additions never wait for each other

/// n is a multiple of kSums.
uint64_t sum_of(const uint64_t* words, size_t n) {
  uint64_t sums[kSums] = {};
  for (size_t i = 0; i < n; i += kSums) {
    for (size_t j = 0; j < kSums; ++j) sums[j] += words[i + j];
  }
  uint64_t sum = 0;
  for (const uint64_t each : sums) sum += each;
  return sum;
}

}  // namespace

ReadBandwidth::ReadBandwidth() : block_(kBytes) { std::memset(block_.data(), 1, kBytes); }

double ReadBandwidth::measure(uint32_t n_threads) {
  using Clock = std::chrono::steady_clock;
  const size_t n_words = kBytes / sizeof(uint64_t) / n_threads / kSums * kSums;
  const auto* words = reinterpret_cast<const uint64_t*>(block_.data());
  std::vector<uint64_t> sums(n_threads);
  std::vector<Clock::time_point> begins(n_threads), ends(n_threads);
  std::barrier start(static_cast<std::ptrdiff_t>(n_threads));
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < n_threads; ++i) {
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      begins[i] = Clock::now();
      sums[i] = sum_of(words + i * n_words, n_words);
      ends[i] = Clock::now();
    });
  }
  for (std::thread& thread : threads) thread.join();
  const double seconds = std::chrono::duration<double>(std::ranges::max(ends) - std::ranges::min(begins)).count();
  for (const uint64_t sum : sums) sum_ += sum;
  return static_cast<double>(n_words * sizeof(uint64_t) * n_threads) / seconds;
}

}  // namespace tenon::cli
