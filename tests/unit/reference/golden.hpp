// golden.bin by name (make_golden.py says what is in it), the backend under test, and how far results are apart.
#pragma once

#include <support/golden_file.hpp>
#include <support/kernel_runner.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace tenon::test {

inline const LoadedBackend& reference() {
  static const LoadedBackend backend(std::string(TENON_TEST_PLUGINS) + "/reference.so");
  return backend;
}

class Golden : public GoldenFile {
 public:
  static const Golden& get() {
    static const Golden golden;
    return golden;
  }

  Rows rows(const std::string& name, int64_t n) const { return Rows(n, floats(name)); }

 private:
  Golden() : GoldenFile(std::string(TENON_TEST_SOURCE) + "/tests/unit/reference/golden.bin") {}
};

inline Weight golden_weight(const std::string& name, const std::vector<int64_t>& dims) {
  return f32_weight(dims, Golden::get().floats(name));
}

/// Floats between a and b; NaN is 0 from NaN and very far from all else.
inline int64_t ulps(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b) ? 0 : INT64_MAX;
  const auto place = [](float x) {
    const auto bits = std::bit_cast<int32_t>(x);
    return bits < 0 ? -static_cast<int64_t>(bits & INT32_MAX) : static_cast<int64_t>(bits);
  };
  return std::abs(place(a) - place(b));
}

inline int64_t most_ulps(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return INT64_MAX;
  int64_t most = 0;
  for (size_t i = 0; i < a.size(); ++i) most = std::max(most, ulps(a[i], b[i]));
  return most;
}

/// The same bits, NaN payloads aside.
inline bool same_bits(const Rows& a, const Rows& b) {
  if (a.n != b.n || a.values.size() != b.values.size()) return false;
  for (size_t i = 0; i < a.values.size(); ++i) {
    const bool both_nan = std::isnan(a.values[i]) && std::isnan(b.values[i]);
    if (!both_nan && std::bit_cast<uint32_t>(a.values[i]) != std::bit_cast<uint32_t>(b.values[i])) return false;
  }
  return true;
}

/// Sum of squared differences over the sum of squares of `want`. NaN anywhere: infinity.
inline double nmse(const std::vector<float>& got, const std::vector<float>& want) {
  double difference = 0, power = 0;
  if (got.size() != want.size()) return INFINITY;
  for (size_t i = 0; i < got.size(); ++i) {
    const double d = double{got[i]} - double{want[i]};
    if (std::isnan(d)) return INFINITY;
    difference += d * d;
    power += double{want[i]} * double{want[i]};
  }
  return difference / power;
}

// Sums in f32 against sums in f64: each rounding is 2^-24 of its operand; 1e-12 is 16 of them on average.
inline constexpr double kF32Nmse = 1e-12;
// Activations in 8 bits: about 1/127/sqrt(12) of the largest of 32, squared, for weights known exactly.
inline constexpr double kInt8Nmse = 5e-5;

}  // namespace tenon::test
