// linear, ffn, moe and matmul on every weight format that has panels, with widths and rows that are no multiple of a
// tile.
#include "agree.hpp"

using namespace tenon;
using namespace tenon::test;

namespace {

constexpr DType kFormats[] = {DType::f32,  DType::f16,    DType::bf16,   DType::q4_0, DType::q4_1, DType::q5_0,
                              DType::q5_1, DType::q8_0,   DType::q2_K,   DType::q3_K, DType::q4_K, DType::q5_K,
                              DType::q6_K, DType::iq4_nl, DType::iq4_xs, DType::mxfp4};

int64_t block_of(DType dtype) { return std::max<int64_t>(32, info_of(dtype).block_elements); }

OpCase linear_case(std::vector<Weight> weights, uint32_t n_weights, bool has_add, float scale,
                   uint32_t numeric_class = TENON_CLASS_DEFAULT) {
  return op_case("linear", tenon_linear_params{0, n_weights, has_add ? 1u : 0u, scale}, std::move(weights),
                 numeric_class);
}

}  // namespace

TEST_CASE("linear gives the reference's bits in every format, for any rows and outputs") {
  for (const DType dtype : kFormats) {
    for (const int64_t n_outputs : {1, 7, 8, 40, 257}) {
      for (const int64_t blocks : {1, 5}) {
        Random random(static_cast<uint64_t>(n_outputs * 10 + blocks));
        const int64_t k = blocks * block_of(dtype);
        const OpCase made = linear_case({random_weight(random, dtype, {n_outputs, k})}, 1, false, 1.0f);
        for (const int64_t n_rows : {1, 2, 3, 4, 7, 33}) {
          INFO(info_of(dtype).name << " [" << n_outputs << ", " << k << "] by " << n_rows << " rows");
          check_agree(made, {.in = {random_rows(random, n_rows, k)}, .out_widths = {n_outputs}});
        }
      }
    }
  }
}

TEST_CASE("block formats give the reference's bits in the class f32 too") {
  for (const DType dtype : kFormats) {
    for (const int64_t n_outputs : {5, 40}) {
      Random random(static_cast<uint64_t>(n_outputs));
      const int64_t k = 3 * block_of(dtype);
      const OpCase made = linear_case({random_weight(random, dtype, {n_outputs, k})}, 1, false, 1.0f, TENON_CLASS_F32);
      CHECK(BoundOp::ask(backend("avx2"), made).numeric_class == TENON_CLASS_F32);
      for (const int64_t n_rows : {1, 3, 9}) {
        INFO(info_of(dtype).name << ", " << n_outputs << " outputs by " << n_rows << " rows");
        check_agree(made, {.in = {random_rows(random, n_rows, k)}, .out_widths = {n_outputs}});
      }
    }
  }
}

TEST_CASE("linear of plain weights takes widths that are no multiple of anything") {
  for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) {
    for (const int64_t k : {1, 31, 257}) {
      Random random(static_cast<uint64_t>(k));
      const OpCase made = linear_case({random_weight(random, dtype, {19, k})}, 1, false, 1.0f);
      check_agree(made, {.in = {random_rows(random, 5, k)}, .out_widths = {19}});
    }
  }
}

TEST_CASE("linear with several weights, biases, a scale and a residual gives the reference's bits") {
  Random random(3);
  const OpCase several = linear_case(
      {random_weight(random, DType::q4_1, {72, 64}), random_weight(random, DType::q8_0, {9, 64}),
       random_weight(random, DType::f16, {24, 64}), random_vector(random, 72), Weight{}, random_vector(random, 24)},
      3, false, 1.0f);
  check_agree(several, {.in = {random_rows(random, 10, 64)}, .out_widths = {72, 9, 24}});
  const OpCase residual =
      linear_case({random_weight(random, DType::q6_K, {33, 256}), random_vector(random, 33)}, 1, true, 0.25f);
  check_agree(residual, {.in = {random_rows(random, 6, 256), random_rows(random, 6, 33)}, .out_widths = {33}});
  check_agree(residual,
              {.in = {random_rows(random, 6, 256), random_rows(random, 6, 33)}, .out_widths = {33}, .same_as = {1}});
}

TEST_CASE("infinities, NaN and zeros in a row come out as the reference has them") {
  Random random(4);
  const OpCase made = linear_case({random_weight(random, DType::q4_0, {16, 96})}, 1, false, 1.0f);
  Rows rows = random_rows(random, 6, 96);
  std::fill_n(rows.values.begin(), 96, 0.0f);
  rows.row(1)[40] = std::numeric_limits<float>::infinity();
  rows.row(2)[0] = std::numeric_limits<float>::quiet_NaN();
  for (float& value : rows.row(3)) value *= 1e-40f;
  for (float& value : rows.row(4)) value *= 1e30f;
  check_agree(made, {.in = {rows}, .out_widths = {16}});
}

TEST_CASE("mxfp4 scales of 0, 1, 254 and 255 come out as the reference has them") {
  Random random(5);
  Weight w = random_weight(random, DType::mxfp4, {16, 32});
  constexpr uint8_t kScales[] = {0, 1, 2, 254, 255};
  for (size_t row = 0; row < 16; ++row) w.bytes[row * 17] = static_cast<std::byte>(kScales[row % 5]);
  check_agree(linear_case({w}, 1, false, 1.0f), {.in = {random_rows(random, 5, 32)}, .out_widths = {16}});
}

TEST_CASE("packed rows come back exactly dequantized") {
  for (const DType dtype : kFormats) {
    Random random(6);
    const int64_t k = 2 * block_of(dtype);
    const OpCase made = linear_case({random_weight(random, dtype, {21, k})}, 1, false, 1.0f);
    const BoundOp reference(backend("reference"), made), avx2(backend("avx2"), made);
    const std::vector<int32_t> rows{20, 0, 7, 8, 15, 7};
    INFO(info_of(dtype).name);
    check_same({avx2.unpack_rows(0, rows, k)}, {reference.unpack_rows(0, rows, k)});
  }
}

TEST_CASE("ffn gives the reference's bits for every format and activation") {
  for (const DType dtype : kFormats) {
    const int64_t k = block_of(dtype), inner = dtype == DType::f32 ? 37 : 3 * k;
    for (const uint32_t kind : {TENON_ACT_IDENTITY, TENON_ACT_SILU, TENON_ACT_GELU, TENON_ACT_SWIGLU_OAI}) {
      Random random(kind + 1);
      const tenon_ffn_params params{0, 1, {kind, 1.702f, 7.0f}};
      const OpCase made = op_case("ffn", params,
                                  {random_weight(random, dtype, {inner, k}), random_weight(random, dtype, {inner, k}),
                                   random_weight(random, dtype, {k, inner}), random_vector(random, inner),
                                   random_vector(random, inner), random_vector(random, k)});
      for (const int64_t n_rows : {1, 5, 40}) {
        INFO(info_of(dtype).name << ", activation " << kind << ", " << n_rows << " rows");
        check_agree(made, {.in = {random_rows(random, n_rows, k), random_rows(random, n_rows, k)},
                           .out_widths = {k},
                           .same_as = {1}});
      }
    }
  }
}

TEST_CASE("moe gives the reference's bits for every format, route and shared expert") {
  constexpr int64_t kHidden = 256, kInner = 256, kShared = 512;
  for (const DType dtype : kFormats) {
    for (const uint32_t way : {TENON_ROUTE_SOFTMAX_THEN_SELECT, TENON_ROUTE_SELECT_THEN_SOFTMAX, TENON_ROUTE_SIGMOID}) {
      Random random(way + 1);
      tenon_moe_params params{};
      params.has_add = 1;
      params.n_experts = 5;
      params.experts_used = 2;
      params.route = way;
      params.renormalize = way == TENON_ROUTE_SOFTMAX_THEN_SELECT ? 1 : 0;
      params.weights_scale = way == TENON_ROUTE_SIGMOID ? 2.5f : 1.0f;
      params.activation = {TENON_ACT_SILU, 0.0f, 0.0f};
      std::vector<Weight> weights(TENON_MOE_N_WEIGHTS);
      weights[TENON_MOE_ROUTER] = random_weight(random, DType::f32, {5, kHidden});
      weights[TENON_MOE_GATE] = random_weight(random, dtype, {5, kInner, kHidden});
      weights[TENON_MOE_UP] = random_weight(random, dtype, {5, kInner, kHidden});
      weights[TENON_MOE_DOWN] = random_weight(random, dtype, {5, kHidden, kInner});
      if (way != TENON_ROUTE_SOFTMAX_THEN_SELECT) {
        weights[TENON_MOE_ROUTER_BIAS] = random_vector(random, 5);
        weights[TENON_MOE_GATE_BIAS] = random_weight(random, DType::f32, {5, kInner});
        weights[TENON_MOE_UP_BIAS] = random_weight(random, DType::f32, {5, kInner});
        weights[TENON_MOE_DOWN_BIAS] = random_weight(random, DType::f32, {5, kHidden});
      }
      if (way == TENON_ROUTE_SIGMOID) {
        weights[TENON_MOE_SELECTION_BIAS] = random_vector(random, 5);
        weights[TENON_MOE_SHARED_ROUTER] = random_weight(random, DType::f32, {1, kHidden});
        weights[TENON_MOE_SHARED_GATE] = random_weight(random, dtype, {kShared, kHidden});
        weights[TENON_MOE_SHARED_UP] = random_weight(random, dtype, {kShared, kHidden});
        weights[TENON_MOE_SHARED_DOWN] = random_weight(random, dtype, {kHidden, kShared});
      }
      const OpCase made = op_case("moe", params, weights);
      for (const int64_t n_rows : {1, 7, 41}) {
        INFO(info_of(dtype).name << ", route " << way << ", " << n_rows << " rows");
        check_agree(made, {.in = {random_rows(random, n_rows, kHidden, 0.2f), random_rows(random, n_rows, kHidden)},
                           .out_widths = {kHidden},
                           .same_as = {1}});
      }
    }
  }
}

TEST_CASE("experts whose rows are no multiple of a panel keep to themselves") {
  Random random(8);
  tenon_moe_params params{};
  params.n_experts = 3;
  params.experts_used = 1;
  params.weights_scale = 1.0f;
  params.activation = {TENON_ACT_GELU, 0.0f, 0.0f};
  std::vector<Weight> weights(TENON_MOE_N_WEIGHTS);
  weights[TENON_MOE_ROUTER] = random_weight(random, DType::f32, {3, 50});
  weights[TENON_MOE_GATE] = random_weight(random, DType::f16, {3, 21, 50});
  weights[TENON_MOE_UP] = random_weight(random, DType::f32, {3, 21, 50});
  weights[TENON_MOE_DOWN] = random_weight(random, DType::bf16, {3, 50, 21});
  check_agree(op_case("moe", params, weights), {.in = {random_rows(random, 9, 50)}, .out_widths = {50}});
}

TEST_CASE("matmul gives the reference's bits in f32, f16 and bf16") {
  for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) {
    for (const int64_t n : {1, 8, 45}) {
      for (const int64_t k : {1, 64, 129}) {
        Random random(static_cast<uint64_t>(n * k));
        const OpCase made = op_case("matmul", tenon_matmul_params{0, static_cast<uint32_t>(dtype)},
                                    {random_weight(random, dtype, {k, n})});
        for (const int64_t n_rows : {1, 4, 13}) {
          INFO(info_of(dtype).name << " " << n_rows << "x" << k << "x" << n);
          check_agree(made, {.in = {random_rows(random, n_rows, k)}, .out_widths = {n}, .dtype = dtype});
        }
      }
    }
  }
}
