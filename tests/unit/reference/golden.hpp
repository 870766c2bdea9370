// golden.bin by name (make_golden.py says what is in it), the backend under test, and how far results are apart.
#pragma once

#include <support/kernel_runner.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace tenon::test {

inline const LoadedBackend& reference() {
  static const LoadedBackend backend(std::string(TENON_TEST_PLUGINS) + "/reference.so");
  return backend;
}

class Golden {
 public:
  static const Golden& get() {
    static const Golden golden(std::string(TENON_TEST_SOURCE) + "/tests/unit/reference/golden.bin");
    return golden;
  }

  /// Throws std::out_of_range where the name is not in the file.
  const std::vector<std::byte>& bytes(const std::string& name) const { return entries_.at(name); }
  std::vector<float> floats(const std::string& name) const {
    const std::vector<std::byte>& raw = entries_.at(name);
    std::vector<float> values(raw.size() / sizeof(float));
    std::memcpy(values.data(), raw.data(), raw.size());
    return values;
  }
  Rows rows(const std::string& name, int64_t n) const { return Rows(n, floats(name)); }

 private:
  explicit Golden(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    size_t at = 0;
    const auto number = [&] {
      uint32_t value = 0;
      std::memcpy(&value, all.data() + at, sizeof value);
      at += sizeof value;
      return value;
    };
    while (at < all.size()) {
      const size_t name_size = number();
      const std::string name = all.substr(at, name_size);
      at += name_size;
      constexpr uint32_t kBytes = 1;
      const size_t element = number() == kBytes ? 1 : 4;
      const size_t size = number() * element;
      const auto* first = reinterpret_cast<const std::byte*>(all.data()) + at;
      entries_[name].assign(first, first + size);
      at += size;
    }
  }

  std::map<std::string, std::vector<std::byte>> entries_;
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
