// Weight formats both ways against the PyPI package gguf (make_golden.py): bit for bit.
#include <support/golden_file.hpp>
#include <tenon/dequantize.hpp>
#include <tenon/quantize.hpp>

#include <catch2/catch.hpp>

#include <cmath>

using namespace tenon;
using namespace tenon::test;

namespace {

const GoldenFile& golden() {
  static const GoldenFile file(std::string(TENON_TEST_SOURCE) + "/tests/unit/sdk/golden.bin");
  return file;
}

}  // namespace

TEST_CASE("every format that gguf quantizes comes out as the same bytes") {
  for (const DTypeInfo& info : kDTypes) {
    const std::string name = "quantize/" + std::string(info.name);
    if (!golden().contains(name + "/bytes")) continue;
    INFO(info.name);
    REQUIRE(can_quantize(info.dtype));
    const std::vector<float> values = golden().floats(name + "/values");
    const std::vector<std::byte>& want = golden().bytes(name + "/bytes");
    std::vector<std::byte> got(want.size());
    const auto n = static_cast<int64_t>(values.size());
    REQUIRE(row_bytes(info.dtype, n) == static_cast<int64_t>(want.size()));
    quantize_row(info.dtype, values.data(), got.data(), n);
    size_t n_different = 0;
    for (int64_t at = 0; at < static_cast<int64_t>(got.size()); at += info.block_bytes) {
      const auto place = static_cast<size_t>(at), size = static_cast<size_t>(info.block_bytes);
      if (std::memcmp(&got[place], &want[place], size) == 0) continue;
      if (n_different++ == 0) UNSCOPED_INFO("first different block: " << at / info.block_bytes);
    }
    CHECK(n_different == 0);
  }
}

TEST_CASE("the golden file holds every format that can be quantized, f32 aside") {
  size_t n = 0;
  for (const DTypeInfo& info : kDTypes) n += can_quantize(info.dtype) && info.dtype != DType::f32 ? 1 : 0;
  size_t n_golden = 0;
  for (const auto& [name, bytes] : golden().entries()) n_golden += name.starts_with("quantize/") ? 1 : 0;
  CHECK(2 * n == n_golden);
  CHECK(n == 8);
}

TEST_CASE("every block format is read as gguf reads it, under scales of every kind") {
  for (const DTypeInfo& info : kDTypes) {
    if (info.block_elements == 1) continue;
    INFO(info.name);
    const std::string name = "dequantize/" + std::string(info.name);
    const std::vector<std::byte>& bytes = golden().bytes(name + "/bytes");
    const std::vector<float> want = golden().floats(name + "/values");
    std::vector<float> got(want.size());
    dequantize_row(info.dtype, bytes.data(), got.data(), static_cast<int64_t>(got.size()));
    size_t n_different = 0;
    for (size_t i = 0; i < got.size(); ++i) {
      const bool same = std::bit_cast<uint32_t>(got[i]) == std::bit_cast<uint32_t>(want[i]) ||
                        (std::isnan(got[i]) && std::isnan(want[i]));
      if (!same && n_different++ == 0) UNSCOPED_INFO("element " << i << ": " << got[i] << " against " << want[i]);
    }
    CHECK(n_different == 0);
  }
}

TEST_CASE("numbers outside of what gguf defines are clamped, not wrapped") {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float extreme : {1e-45f, 1e-39f, 3e38f, infinity, -infinity, std::numeric_limits<float>::quiet_NaN()}) {
    std::vector<float> x(32, 0.5f);
    x[3] = extreme;
    for (const DTypeInfo& info : kDTypes) {
      if (!can_quantize(info.dtype)) continue;
      std::vector<std::byte> bytes(static_cast<size_t>(row_bytes(info.dtype, 32)));
      quantize_row(info.dtype, x.data(), bytes.data(), 32);  // under a sanitizer: no undefined conversion
    }
  }
  // The largest magnitude is 2^-126: its exponent - 2 + 127 is -1, below the least scale.
  std::vector<float> tiny(32, 0x1p-126f);
  BlockMXFP4 block;
  quantize(tiny.data(), block);
  CHECK(block.e == 0);
}
