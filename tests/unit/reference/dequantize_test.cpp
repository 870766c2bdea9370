// Every block format against the PyPI package gguf (golden_blocks.py): random bytes, all bit patterns of scales.
#include "golden.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::test;

TEST_CASE("every block format gives back what the gguf package reads from the same bytes") {
  for (const DTypeInfo& info : kDTypes) {
    if (info.block_elements == 1) continue;
    const std::string name(info.name);
    INFO(name);
    const std::vector<std::byte>& blocks = Golden::get().bytes("dequantize/" + name + "/blocks");
    const std::vector<float> want = Golden::get().floats("dequantize/" + name + "/values");
    const int64_t n = static_cast<int64_t>(blocks.size()) / info.block_bytes;
    const OpCase table = op_case("gather", tenon_gather_params{0, 1.0f},
                                 {Weight{tensor_of(info.dtype, {n, info.block_elements}), blocks}});
    const BoundOp op(reference(), table);
    std::vector<int32_t> rows;
    for (int32_t i = 0; i < n; ++i) rows.push_back(i);
    const Rows got = op.unpack_rows(0, rows, info.block_elements);
    CHECK(most_ulps(got.values, want) == 0);
  }
}

TEST_CASE("an mxfp4 block with scale byte 255 is NaN, with 0 and 1 it is subnormal") {
  // e2m1 code 2 is 1.0, code 1 is 0.5: 2^(e - 127) and half of it. Block: e, then sixteen bytes of two codes.
  std::vector<uint8_t> blocks;
  for (const uint8_t e : {uint8_t{0}, uint8_t{1}, uint8_t{127}, uint8_t{255}}) {
    blocks.push_back(e);
    blocks.insert(blocks.end(), 16, 0x21);
  }
  const OpCase table = op_case("gather", tenon_gather_params{0, 1.0f}, {weight(DType::mxfp4, {4, 32}, blocks)});
  const Rows got = BoundOp(reference(), table).unpack_rows(0, {0, 1, 2, 3}, 32);
  CHECK(got.values[0] == 0x1p-128f);
  CHECK(got.values[16] == 0x1p-127f);
  CHECK(got.values[32] == 0x1p-127f);
  CHECK(got.values[48] == 0x1p-126f);
  CHECK(got.values[64] == 0.5f);
  CHECK(got.values[80] == 1.0f);
  CHECK(std::isnan(got.values[96]));
}

TEST_CASE("plain types give back their values and packing keeps the order of the file") {
  const std::vector<float> values = {1.0f, -2.5f, 0.0f, 65504.0f, 6.103515625e-5f, -0.75f};
  std::vector<uint16_t> f16, bf16;
  for (const float v : values) {
    f16.push_back(f32_to_f16(v));
    bf16.push_back(static_cast<uint16_t>(std::bit_cast<uint32_t>(v) >> 16));
  }
  const auto rows_of_table = [](Weight table) {
    return BoundOp(reference(), op_case("gather", tenon_gather_params{0, 1.0f}, {std::move(table)}))
        .unpack_rows(0, {1, 0}, 3);
  };
  const std::vector<float> swapped = {65504.0f, 6.103515625e-5f, -0.75f, 1.0f, -2.5f, 0.0f};
  CHECK(rows_of_table(f32_weight({2, 3}, values)).values == swapped);
  CHECK(rows_of_table(weight(DType::f16, {2, 3}, f16)).values == swapped);
  // 65504 is 0x477FE000: bf16 cuts it to 0x477F0000 = 65280.
  const Rows cut = rows_of_table(weight(DType::bf16, {2, 3}, bf16));
  CHECK(cut.values[0] == 65280.0f);
  CHECK(cut.values[4] == -2.5f);
}

TEST_CASE("a row that the weight does not have is refused") {
  const BoundOp op(reference(),
                   op_case("gather", tenon_gather_params{0, 1.0f}, {f32_weight({2, 3}, {1, 2, 3, 4, 5, 6})}));
  CHECK_THROWS_WITH(op.unpack_rows(0, {2}, 3), Catch::Contains("row 2") && Catch::Contains("0 to 1"));
  CHECK_THROWS_WITH(op.unpack_rows(0, {-1}, 3), Catch::Contains("row -1"));
}
