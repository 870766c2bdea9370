// kv pages: their size, and what rounding does to keys and values that are no exact numbers of the pages' dtype.
#include "golden.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::test;

namespace {

/// One head of 32; `v` of one position. With one position the output is the kept value itself.
tenon_attention_params params_of(DType kv, uint32_t page_tokens = 8) {
  return {0, static_cast<uint32_t>(kv), page_tokens, 1, 1, 32, 32, 0, 1.0f, 0.0f, 0};
}

std::vector<float> kept_value(DType kv, const std::vector<float>& v) {
  const BoundOp op(reference(), op_case("attention", params_of(kv)));
  KvStore store(op.kv_plan(), 1);
  const Rows zeros = Rows::zeros(1, 32);
  return op.run({.in = {zeros, zeros, Rows(1, v)}, .out_widths = {32}, .sequences = {{1, 0, {0}}}, .kv = &store})[0]
      .values;
}

}  // namespace

TEST_CASE("a page holds the keys and values of its tokens and says how") {
  const auto plan_of = [](const tenon_attention_params& params) {
    return BoundOp(reference(), op_case("attention", params)).kv_plan();
  };
  CHECK(plan_of(params_of(DType::f32, 16)).page_bytes == 16 * 2 * 32 * 4);
  CHECK(plan_of(params_of(DType::f16, 16)).page_bytes == 16 * 2 * 32 * 2);
  CHECK(plan_of(params_of(DType::q8_0, 16)).page_bytes == 16 * 2 * 34);  // 17 lines
  CHECK(std::string(plan_of(params_of(DType::q8_0)).layout) == "kv/head-token-dim/q8_0/1");
  tenon_attention_params uneven = params_of(DType::f16, 8);
  uneven.head_dim = 5;
  uneven.v_head_dim = 3;
  CHECK(plan_of(uneven).page_bytes == 128);  // 8 * (5 + 3) * 2
  uneven.v_head_dim = 4;
  CHECK(plan_of(uneven).page_bytes == 192);  // 144, rounded up to lines
}

TEST_CASE("f32 pages keep every bit and f16 pages round to nearest even") {
  std::vector<float> v(32, 0.1f);
  v[0] = 2049.0f;     // a tie in f16: to 2048
  v[1] = 2051.0f;     // a tie: to 2052
  v[2] = 0x1p-25f;    // half of the smallest subnormal, a tie: to 0
  v[3] = 0x1.8p-24f;  // one and a half of it: to 2
  v[4] = -0x1.8p-15f;
  CHECK(kept_value(DType::f32, v) == v);
  const std::vector<float> kept = kept_value(DType::f16, v);
  CHECK(kept[0] == 2048.0f);
  CHECK(kept[1] == 2052.0f);
  CHECK(kept[2] == 0.0f);
  CHECK(kept[3] == 0x1p-23f);
  CHECK(kept[4] == -0x1.8p-15f);
  CHECK(kept[5] == 0x1.998p-4f);  // 0.1 with ten bits of fraction
}

TEST_CASE("every f16 number is given back by f16 pages as it is") {
  for (uint32_t first = 0; first < 0x10000; first += 32) {
    std::vector<float> v;
    for (uint32_t i = 0; i < 32; ++i) v.push_back(f16_to_f32(static_cast<uint16_t>(first + i)));
    REQUIRE(most_ulps(kept_value(DType::f16, v), v) == 0);
  }
}

TEST_CASE("q8_0 pages keep blocks of 32 with an f16 scale") {
  // amax 127: d = 1 exactly, q = rint(x).
  std::vector<float> v(32, 0.5f);
  v[0] = 127.0f;
  v[1] = 1.5f;
  v[2] = -3.25f;
  std::vector<float> want(32, 0.0f);
  want[0] = 127.0f;
  want[1] = 2.0f;
  want[2] = -3.0f;
  CHECK(kept_value(DType::q8_0, v) == want);
  // amax 1: d = f16(1/127) = 0x2008 = 2^-7 (1 + 8/1024); q = rint(127 x).
  v.assign(32, 0.25f);
  v[0] = -1.0f;
  const std::vector<float> kept = kept_value(DType::q8_0, v);
  CHECK(kept[0] == -127.0f * 0x1.02p-7f);
  CHECK(kept[1] == 32.0f * 0x1.02p-7f);
  CHECK(kept_value(DType::q8_0, std::vector<float>(32, 0.0f)) == std::vector<float>(32, 0.0f));
}

TEST_CASE("attention over q8_0 pages is near the same over f32 pages") {
  // Values are off by 1/127/sqrt(12) of about 1, scores by as much times |q| / sqrt(32): 1e-5 and 3e-6 of the power.
  const int64_t n = 40;
  Rows q = Rows::zeros(n, 32), k = q, v = q;
  for (size_t i = 0; i < q.values.size(); ++i) {
    q.values[i] = std::sin(0.7f * static_cast<float>(i));
    k.values[i] = std::sin(1.3f * static_cast<float>(i));
    v.values[i] = std::sin(2.9f * static_cast<float>(i) + 1);
  }
  const auto run = [&](DType kv) {
    tenon_attention_params params = params_of(kv);
    params.scale = 0.17677669f;
    const BoundOp op(reference(), op_case("attention", params));
    KvStore store(op.kv_plan(), 5);
    const RunInput input{.in = {q, k, v}, .out_widths = {32}, .sequences = {{n, 0, {4, 2, 0, 1, 3}}}, .kv = &store};
    return op.run(input)[0].values;
  };
  CHECK(nmse(run(DType::q8_0), run(DType::f32)) < 5e-5);
}
