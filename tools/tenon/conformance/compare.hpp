// How far a result is from what it should be.
#pragma once

#include <conformance/op_case.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tenon::conformance {

/// A result that is too far off, with the element that is worst.
struct Mismatch {
  std::string measure;  // "12 ulp, at most 4 are allowed"
  int64_t n_wrong = 0, n_all = 0;
  int64_t output = 0, row = 0, column = 0;
  float got = 0, expected = 0;
};

/// What a comparison found: the error in the measure's unit (ulp, or squared error over squared size), and the mismatch
/// where it is more than allowed.
struct Comparison {
  double error = 0;
  std::optional<Mismatch> mismatch;
};

/// Bits equal; a NaN of one is any NaN of the other.
Comparison compare_bits(const std::vector<Rows>& got, const std::vector<Rows>& expected);

inline constexpr int64_t kMostUlps = 4;

/// At most kMostUlps of `dtype`, or of the floor: the sum of the magnitudes of `chain` terms of random signs, which is
/// sqrt(chain) times the root mean square of the row's expected values. The error given is in ulp.
Comparison compare_close(const std::vector<Rows>& got, const std::vector<Rows>& expected, DType dtype, int64_t chain);

/// Squared differences over squared expected values, all elements together, at most `limit`. Below kFewElements a sum
/// may be near 0 by chance, so the limit is raised in proportion.
inline constexpr int64_t kFewElements = 256;
Comparison compare_squares(const std::vector<Rows>& got, const std::vector<Rows>& expected, double limit);

/// Rows of several runs, one below the other, output by output.
std::vector<Rows> joined(const std::vector<std::vector<Rows>>& runs);

}  // namespace tenon::conformance
