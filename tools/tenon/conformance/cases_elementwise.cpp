// add, mul, reduce_mean, softmax, norms, rope, glu, softcap and gather, at widths around those of vectors of 4, 8 and
// 16 and of models, and a prime.
#include <conformance/case.hpp>

#include <limits>

namespace tenon::conformance {
namespace {

constexpr int64_t kWidths[] = {1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 127, 257, 576, 640, 2879, 2880};
constexpr uint32_t kActivations[] = {TENON_ACT_IDENTITY, TENON_ACT_SILU, TENON_ACT_GELU, TENON_ACT_SWIGLU_OAI};
constexpr const char* kActivationNames[] = {"identity", "silu", "gelu", "swiglu_oai"};

bool is_quick(int64_t width) { return width == 1 || width == 9 || width == 33 || width == 257; }

/// Calls f(rows, width, quick): every width with one and five rows, and no row at all once.
template <class F>
void for_sizes(F&& f) {
  f(int64_t{0}, int64_t{33}, true);
  for (const int64_t width : kWidths) {
    for (const int64_t rows : {1, 5}) f(rows, width, is_quick(width));
  }
}

/// The case as asked for activations of f16 or bf16: by revision 2, which has a dtype.
OpCase of_dtype(OpCase made, DType dtype) {
  if (dtype != DType::f32) made.revision = 2;
  return made;
}

/// In f32, f16 and bf16. Random rows; where there are five, also infinities, NaN and a sum beyond f16.
Made binary(Random& random, const std::string& op, DType dtype, int64_t n, int64_t width, bool broadcast,
            bool constant) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();
  const tenon_binary_params params{0, broadcast ? 1u : 0u, width, static_cast<uint32_t>(dtype), 0};
  RunInput input{.in = {random_rows(random, n, width)}, .out_widths = {width}, .n_rows = n, .dtype = dtype};
  if (!constant) input.in.push_back(random_rows(random, broadcast ? 1 : n, width));
  if (n == 5) {
    input.in[0].row(1)[0] = kInfinity;
    input.in[0].row(2)[0] = kNan;
    input.in[0].row(3)[0] = input.in[0].row(4)[0] = 6e4f;
    if (!constant && !broadcast) input.in[1].row(1)[0] = -kInfinity;
    if (!constant && !broadcast) input.in[1].row(3)[0] = 6e4f;
  }
  std::vector<Weight> weights;
  if (constant) weights.push_back(random_weight(random, dtype, {width}));
  return one_run(of_dtype(op_case(op, params, std::move(weights)), dtype), std::move(input));
}

void add_binary(CaseList& list, const std::string& op, DType dtype) {
  for_sizes([&](int64_t n, int64_t width, bool quick) {
    const std::string format(info_of(dtype).name), size = size_text({n, width});
    const auto add = [&](const char* how, bool broadcast, bool constant) {
      list.add(op, format, false, size + how, quick,
               [=](Random& random) { return binary(random, op, dtype, n, width, broadcast, constant); });
    };
    add("", false, false);
    add(" broadcast", true, false);
    add(" constant", false, true);
  });
}

void add_rowwise(CaseList& list) {
  for_sizes([&](int64_t n, int64_t width, bool quick) {
    list.add("reduce_mean", "f32", false, size_text({n, width}), quick, [=](Random& random) {
      return one_run(op_case("reduce_mean", tenon_rowwise_params{0, 1.0f, width}),
                     {.in = {random_rows(random, n, width)}, .out_widths = {1}}, width);
    });
    for (const float scale : {1.0f, 0.7f}) {
      list.add("softmax", "f32", false, size_text({n, width}) + (scale == 1.0f ? "" : " scaled"), quick,
               [=](Random& random) {
                 return one_run(op_case("softmax", tenon_rowwise_params{0, scale, width}),
                                {.in = {random_rows(random, n, width, 9.0f)}, .out_widths = {width}});
               });
    }
    list.add("softcap", "f32", false, size_text({n, width}), quick, [=](Random& random) {
      return one_run(op_case("softcap", tenon_softcap_params{0, 30.0f, width}),
                     {.in = {random_rows(random, n, width, 90.0f)}, .out_widths = {width}, .same_as = {0}});
    });
  });
}

void add_norms(CaseList& list) {
  for_sizes([&](int64_t n, int64_t width, bool quick) {
    for (const int64_t groups : {1, 3}) {
      const std::string size = size_text({n, groups, width});
      const tenon_norm_params params{0, 1e-5f, width, groups};
      list.add("rms_norm", "f32", false, size, quick, [=](Random& random) {
        return one_run(op_case("rms_norm", params, {random_vector(random, width)}),
                       {.in = {random_rows(random, n, groups * width, 4.0f)}, .out_widths = {groups * width}}, width);
      });
      list.add("rms_norm", "f32", false, size + " in place", quick, [=](Random& random) {
        return one_run(
            op_case("rms_norm", params, {random_vector(random, width)}),
            {.in = {random_rows(random, n, groups * width, 4.0f)}, .out_widths = {groups * width}, .same_as = {0}},
            width);
      });
      list.add("layer_norm", "f32", false, size + " bias, in place", quick, [=](Random& random) {
        return one_run(
            op_case("layer_norm", params, {random_vector(random, width), random_vector(random, width)}),
            {.in = {random_rows(random, n, groups * width, 4.0f)}, .out_widths = {groups * width}, .same_as = {0}},
            width);
      });
      list.add("layer_norm", "f32", false, size, quick, [=](Random& random) {
        return one_run(op_case("layer_norm", params, {random_vector(random, width), Weight{}}),
                       {.in = {random_rows(random, n, groups * width, 4.0f)}, .out_widths = {groups * width}}, width);
      });
    }
  });
}

void add_rope(CaseList& list) {
  for (const uint32_t pairing : {TENON_PAIRING_INTERLEAVED, TENON_PAIRING_HALVES}) {
    for (const int64_t n_dims : {0, 2, 6, 14, 16, 18, 20, 64, 128}) {
      for (const int64_t left_alone : {0, 3}) {
        for (const int64_t n : {0, 1, 5}) {
          const int64_t head_dim = n_dims + left_alone;
          if (head_dim == 0) continue;
          tenon_rope_params params{};
          params.pairing = pairing;
          params.n_in = 2;
          params.head_dim = head_dim;
          params.n_dims = n_dims;
          params.n_heads[0] = 3;
          params.n_heads[1] = 1;
          const std::string name = pairing == TENON_PAIRING_HALVES ? "halves " : "interleaved ";
          list.add("rope", "f32", false, name + size_text({n, n_dims}) + " of " + std::to_string(head_dim),
                   n_dims == 2 || n_dims == 20, [=](Random& random) {
                     return one_run(op_case("rope", params),
                                    {.in = {random_rows(random, n, 3 * head_dim), random_rows(random, n, head_dim),
                                            random_rows(random, n, n_dims, 1.0f)},
                                     .out_widths = {3 * head_dim, head_dim},
                                     .same_as = {0, 1}},
                                    2);
                   });
        }
      }
    }
  }
}

Made special_glu(uint32_t kind) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();
  const Rows gate(1, {kInfinity, -kInfinity, kNan, 0.0f, -0.0f, 1e38f, -1e38f, 88.5f, -87.5f, 1.0f, 1e-40f});
  const Rows up(1, {1.0f, 1.0f, 1.0f, kInfinity, kNan, 2.0f, 2.0f, -kInfinity, 9.0f, kNan, 1.0f});
  Made made = one_run(op_case("glu", tenon_glu_params{0, {kind, 1.702f, 7.0f}, gate.width}),
                      {.in = {gate, up}, .out_widths = {gate.width}});
  made.has_oracle = false;
  return made;
}

void add_glu(CaseList& list) {
  for (const uint32_t kind : kActivations) {
    const std::string name = kActivationNames[kind];
    for_sizes([&](int64_t n, int64_t width, bool quick) {
      for (const float scale : {0.001f, 5.0f, 200.0f}) {
        const std::string range = scale == 5.0f ? "" : (scale < 1.0f ? " small" : " large");
        list.add("glu", "f32", false, name + " " + size_text({n, width}) + range, quick, [=](Random& random) {
          return one_run(op_case("glu", tenon_glu_params{0, {kind, 1.702f, 7.0f}, width}),
                         {.in = {random_rows(random, n, width, scale), random_rows(random, n, width, scale)},
                          .out_widths = {width}});
        });
      }
    });
    list.add("glu", "f32", false, name + " infinities and NaN", true, [=](Random&) { return special_glu(kind); });
  }
}

/// mxfp4 blocks with the scales where its reading goes wrong: subnormal values, the largest, NaN.
Weight edge_scales(Random& random, int64_t rows, int64_t width) {
  Weight w = random_weight(random, DType::mxfp4, {rows, width});
  constexpr uint8_t kScales[] = {0, 1, 2, 254, 255};
  const size_t block = static_cast<size_t>(info_of(DType::mxfp4).block_bytes);
  for (size_t i = 0; i * block < w.bytes.size(); ++i) w.bytes[i * block] = static_cast<std::byte>(kScales[i % 5]);
  return w;
}

void add_gather(CaseList& list) {
  for (const DType dtype : kWeightFormats) {
    const std::string format(info_of(dtype).name);
    const int64_t block = block_of(dtype);
    for (const int64_t wanted : {int64_t{1}, int64_t{33}, int64_t{257}, int64_t{576}, int64_t{2880}}) {
      const int64_t width = (wanted + block - 1) / block * block;
      if (wanted == 33 && block == 256) continue;  // the same as 1
      for (const int64_t n : {0, 1, 5}) {
        const std::vector<int32_t> tokens{10, 0, 3, 3, 10};
        list.add("gather", format, false, size_text({n, width}) + (n == 5 ? " scaled" : ""), wanted < 300,
                 [=](Random& random) {
                   Made made =
                       one_run(op_case("gather", tenon_gather_params{0, n == 5 ? 3.5f : 1.0f, TENON_F32, 0},
                                       {random_weight(random, dtype, {11, width})}),
                               {.in = {}, .out_widths = {width}, .tokens = {tokens.begin(), tokens.begin() + n}});
                   return made;
                 });
      }
    }
    if (dtype == DType::f16 || dtype == DType::bf16) {
      for (const float scale : {1.0f, 3.3f}) {
        const tenon_gather_params params{0, scale, static_cast<uint32_t>(dtype), 0};
        list.add("gather", format, false, "5x301 to " + format + (scale == 1.0f ? "" : " scaled"), true,
                 [=](Random& random) {
                   return one_run(of_dtype(op_case("gather", params, {random_weight(random, dtype, {11, 301})}), dtype),
                                  {.in = {}, .out_widths = {301}, .tokens = {10, 0, 3, 3, 10}, .dtype = dtype});
                 });
      }
    }
    if (dtype != DType::mxfp4) continue;
    list.add("gather", format, false, "scales of 0, 1, 2, 254 and 255", true, [](Random& random) {
      Made made = one_run(op_case("gather", tenon_gather_params{0, 1.0f, TENON_F32, 0}, {edge_scales(random, 5, 96)}),
                          {.in = {}, .out_widths = {96}, .tokens = {4, 0, 1, 2, 3}});
      made.has_oracle = false;
      return made;
    });
  }
}

}  // namespace

void add_elementwise_cases(CaseList& list) {
  add_gather(list);
  for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) {
    for (const char* op : {"add", "mul"}) add_binary(list, op, dtype);
  }
  add_rowwise(list);
  add_norms(list);
  add_rope(list);
  add_glu(list);
}

}  // namespace tenon::conformance
