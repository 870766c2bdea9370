// The int8 class bit for bit: against golden_chains.py (codes and scales by the gguf package, every fma with exact
// fractions), and examples worked by hand.
#include "golden.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace tenon;
using namespace tenon::test;

namespace {

constexpr int64_t kOutputs = 4, kRows = 3, kWidth = 512;

OpCase linear_of(Weight w, uint32_t numeric_class) {
  return op_case("linear", tenon_linear_params{0, 1, 0, 1.0f}, {std::move(w)}, numeric_class);
}

Rows multiply(Weight w, const Rows& x, uint32_t numeric_class = TENON_CLASS_DEFAULT) {
  const int64_t n = w.tensor.dims[0];
  return BoundOp(reference(), linear_of(std::move(w), numeric_class)).run({.in = {x}, .out_widths = {n}})[0];
}

Weight golden_blocks(const DTypeInfo& info) {
  return {tensor_of(info.dtype, {kOutputs, kWidth}),
          Golden::get().bytes("chain/" + std::string(info.name) + "/blocks")};
}

/// q8_0: two blocks with scale 1 and all codes the given ones.
Weight q8_0_row(int8_t first, int8_t second) {
  std::vector<uint8_t> bytes;
  for (const int8_t code : {first, second}) {
    bytes.insert(bytes.end(), {0x00, 0x3C});  // f16 1.0
    bytes.insert(bytes.end(), 32, static_cast<uint8_t>(code));
  }
  return weight(DType::q8_0, {1, 64}, bytes);
}

}  // namespace

TEST_CASE("the int8 chain of every block format is the one of core/README.md bit for bit") {
  const Rows x = Golden::get().rows("chain/x", kRows);
  for (const DTypeInfo& info : kDTypes) {
    if (info.block_elements == 1) continue;
    INFO(info.name);
    const Rows want = Golden::get().rows("chain/" + std::string(info.name) + "/int8", kRows);
    CHECK(same_bits(multiply(golden_blocks(info), x), want));
    CHECK(same_bits(multiply(golden_blocks(info), x, TENON_CLASS_INT8), want));
  }
}

TEST_CASE("the classes f32 and exact64 of every block format are the product of the dequantized weights in f64") {
  const Rows x = Golden::get().rows("chain/x", kRows);
  for (const DTypeInfo& info : kDTypes) {
    if (info.block_elements == 1) continue;
    INFO(info.name);
    const std::vector<float> want = Golden::get().floats("chain/" + std::string(info.name) + "/f64");
    CHECK(nmse(multiply(golden_blocks(info), x, TENON_CLASS_F32).values, want) < kF32Nmse);
    CHECK(most_ulps(multiply(golden_blocks(info), x, TENON_CLASS_EXACT64).values, want) <= 1);
  }
}

TEST_CASE("the int8 class is near exact64 in every block format") {
  // 300 rows, since the noise of a few is chance. Sums of four uniforms are near enough to normal.
  Rows x = Rows::zeros(300, kWidth);
  std::mt19937 random(7);
  for (float& v : x.values) {
    for (int i = 0; i < 4; ++i) v += static_cast<float>(random() >> 8) * 0x1p-24f - 0.5f;
  }
  for (const DTypeInfo& info : kDTypes) {
    if (info.block_elements == 1) continue;
    INFO(info.name);
    const Rows exact = multiply(golden_blocks(info), x, TENON_CLASS_EXACT64);
    CHECK(nmse(multiply(golden_blocks(info), x).values, exact.values) < kInt8Nmse);
  }
}

TEST_CASE("two blocks worked by hand: scale, integer sum, one fma a block") {
  // Block 0: x = 127 once, else 0: d = 1, q[0] = 127. Block 1: x = 2 everywhere: amax 2, d = 2/127, q = 127 everywhere.
  std::vector<float> x(64, 2.0f);
  std::fill_n(x.begin(), 32, 0.0f);
  x[0] = 127.0f;
  // Sums: 3 * 127 = 381; -5 * 127 * 32 = -20320, times 2/127 in f32, added to 381 with one rounding.
  const float want = std::fma(2.0f / 127.0f, -20320.0f, 381.0f);
  CHECK(multiply(q8_0_row(3, -5), Rows(1, x)).values[0] == want);
}

TEST_CASE("activations are rounded half to even") {
  // amax 127 makes the factor 1, so 0.5, 1.5, 2.5 and -2.5 are ties: 0, 2, 2, -2.
  std::vector<float> x(64, 0.0f);
  x[0] = 127.0f;
  std::vector<uint8_t> bytes = {0x00, 0x3C};
  bytes.resize(34 * 2, 0);
  bytes[34] = 0x00, bytes[35] = 0x3C;
  for (const auto& [value, want] :
       {std::pair{0.5f, 0.0f}, {1.5f, 2.0f}, {2.5f, 2.0f}, {-2.5f, -2.0f}, {-1.5f, -2.0f}}) {
    x[1] = value;
    bytes[2 + 1] = 1;  // weight 1 for element 1, 0 for all others
    CHECK(multiply(weight(DType::q8_0, {1, 64}, bytes), Rows(1, x)).values[0] == want);
  }
}

TEST_CASE("a row of zeros, or too small for its scale, gives zero and no NaN") {
  CHECK(multiply(q8_0_row(3, -5), Rows::zeros(1, 64)).values[0] == 0.0f);
  // 127 / 1e-38 is beyond f32.
  CHECK(multiply(q8_0_row(3, -5), Rows(1, std::vector<float>(64, 1e-38f))).values[0] == 0.0f);
}

TEST_CASE("a NaN or an infinity in the activations is seen in the result") {
  for (const float bad : {std::nanf(""), INFINITY, -INFINITY}) {
    std::vector<float> x(64, 1.0f);
    x[40] = bad;
    CHECK(std::isnan(multiply(q8_0_row(3, -5), Rows(1, x)).values[0]));
  }
}
