#include <conformance/compare.hpp>

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

namespace tenon::conformance {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool same(float a, float b) {
  return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b) || (std::isnan(a) && std::isnan(b));
}

/// Values of f32 between a and b; infinity where only one is a number.
double ulps(float a, float b) {
  if (std::isfinite(a) != std::isfinite(b) || std::isnan(a) != std::isnan(b)) return kInfinity;
  const auto place = [](float x) {
    const auto bits = std::bit_cast<int32_t>(x);
    return bits < 0 ? -static_cast<int64_t>(bits & INT32_MAX) : static_cast<int64_t>(bits);
  };
  return std::isnan(a) ? 0.0 : static_cast<double>(std::abs(place(a) - place(b)));
}

/// Ulps of f32 in one of the dtype.
double ulp_unit(DType dtype) {
  switch (dtype) {
    case DType::f16: return 8192;    // 10 bits of 23
    case DType::bf16: return 65536;  // 7 bits of 23
    default: return 1;
  }
}

double root_mean_square(std::span<const float> row) {
  double sum = 0;
  int64_t n = 0;
  for (const float value : row) {
    if (!std::isfinite(value)) continue;
    sum += double{value} * value;
    ++n;
  }
  return n == 0 ? 0 : std::sqrt(sum / static_cast<double>(n));
}

/// Goes over all elements. error_of(got, expected, row's root mean square) is compared with `most`.
template <class F>
Comparison compare_elements(const std::vector<Rows>& got, const std::vector<Rows>& expected, double most,
                            F&& error_of) {
  Comparison found;
  Mismatch worst;
  double worst_error = most;
  for (size_t o = 0; o < expected.size(); ++o) {
    const Rows& want = expected[o];
    for (int64_t r = 0; r < want.n; ++r) {
      const auto first = static_cast<size_t>(r * want.width), width = static_cast<size_t>(want.width);
      const std::span<const float> row(want.values.data() + first, width);
      const double size = root_mean_square(row);
      for (size_t i = 0; i < width; ++i) {
        ++worst.n_all;
        const float a = got[o].values[first + i], b = row[i];
        if (same(a, b)) continue;
        const double error = error_of(a, b, size);
        found.error = std::max(found.error, error);
        if (error <= most) continue;
        ++worst.n_wrong;
        if (error <= worst_error && worst.n_wrong > 1) continue;
        worst_error = error;
        worst.output = static_cast<int64_t>(o);
        worst.row = r;
        worst.column = static_cast<int64_t>(i);
        worst.got = a;
        worst.expected = b;
      }
    }
  }
  if (worst.n_wrong > 0) found.mismatch = worst;
  return found;
}

std::optional<Mismatch> wrong_shape(const std::vector<Rows>& got, const std::vector<Rows>& expected) {
  bool wrong = got.size() != expected.size();
  for (size_t o = 0; !wrong && o < got.size(); ++o) wrong = got[o].values.size() != expected[o].values.size();
  if (!wrong) return std::nullopt;
  Mismatch mismatch;
  mismatch.measure = "another number of elements";
  return mismatch;
}

}  // namespace

Comparison compare_bits(const std::vector<Rows>& got, const std::vector<Rows>& expected) {
  if (auto wrong = wrong_shape(got, expected)) return {kInfinity, wrong};
  Comparison found = compare_elements(got, expected, 0, [](float a, float b, double) {
    return std::max(ulps(a, b), 0.5);  // -0 against 0
  });
  if (found.mismatch) found.mismatch->measure = fmt::format("{:.0f} ulp, the same bits are expected", found.error);
  return found;
}

Comparison compare_close(const std::vector<Rows>& got, const std::vector<Rows>& expected, DType dtype, int64_t chain) {
  if (auto wrong = wrong_shape(got, expected)) return {kInfinity, wrong};
  constexpr auto kMost = static_cast<double>(kMostUlps);
  const double unit = ulp_unit(dtype), terms = std::sqrt(static_cast<double>(chain));
  Comparison found = compare_elements(got, expected, kMost, [=](float a, float b, double size) {
    const double of_value = ulps(a, b) / unit;
    if (of_value <= kMost || of_value == kInfinity) return of_value;
    const double ulp_of_floor = terms * size * std::numeric_limits<float>::epsilon() * unit;
    return ulp_of_floor == 0 ? of_value : std::min(of_value, std::abs(double{a} - double{b}) / ulp_of_floor);
  });
  if (found.mismatch) {
    found.mismatch->measure = fmt::format("{:.3g} ulp, at most {} are allowed", found.error, kMostUlps);
  }
  return found;
}

Comparison compare_squares(const std::vector<Rows>& got, const std::vector<Rows>& expected, double limit) {
  if (auto wrong = wrong_shape(got, expected)) return {kInfinity, wrong};
  double difference = 0, power = 0;
  int64_t n = 0;
  for (size_t o = 0; o < expected.size(); ++o) {
    for (size_t i = 0; i < expected[o].values.size(); ++i) {
      const float a = got[o].values[i], b = expected[o].values[i];
      ++n;
      if (same(a, b) && !std::isfinite(a)) continue;
      difference += (double{a} - b) * (double{a} - b);
      power += double{b} * b;
    }
  }
  if (n == 0 || difference == 0) return {};
  const double error = difference / power;  // NaN and infinity are more than any limit
  const double allowed = limit * std::max(1.0, static_cast<double>(kFewElements) / static_cast<double>(n));
  if (error <= allowed) return {error, std::nullopt};
  // The element that is farthest off, in units of the whole's size.
  Comparison found = compare_elements(got, expected, 0, [](float a, float b, double) {
    const double d = std::abs(double{a} - double{b});
    return std::isnan(d) ? kInfinity : d;
  });
  found.error = std::isnan(error) ? kInfinity : error;
  if (found.mismatch) {
    found.mismatch->measure =
        fmt::format("squared error {:.2g} of the squared size, at most {:.2g} is allowed", found.error, allowed);
  }
  return found;
}

std::vector<Rows> joined(const std::vector<std::vector<Rows>>& runs) {
  std::vector<Rows> all;
  for (const std::vector<Rows>& outputs : runs) {
    if (all.empty()) {
      for (const Rows& rows : outputs) all.push_back(Rows::zeros(0, rows.width));
    }
    for (size_t o = 0; o < outputs.size(); ++o) {
      all[o].n += outputs[o].n;
      all[o].values.insert(all[o].values.end(), outputs[o].values.begin(), outputs[o].values.end());
    }
  }
  return all;
}

}  // namespace tenon::conformance
