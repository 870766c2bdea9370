// What the backend refuses, and the reasons it gives. Its results are tests/conformance's.
#include <support/kernel_runner.hpp>
#include <support/random_case.hpp>

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::test;

namespace {

const LoadedBackend& backend(const std::string& name) {
  static const LoadedBackend reference(std::string(TENON_TEST_PLUGINS) + "/reference.so");
  static const LoadedBackend avx2(std::string(TENON_TEST_PLUGINS) + "/avx2.so");
  return name == "avx2" ? avx2 : reference;
}

std::string refusal(const OpCase& made) {
  const tenon_support answer = BoundOp::ask(backend("avx2"), made);
  CHECK(answer.supported == 0);
  return answer.reason;
}

OpCase linear_of(DType dtype, uint32_t numeric_class) {
  Random random(1);
  return op_case("linear", tenon_linear_params{0, 1, 0, 1.0f}, {random_weight(random, dtype, {8, 256})}, numeric_class);
}

}  // namespace

TEST_CASE("every format that a weight can have is multiplied, integers are refused by name") {
  for (const DTypeInfo& info : kDTypes) {
    INFO(info.name);
    if (info.dtype == DType::i32 || info.dtype == DType::i64) continue;
    CHECK(BoundOp::ask(backend("avx2"), linear_of(info.dtype, TENON_CLASS_DEFAULT)).supported == 1);
  }
  OpCase integers = linear_of(DType::f32, TENON_CLASS_DEFAULT);
  integers.weights[0].tensor.dtype = TENON_I32;
  CHECK(refusal(integers) == "weight 0 is i32, expected a float or block format");
}

TEST_CASE("the class exact64 is refused by name") {
  CHECK(refusal(linear_of(DType::q4_0, TENON_CLASS_EXACT64)) ==
        "class exact64 is asked, expected default, f32 or int8");
}

TEST_CASE("pages of other formats, and of q8_0 with heads that are not whole blocks, are refused") {
  tenon_attention_params p{};
  p.kv_dtype = TENON_BF16;
  p.page_tokens = 16;
  p.n_heads = p.n_kv_heads = 1;
  p.head_dim = p.v_head_dim = 40;
  p.scale = 1.0f;
  CHECK(refusal(op_case("attention", p)) == "kv pages of bf16 are asked, expected f32, f16 or q8_0");
  p.kv_dtype = TENON_Q8_0;
  CHECK(refusal(op_case("attention", p)) ==
        "a head has 40 elements, expected a multiple of the block of 32 of q8_0 pages");
}

TEST_CASE("kernels are named after op, weight, class and ISA, and promise their invariance") {
  const tenon_support answer = BoundOp::ask(backend("avx2"), linear_of(DType::q4_K, TENON_CLASS_DEFAULT));
  CHECK(std::string(answer.kernel) == "linear_q4_K_int8_avx2");
  CHECK(answer.numeric_class == TENON_CLASS_INT8);
  CHECK((answer.row_invariant == 1 && answer.thread_invariant == 1));
}

TEST_CASE("an unknown revision, and a table of another dtype than asked, are refused by both") {
  for (const char* name : {"reference", "avx2"}) {
    Random random(1);
    const tenon_gather_params params{0, 1.0f, TENON_F16, 0};
    OpCase made = op_case("gather", params, {random_weight(random, DType::q8_0, {4, 32})});
    made.revision = 2;
    CHECK(std::string(BoundOp::ask(backend(name), made).reason) ==
          "the table is q8_0, expected f16 as the activations, which only f32 need not be");
    made.revision = 3;
    CHECK(std::string(BoundOp::ask(backend(name), made).reason) == "revision 3 of gather is asked, expected 1 to 2");
  }
}
