// What the backend refuses, and that the reason names the thing, the value found and the value expected.
#include "golden.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::test;

namespace {

std::string refusal(const OpCase& made) {
  const tenon_support answer = BoundOp::ask(reference(), made);
  CHECK(answer.supported == 0);
  CHECK_THROWS(BoundOp(reference(), made));
  return answer.reason;
}

/// No bytes: supports sees shapes only.
Weight shape(DType dtype, const std::vector<int64_t>& dims) { return {tensor_of(dtype, dims), {}}; }

OpCase linear_of(std::vector<Weight> weights, uint32_t numeric_class = TENON_CLASS_DEFAULT) {
  return op_case("linear", tenon_linear_params{0, 1, 0, 1.0f}, std::move(weights), numeric_class);
}

tenon_attention_params attention_params() { return {0, TENON_F16, 16, 4, 2, 16, 16, 0, 1.0f, 0.0f, 0}; }

using Catch::Contains;
using Catch::Equals;

}  // namespace

TEST_CASE("an unknown op or revision is refused by name") {
  CHECK_THAT(refusal(op_case("conv3d", tenon_gather_params{})), Equals("op 'conv3d' is not known here"));
  tenon_op op{sizeof op, 3, "gather", 0, 0, nullptr, nullptr, 1};
  tenon_support answer{};
  reference().api().supports(reference().api().self, &op, &answer);
  CHECK(answer.supported == 0);
  CHECK_THAT(std::string(answer.reason), Equals("revision 3 of gather is asked, expected 1 to 2"));
}

TEST_CASE("rows that are no whole blocks are refused with the width and the block") {
  for (const DTypeInfo& info : kDTypes) {
    if (info.block_elements == 1) continue;
    const int64_t width = info.block_elements + 16;
    const std::string reason = refusal(linear_of({shape(info.dtype, {3, width})}));
    CHECK_THAT(reason,
               Contains("rows of " + std::to_string(width) + " elements") &&
                   Contains("block of " + std::to_string(info.block_elements) + " of " + std::string(info.name)));
  }
}

TEST_CASE("the class of a linear follows its weights and what is asked") {
  const auto class_of = [](DType dtype, uint32_t asked) {
    return BoundOp::ask(reference(), linear_of({shape(dtype, {3, 256})}, asked)).numeric_class;
  };
  for (const DTypeInfo& info : kDTypes) {
    if (info.dtype == DType::i32 || info.dtype == DType::i64) continue;
    const bool quantized = info.block_elements > 1;
    CHECK(class_of(info.dtype, TENON_CLASS_DEFAULT) == (quantized ? TENON_CLASS_INT8 : TENON_CLASS_F32));
    CHECK(class_of(info.dtype, TENON_CLASS_F32) == TENON_CLASS_F32);
    CHECK(class_of(info.dtype, TENON_CLASS_EXACT64) == TENON_CLASS_EXACT64);
  }
  CHECK(std::string(BoundOp::ask(reference(), linear_of({shape(DType::q4_1, {3, 64})})).kernel) ==
        "linear_q4_1_int8_reference");
}

TEST_CASE("a class that cannot be had is refused") {
  CHECK_THAT(refusal(linear_of({shape(DType::f16, {3, 64})}, TENON_CLASS_INT8)),
             Equals("class int8 is asked and the weights are f16, expected a block format"));
  CHECK_THAT(refusal(linear_of({shape(DType::f16, {3, 64})}, TENON_CLASS_OTHER)), Contains("class 4"));
  CHECK_THAT(refusal(op_case("glu", tenon_glu_params{0, {}, 8}, {}, 9)), Contains("class 9"));
}

TEST_CASE("weights of linear that do not fit are refused") {
  CHECK_THAT(refusal(linear_of({Weight{}})), Equals("weight 0 is missing"));
  CHECK_THAT(refusal(linear_of({shape(DType::i32, {3, 64})})),
             Equals("weight 0 is i32, expected a float or block format"));
  CHECK_THAT(refusal(linear_of({shape(DType::f32, {3, 64}), shape(DType::f32, {4})})),
             Equals("the bias of weight 0 has 4 elements, expected 3"));
  CHECK_THAT(refusal(linear_of({shape(DType::f32, {3, 64}), shape(DType::f16, {3})})),
             Equals("the bias of weight 0 is f16, expected f32"));
  const tenon_linear_params two{0, 2, 0, 1.0f};
  CHECK_THAT(refusal(op_case("linear", two, {shape(DType::f32, {3, 64}), shape(DType::f32, {3, 32})})),
             Equals("weight 1 has 32 elements a row, expected 64"));
  CHECK_THAT(refusal(op_case("linear", tenon_linear_params{0, 5, 0, 1.0f}, {shape(DType::f32, {3, 64})})),
             Contains("1 to 4"));
}

TEST_CASE("an unknown dtype is refused by number") {
  Weight odd = shape(DType::f32, {3, 64});
  odd.tensor.dtype = 99;
  CHECK_THAT(refusal(linear_of({odd})), Contains("dtype 99"));
  CHECK_THAT(refusal(op_case("gather", tenon_gather_params{0, 1.0f}, {odd})), Contains("dtype 99"));
}

TEST_CASE("attention that makes no sense is refused") {
  const auto reason = [](auto change) {
    tenon_attention_params params = attention_params();
    change(params);
    return refusal(op_case("attention", params));
  };
  CHECK_THAT(reason([](auto& p) { p.kv_dtype = TENON_Q4_0; }), Contains("q4_0") && Contains("f32, f16 or q8_0"));
  CHECK_THAT(reason([](auto& p) { p.page_tokens = 24; }), Contains("24") && Contains("power of two"));
  CHECK_THAT(reason([](auto& p) { p.page_tokens = 512; }), Contains("512"));
  CHECK_THAT(reason([](auto& p) { p.n_kv_heads = 3; }), Contains("4 heads over 3 kv heads"));
  CHECK_THAT(reason([](auto& p) { p.n_kv_heads = 0; }), Contains("4 heads over 0 kv heads"));
  CHECK_THAT(reason([](auto& p) { p.window = -1; }), Contains("window is -1"));
  CHECK_THAT(reason([](auto& p) { p.has_sinks = 1; }), Equals("the sink vector is missing"));
  CHECK_THAT(reason([](auto& p) { p.kv_dtype = TENON_Q8_0; }), Contains("16 elements") && Contains("block of 32"));
}

TEST_CASE("norms, rope and glu that make no sense are refused") {
  const Weight w = shape(DType::f32, {8});
  CHECK_THAT(refusal(op_case("rms_norm", tenon_norm_params{0, 0, 9, 1}, {w})),
             Equals("the weight has 8 elements, expected 9"));
  CHECK_THAT(refusal(op_case("layer_norm", tenon_norm_params{0, 0, 8, 1}, {w, shape(DType::f32, {7})})),
             Equals("the bias has 7 elements, expected 8"));
  CHECK_THAT(refusal(op_case("rope", tenon_rope_params{0, 0, 1, 0, 8, 10, {1, 0, 0, 0}})), Contains("n_dims is 10"));
  CHECK_THAT(refusal(op_case("rope", tenon_rope_params{0, 7, 1, 0, 8, 8, {1, 0, 0, 0}})), Contains("pairing 7"));
  CHECK_THAT(refusal(op_case("glu", tenon_glu_params{0, {9, 0, 0}, 8})), Contains("activation 9"));
  CHECK_THAT(refusal(op_case("softmax", tenon_rowwise_params{0, 1, 0})), Contains("width is 0"));
}

TEST_CASE("ffn and moe name the weight that does not fit") {
  const Weight gate = shape(DType::f32, {64, 32}), down = shape(DType::f32, {32, 64});
  const tenon_ffn_params ffn{0, 0, {TENON_ACT_SILU, 0, 0}};
  CHECK_THAT(refusal(op_case("ffn", ffn, {gate, shape(DType::f32, {63, 32}), down})),
             Equals("up has 63 rows, expected 64"));
  CHECK_THAT(refusal(op_case("ffn", ffn, {gate, gate, gate})), Equals("down has 32 elements a row, expected 64"));

  const auto moe = [](uint32_t n, uint32_t used, std::vector<Weight> weights) {
    return op_case("moe", tenon_moe_params{0, 0, n, used, 0, 0, 1.0f, {TENON_ACT_SILU, 0, 0}}, std::move(weights));
  };
  const Weight router = shape(DType::f32, {4, 32}), experts = shape(DType::f32, {4, 64, 32}),
               downs = shape(DType::f32, {4, 32, 64});
  CHECK(BoundOp::ask(reference(), moe(4, 2, {router, experts, experts, downs})).supported == 1);
  CHECK_THAT(refusal(moe(4, 5, {router, experts, experts, downs})), Contains("5 of 4 experts"));
  CHECK_THAT(refusal(moe(0, 0, {router, experts, experts, downs})), Contains("0 of 0 experts"));
  CHECK_THAT(refusal(moe(5, 2, {router, experts, experts, downs})), Equals("the router has 4 rows, expected 5"));
  CHECK_THAT(refusal(moe(4, 2, {router, experts, experts, experts})),
             Contains("the experts' down has 32 elements a row"));
  std::vector<Weight> shared(TENON_MOE_N_WEIGHTS);
  shared[0] = router, shared[1] = shared[2] = experts, shared[3] = downs;
  shared[TENON_MOE_SHARED_UP] = gate;
  CHECK_THAT(refusal(moe(4, 2, shared)), Equals("the shared expert's gate is missing"));
}

TEST_CASE("a mixed ffn or moe is int8 when one of its weights is a block format") {
  const Weight f32 = shape(DType::f32, {32, 32}), q8 = shape(DType::q8_0, {32, 32});
  const tenon_ffn_params ffn{0, 0, {TENON_ACT_SILU, 0, 0}};
  CHECK(BoundOp::ask(reference(), op_case("ffn", ffn, {f32, f32, f32})).numeric_class == TENON_CLASS_F32);
  CHECK(BoundOp::ask(reference(), op_case("ffn", ffn, {f32, f32, q8})).numeric_class == TENON_CLASS_INT8);
  CHECK(BoundOp::ask(reference(), op_case("ffn", ffn, {f32, f32, q8}, TENON_CLASS_INT8)).numeric_class ==
        TENON_CLASS_INT8);
  CHECK(BoundOp::ask(reference(), op_case("ffn", ffn, {f32, f32, q8}, TENON_CLASS_F32)).numeric_class ==
        TENON_CLASS_F32);
}
