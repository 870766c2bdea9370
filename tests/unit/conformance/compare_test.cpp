#include <conformance/compare.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace tenon;
using namespace tenon::conformance;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();
constexpr float kUlp = std::numeric_limits<float>::epsilon();  // of 1

std::vector<Rows> one_row(std::vector<float> values) { return {Rows(1, std::move(values))}; }

}  // namespace

TEST_CASE("bits are equal or not; a NaN is as good as another, the zeros are not") {
  CHECK_FALSE(compare_bits(one_row({1, kNan, kInfinity}), one_row({1, -kNan, kInfinity})).mismatch);
  CHECK(compare_bits(one_row({0.0f}), one_row({-0.0f})).mismatch);
  CHECK(compare_bits(one_row({1 + kUlp}), one_row({1})).mismatch);
  CHECK(compare_bits(one_row({1}), one_row({1, 2})).mismatch);
}

TEST_CASE("a mismatch names the worst element and counts all that are off") {
  const std::vector<Rows> want{Rows(2, {1, 2, 3, 4}), Rows(2, {5, 6})}, got{Rows(2, {1, 2, 3.5f, 4}), Rows(2, {5, 9})};
  const auto found = compare_bits(got, want);
  REQUIRE(found.mismatch);
  CHECK(found.mismatch->n_wrong == 2);
  CHECK(found.mismatch->n_all == 6);
  CHECK(found.mismatch->output == 1);
  CHECK(found.mismatch->row == 1);
  CHECK(found.mismatch->column == 0);
  CHECK(found.mismatch->got == 9);
  CHECK(found.mismatch->expected == 6);
}

TEST_CASE("four ulp are near, five are not") {
  CHECK_FALSE(compare_close(one_row({1 + 4 * kUlp}), one_row({1}), DType::f32, 1).mismatch);
  const auto found = compare_close(one_row({1 + 5 * kUlp}), one_row({1}), DType::f32, 1);
  CHECK(found.mismatch);
  CHECK(found.error == 5);
}

TEST_CASE("an ulp of f16 and of bf16 is theirs") {
  CHECK_FALSE(compare_close(one_row({1 + 4 * 0x1p-10f}), one_row({1}), DType::f16, 1).mismatch);
  CHECK(compare_close(one_row({1 + 5 * 0x1p-10f}), one_row({1}), DType::f16, 1).mismatch);
  CHECK_FALSE(compare_close(one_row({1 + 4 * 0x1p-7f}), one_row({1}), DType::bf16, 1).mismatch);
  CHECK(compare_close(one_row({1 + 5 * 0x1p-7f}), one_row({1}), DType::bf16, 1).mismatch);
}

TEST_CASE("near 0 the size of the row's sums counts, which grows with the root of their terms") {
  // Root mean square of the row about 1: an ulp of the floor is 2^-23 sqrt(chain).
  const std::vector<Rows> want = one_row({1.4142135f, 1e-9f});
  CHECK_FALSE(compare_close(one_row({1.4142135f, 3 * kUlp}), want, DType::f32, 1).mismatch);
  CHECK(compare_close(one_row({1.4142135f, 6 * kUlp}), want, DType::f32, 1).mismatch);
  CHECK_FALSE(compare_close(one_row({1.4142135f, 30 * kUlp}), want, DType::f32, 100).mismatch);
  CHECK(compare_close(one_row({1.4142135f, 60 * kUlp}), want, DType::f32, 100).mismatch);
}

TEST_CASE("NaN and infinity are near nothing but themselves") {
  for (const float odd : {kNan, kInfinity}) {
    CHECK_FALSE(compare_close(one_row({odd}), one_row({odd}), DType::f32, 1).mismatch);
    CHECK(compare_close(one_row({odd}), one_row({1e30f}), DType::f32, 1).mismatch);
    CHECK(compare_close(one_row({1e30f}), one_row({odd}), DType::f32, 1).mismatch);
    CHECK(compare_squares(one_row({1, odd}), one_row({1, 1}), 1e-3).mismatch);
    CHECK_FALSE(compare_squares(one_row({1, odd}), one_row({1, odd}), 1e-3).mismatch);
  }
  CHECK(compare_close(one_row({-kInfinity}), one_row({kInfinity}), DType::f32, 1).mismatch);
}

TEST_CASE("squared errors are taken over all elements") {
  std::vector<float> want(1000, 2.0f), got = want;
  got[7] = 3;  // 1 of 4000
  const auto found = compare_squares(one_row(got), one_row(want), 1e-3);
  CHECK_FALSE(found.mismatch);
  CHECK(found.error == Approx(1.0 / 4000));
  const auto strict = compare_squares(one_row(got), one_row(want), 1e-4);
  REQUIRE(strict.mismatch);
  CHECK(strict.mismatch->column == 7);
}

TEST_CASE("runs are joined output by output") {
  const auto all = joined({{Rows(1, {1, 2}), Rows(1, {3})}, {Rows(2, {4, 5, 6, 7}), Rows(2, {8, 9})}});
  REQUIRE(all.size() == 2);
  CHECK(all[0].values == std::vector<float>{1, 2, 4, 5, 6, 7});
  CHECK(all[1].values == std::vector<float>{3, 8, 9});
  CHECK(all[0].n == 3);
}
