// Norms, rope, glu, softmax, means, sums, products, softcap and gather, with widths that leave every kind of tail.
#include "case.hpp"

#include <limits>

namespace tenon::test {
namespace {

constexpr int64_t kWidths[] = {1, 3, 7, 8, 9, 17, 31, 32, 33, 577};

std::string of_width(const char* what, int64_t width) {
  return std::string(what) + " of width " + std::to_string(width);
}

void visit_rows(const VisitCase& visit, int64_t width) {
  Random random(static_cast<uint64_t>(width));
  const Rows x = random_rows(random, 5, width, 4.0f), a = random_rows(random, 5, width);
  const Weight w = random_vector(random, width), bias = random_vector(random, width);
  const tenon_norm_params norm{0, 1e-5f, width, 1};
  visit({of_width("rms_norm", width), op_case("rms_norm", norm, {w}), {{.in = {x}, .out_widths = {width}}}});
  visit({of_width("layer_norm", width), op_case("layer_norm", norm, {w}), {{.in = {x}, .out_widths = {width}}}});
  visit({of_width("layer_norm with a bias", width),
         op_case("layer_norm", norm, {w, bias}),
         {{.in = {x}, .out_widths = {width}, .same_as = {0}}}});
  visit({of_width("softmax", width),
         op_case("softmax", tenon_rowwise_params{0, 0.7f, width}),
         {{.in = {x}, .out_widths = {width}}}});
  visit({of_width("reduce_mean", width),
         op_case("reduce_mean", tenon_rowwise_params{0, 1.0f, width}),
         {{.in = {x}, .out_widths = {1}}}});
  visit({of_width("softcap", width),
         op_case("softcap", tenon_softcap_params{0, 3.0f, width}),
         {{.in = {x}, .out_widths = {width}}}});
  for (const char* name : {"add", "mul"}) {
    const auto with = [&](const char* what) { return of_width((std::string(name) + what).c_str(), width); };
    visit({with(""), op_case(name, tenon_binary_params{0, 0, width}), {{.in = {x, a}, .out_widths = {width}}}});
    visit({with(" with one row"),
           op_case(name, tenon_binary_params{0, 1, width}),
           {{.in = {x, a.slice(0, 1)}, .out_widths = {width}, .n_rows = 5}}});
    visit({with(" with a constant"),
           op_case(name, tenon_binary_params{0, 0, width}, {w}),
           {{.in = {x}, .out_widths = {width}}}});
  }
}

void visit_glu(const VisitCase& visit) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();
  const Rows gate(1, {kInfinity, -kInfinity, kNan, 0.0f, -0.0f, 1e38f, -1e38f, 88.5f, -87.5f, 1.0f});
  const Rows up(1, {1.0f, 1.0f, 1.0f, kInfinity, kNan, 2.0f, 2.0f, -kInfinity, 9.0f, kNan});
  for (const uint32_t kind : {TENON_ACT_IDENTITY, TENON_ACT_SILU, TENON_ACT_GELU, TENON_ACT_SWIGLU_OAI}) {
    const std::string name = "glu, activation " + std::to_string(kind);
    const auto of = [&](int64_t width) { return op_case("glu", tenon_glu_params{0, {kind, 1.702f, 7.0f}, width}); };
    for (const int64_t width : kWidths) {
      Random random(static_cast<uint64_t>(width) + kind);
      std::vector<RunInput> runs;
      for (const float scale : {0.001f, 5.0f, 200.0f}) {
        runs.push_back({.in = {random_rows(random, 3, width, scale), random_rows(random, 3, width, scale)},
                        .out_widths = {width}});
      }
      visit({of_width(name.c_str(), width), of(width), runs});
    }
    visit({name + " of infinities and NaN", of(10), {{.in = {gate, up}, .out_widths = {10}}}});
  }
}

void visit_rope(const VisitCase& visit) {
  for (const uint32_t pairing : {TENON_PAIRING_INTERLEAVED, TENON_PAIRING_HALVES}) {
    for (const int64_t n_dims : {2, 6, 8, 10, 20, 64}) {
      Random random(static_cast<uint64_t>(n_dims));
      const int64_t head_dim = n_dims + 3;
      tenon_rope_params params{};
      params.pairing = pairing;
      params.n_in = 2;
      params.head_dim = head_dim;
      params.n_dims = n_dims;
      params.n_heads[0] = 3;
      params.n_heads[1] = 1;
      visit({"rope, pairing " + std::to_string(pairing) + ", of " + std::to_string(n_dims) + " dimensions",
             op_case("rope", params),
             {{.in = {random_rows(random, 4, 3 * head_dim), random_rows(random, 4, head_dim),
                      random_rows(random, 4, n_dims, 1.0f)},
               .out_widths = {3 * head_dim, head_dim},
               .same_as = {0, 1}}}});
    }
  }
}

/// The case as revision 2, which has a dtype of its activations.
OpCase revision_2(OpCase made) {
  made.revision = 2;
  return made;
}

void visit_halves(const VisitCase& visit, DType dtype) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();
  const std::string type(info_of(dtype).name);
  const auto id = static_cast<uint32_t>(dtype);
  for (const int64_t width : kWidths) {
    Random random(static_cast<uint64_t>(width));
    Rows a = random_rows(random, 4, width), b = random_rows(random, 4, width);
    const Weight w = random_weight(random, dtype, {width});
    a.row(1)[0] = kInfinity;
    b.row(1)[0] = -kInfinity;
    a.row(2)[0] = kNan;
    a.row(3)[0] = b.row(3)[0] = 6e4f;  // beyond f16 together
    for (const char* name : {"add", "mul"}) {
      const OpCase each = revision_2(op_case(name, tenon_binary_params{0, 0, width, id, 0}));
      const OpCase constant = revision_2(op_case(name, tenon_binary_params{0, 0, width, id, 0}, {w}));
      const std::string what = std::string(name) + " in " + type;
      visit({of_width(what.c_str(), width), each, {{.in = {a, b}, .out_widths = {width}, .dtype = dtype}}});
      visit({of_width((what + " with a constant").c_str(), width),
             constant,
             {{.in = {a}, .out_widths = {width}, .dtype = dtype}}});
    }
    for (const float scale : {1.0f, 3.3f}) {
      const Weight table = random_weight(random, dtype, {11, width});
      visit({of_width(("gather to " + type + " times " + std::to_string(scale)).c_str(), width),
             revision_2(op_case("gather", tenon_gather_params{0, scale, id, 0}, {table})),
             {{.in = {}, .out_widths = {width}, .tokens = {10, 0, 3, 3}, .dtype = dtype}}});
    }
  }
}

}  // namespace

void visit_elementwise_cases(const VisitCase& visit) {
  for (const int64_t width : kWidths) visit_rows(visit, width);
  visit_glu(visit);
  visit_rope(visit);
  visit_halves(visit, DType::f16);
  visit_halves(visit, DType::bf16);
  Random random(3);
  const tenon_norm_params groups{0, 1e-5f, 20, 3};
  const Rows x = random_rows(random, 5, 60);
  const Weight w = random_vector(random, 20);
  for (const char* name : {"rms_norm", "layer_norm"}) {
    visit({std::string(name) + " of three groups", op_case(name, groups, {w}), {{.in = {x}, .out_widths = {60}}}});
  }
  for (const DType dtype : {DType::f32, DType::f16, DType::q4_1, DType::q6_K, DType::mxfp4}) {
    const Weight table = random_weight(random, dtype, {11, 256});
    visit({"gather of " + std::string(info_of(dtype).name),
           op_case("gather", tenon_gather_params{0, 3.5f}, {table}),
           {{.in = {}, .out_widths = {256}, .tokens = {10, 0, 3, 3}}}});
  }
}

}  // namespace tenon::test
