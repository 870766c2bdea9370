// Norms, rope, glu, softmax, means, sums, products and gather, with widths that leave tails.
#include "agree.hpp"

using namespace tenon;
using namespace tenon::test;

namespace {

constexpr int64_t kWidths[] = {1, 7, 8, 9, 64, 100, 577};

}  // namespace

TEST_CASE("norms give the reference's bits") {
  for (const int64_t width : kWidths) {
    for (const int64_t groups : {1, 3}) {
      Random random(static_cast<uint64_t>(width));
      const Rows x = random_rows(random, 5, width * groups, 4.0f);
      const tenon_norm_params params{0, 1e-5f, width, groups};
      INFO(width << " by " << groups);
      check_agree(op_case("rms_norm", params, {random_vector(random, width)}),
                  {.in = {x}, .out_widths = {width * groups}});
      check_agree(op_case("layer_norm", params, {random_vector(random, width), random_vector(random, width)}),
                  {.in = {x}, .out_widths = {width * groups}, .same_as = {0}});
      check_agree(op_case("layer_norm", params, {random_vector(random, width)}),
                  {.in = {x}, .out_widths = {width * groups}});
    }
  }
}

TEST_CASE("rope gives the reference's bits in both pairings, with dimensions left alone") {
  for (const uint32_t pairing : {TENON_PAIRING_INTERLEAVED, TENON_PAIRING_HALVES}) {
    for (const int64_t n_dims : {2, 6, 16, 20, 64}) {
      Random random(static_cast<uint64_t>(n_dims));
      const int64_t head_dim = n_dims + 3;
      tenon_rope_params params{};
      params.pairing = pairing;
      params.n_in = 2;
      params.head_dim = head_dim;
      params.n_dims = n_dims;
      params.n_heads[0] = 3;
      params.n_heads[1] = 1;
      check_agree(op_case("rope", params),
                  {.in = {random_rows(random, 4, 3 * head_dim), random_rows(random, 4, head_dim),
                          random_rows(random, 4, n_dims, 1.0f)},
                   .out_widths = {3 * head_dim, head_dim},
                   .same_as = {0, 1}});
    }
  }
}

TEST_CASE("glu gives the reference's bits for values of any size") {
  for (const uint32_t kind : {TENON_ACT_IDENTITY, TENON_ACT_SILU, TENON_ACT_GELU, TENON_ACT_SWIGLU_OAI}) {
    for (const int64_t width : kWidths) {
      for (const float scale : {0.001f, 5.0f, 200.0f}) {
        Random random(static_cast<uint64_t>(width) + kind);
        check_agree(op_case("glu", tenon_glu_params{0, {kind, 1.702f, 7.0f}, width}),
                    {.in = {random_rows(random, 3, width, scale), random_rows(random, 3, width, scale)},
                     .out_widths = {width}});
      }
    }
  }
}

TEST_CASE("infinities and NaN go through glu as the reference has them") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();
  const Rows gate(1, {kInfinity, -kInfinity, kNan, 0.0f, -0.0f, 1e38f, -1e38f, 88.5f, -87.5f, 1.0f});
  const Rows up(1, {1.0f, 1.0f, 1.0f, kInfinity, kNan, 2.0f, 2.0f, -kInfinity, 9.0f, kNan});
  for (const uint32_t kind : {TENON_ACT_IDENTITY, TENON_ACT_SILU, TENON_ACT_GELU, TENON_ACT_SWIGLU_OAI}) {
    INFO("activation " << kind);
    check_agree(op_case("glu", tenon_glu_params{0, {kind, 1.702f, 7.0f}, 10}), {.in = {gate, up}, .out_widths = {10}});
  }
}

TEST_CASE("softmax and means give the reference's bits") {
  for (const int64_t width : kWidths) {
    Random random(static_cast<uint64_t>(width));
    const Rows x = random_rows(random, 5, width, 9.0f);
    check_agree(op_case("softmax", tenon_rowwise_params{0, 0.7f, width}), {.in = {x}, .out_widths = {width}});
    check_agree(op_case("reduce_mean", tenon_rowwise_params{0, 1.0f, width}), {.in = {x}, .out_widths = {1}});
  }
}

TEST_CASE("softcap gives the reference's bits") {
  for (const int64_t width : kWidths) {
    Random random(static_cast<uint64_t>(width));
    check_agree(op_case("softcap", tenon_softcap_params{0, 30.0f, width}),
                {.in = {random_rows(random, 3, width, 90.0f)}, .out_widths = {width}});
  }
}

TEST_CASE("sums and products give the reference's bits, with a row, a broadcast row and a constant") {
  for (const char* name : {"add", "mul"}) {
    for (const int64_t width : kWidths) {
      Random random(static_cast<uint64_t>(width));
      const Rows a = random_rows(random, 4, width), b = random_rows(random, 4, width);
      check_agree(op_case(name, tenon_binary_params{0, 0, width}), {.in = {a, b}, .out_widths = {width}});
      check_agree(op_case(name, tenon_binary_params{0, 1, width}),
                  {.in = {a, b.slice(0, 1)}, .out_widths = {width}, .n_rows = 4});
      check_agree(op_case(name, tenon_binary_params{0, 0, width}, {random_vector(random, width)}),
                  {.in = {a}, .out_widths = {width}});
    }
  }
}

TEST_CASE("gather takes scaled rows of a table in any format") {
  for (const DType dtype : {DType::f32, DType::f16, DType::bf16, DType::q4_1, DType::q2_K, DType::q6_K, DType::mxfp4}) {
    Random random(9);
    const OpCase made = op_case("gather", tenon_gather_params{0, 3.5f}, {random_weight(random, dtype, {11, 256})});
    INFO(info_of(dtype).name);
    check_agree(made, {.in = {}, .out_widths = {256}, .tokens = {10, 0, 3, 3}});
  }
}

namespace {

/// The case as revision 2, which has a dtype of its activations.
OpCase revision_2(OpCase made) {
  made.revision = 2;
  return made;
}

}  // namespace

TEST_CASE("sums and products of f16 and bf16 give the reference's bits") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();
  for (const DType dtype : {DType::f16, DType::bf16}) {
    for (const char* name : {"add", "mul"}) {
      for (const int64_t width : kWidths) {
        Random random(static_cast<uint64_t>(width));
        Rows a = random_rows(random, 4, width), b = random_rows(random, 4, width);
        a.row(1)[0] = kInfinity;
        b.row(1)[0] = -kInfinity;
        a.row(2)[0] = kNan;
        a.row(3)[0] = b.row(3)[0] = 6e4f;  // beyond f16 together
        INFO(info_of(dtype).name << " " << name << " of " << width);
        const tenon_binary_params each{0, 0, width, static_cast<uint32_t>(dtype), 0};
        check_agree(revision_2(op_case(name, each)), {.in = {a, b}, .out_widths = {width}, .dtype = dtype});
        const tenon_binary_params broadcast{0, 1, width, static_cast<uint32_t>(dtype), 0};
        check_agree(revision_2(op_case(name, broadcast)),
                    {.in = {a, b.slice(0, 1)}, .out_widths = {width}, .n_rows = 4, .dtype = dtype});
        check_agree(revision_2(op_case(name, each, {random_weight(random, dtype, {width})})),
                    {.in = {a}, .out_widths = {width}, .dtype = dtype});
      }
    }
  }
}

TEST_CASE("gather to f16 and bf16 gives the reference's bits, scaled or not") {
  for (const DType dtype : {DType::f16, DType::bf16}) {
    for (const int64_t width : {7, 300}) {
      for (const float scale : {1.0f, 3.3f}) {
        Random random(9);
        const tenon_gather_params params{0, scale, static_cast<uint32_t>(dtype), 0};
        const OpCase made = revision_2(op_case("gather", params, {random_weight(random, dtype, {11, width})}));
        check_agree(made, {.in = {}, .out_widths = {width}, .tokens = {10, 0, 3, 3}, .dtype = dtype});
      }
    }
  }
}

TEST_CASE("an unknown revision, and a table of another dtype than asked, are refused by both") {
  for (const char* name : {"reference", "avx2"}) {
    Random random(1);
    const tenon_gather_params params{0, 1.0f, TENON_F16, 0};
    OpCase made = revision_2(op_case("gather", params, {random_weight(random, DType::q8_0, {4, 32})}));
    CHECK(std::string(BoundOp::ask(backend(name), made).reason) ==
          "the table is q8_0, expected f16 as the activations, which only f32 need not be");
    made.revision = 3;
    CHECK(std::string(BoundOp::ask(backend(name), made).reason) == "revision 3 of gather is asked, expected 1 to 2");
  }
}
