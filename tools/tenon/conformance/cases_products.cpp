// matmul and linear: outputs and rows around tiles of 4, 8 and 16, primes, and the sizes of models.
#include <conformance/case.hpp>

#include <limits>

namespace tenon::conformance {
namespace {

struct Size {
  int64_t rows, k, outputs;
  bool quick;
};

std::string text_of(const Size& s) { return size_text({s.rows, s.k}) + " to " + std::to_string(s.outputs); }

/// Sums and rows vary about a small matrix, then some shapes of models.
std::vector<Size> sizes_for(int64_t block) {
  const int64_t unit = block == 1 ? 31 : block;
  const auto whole = [block](int64_t k) { return (k + block - 1) / block * block; };
  std::vector<Size> sizes;
  for (const int64_t outputs : {1, 7, 8, 9, 15, 16, 17, 33, 127, 257}) {
    for (const int64_t rows : {1, 5}) sizes.push_back({rows, 3 * unit, outputs, outputs == 9 || outputs == 127});
  }
  for (const int64_t rows : {0, 2, 3, 4, 7, 8, 9, 16, 17, 33, 127}) {
    sizes.push_back({rows, 2 * unit, 33, rows == 0 || rows == 4 || rows == 33});
  }
  if (block == 1) {
    for (const int64_t k : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 127, 257}) sizes.push_back({3, k, 19, k == 9});
  } else {
    for (const int64_t k : {1, 5, 11}) sizes.push_back({3, k * block, 19, k == 1});
  }
  sizes.push_back({1, whole(576), 640, false});
  sizes.push_back({3, whole(640), 576, false});
  sizes.push_back({2, whole(2880), 257, false});
  sizes.push_back({1, whole(640), 2880, false});
  return sizes;
}

Made plain_linear(Random& random, DType dtype, const Size& s) {
  return one_run(
      op_case("linear", tenon_linear_params{0, 1, 0, 1.0f}, {random_weight(random, dtype, {s.outputs, s.k})}),
      {.in = {random_rows(random, s.rows, s.k)}, .out_widths = {s.outputs}}, s.k);
}

DType other_format(DType dtype) { return dtype == DType::f16 ? DType::f32 : DType::f16; }

/// n weights that read the same rows, every other one with a bias; the third is of another format than the first two.
Made several_weights(Random& random, DType dtype, uint32_t n_weights, int64_t rows, int64_t k) {
  constexpr int64_t kOutputs[] = {72, 9, 24};
  std::vector<Weight> weights;
  std::vector<int64_t> widths;
  for (uint32_t i = 0; i < n_weights; ++i) {
    weights.push_back(random_weight(random, i == 2 ? other_format(dtype) : dtype, {kOutputs[i], k}));
    widths.push_back(kOutputs[i]);
  }
  for (uint32_t i = 0; i < n_weights; ++i) weights.push_back(i == 1 ? Weight{} : random_vector(random, kOutputs[i]));
  return one_run(op_case("linear", tenon_linear_params{0, n_weights, 0, 1.0f}, std::move(weights)),
                 {.in = {random_rows(random, rows, k)}, .out_widths = widths}, k);
}

Made residual(Random& random, DType dtype, float scale, bool in_place, int64_t rows, int64_t k) {
  constexpr int64_t kOutputs = 33;
  const OpCase op = op_case("linear", tenon_linear_params{0, 1, 1, scale},
                            {random_weight(random, dtype, {kOutputs, k}), random_vector(random, kOutputs)});
  RunInput input{.in = {random_rows(random, rows, k), random_rows(random, rows, kOutputs)}, .out_widths = {kOutputs}};
  if (in_place) input.same_as = {1};
  return one_run(op, std::move(input), k);
}

/// Rows of zeros, with an infinity, with a NaN, of subnormal and of large numbers.
Made special_rows(Random& random, DType dtype, int64_t k) {
  Rows rows = random_rows(random, 6, k);
  std::fill_n(rows.values.begin(), k, 0.0f);
  rows.row(1)[static_cast<size_t>(k / 2)] = std::numeric_limits<float>::infinity();
  rows.row(2)[0] = std::numeric_limits<float>::quiet_NaN();
  for (float& value : rows.row(3)) value *= 1e-40f;
  for (float& value : rows.row(4)) value *= 1e30f;
  Made made = one_run(op_case("linear", tenon_linear_params{0, 1, 0, 1.0f}, {random_weight(random, dtype, {16, k})}),
                      {.in = {rows}, .out_widths = {16}}, k);
  made.has_oracle = false;
  return made;
}

/// mxfp4 scales whose values are subnormal, largest or NaN.
Made edge_scales(Random& random) {
  Weight w = random_weight(random, DType::mxfp4, {16, 32});
  constexpr uint8_t kScales[] = {0, 1, 2, 254, 255};
  for (size_t row = 0; row < 16; ++row) w.bytes[row * 17] = static_cast<std::byte>(kScales[row % 5]);
  Made made = one_run(op_case("linear", tenon_linear_params{0, 1, 0, 1.0f}, {w}),
                      {.in = {random_rows(random, 5, 32)}, .out_widths = {16}}, 32);
  made.has_oracle = false;
  return made;
}

void add_linear(CaseList& list, DType dtype) {
  const std::string format(info_of(dtype).name);
  for (const Size& s : sizes_for(block_of(dtype))) {
    list.add("linear", format, true, text_of(s), s.quick,
             [=](Random& random) { return plain_linear(random, dtype, s); });
  }
  const int64_t k = block_of(dtype) == 1 ? 50 : 2 * block_of(dtype);
  for (const uint32_t n : {2u, 3u}) {
    for (const int64_t rows : {1, 10}) {
      list.add("linear", format, true, std::to_string(n) + " weights " + size_text({rows, k}), n == 3,
               [=](Random& random) { return several_weights(random, dtype, n, rows, k); });
    }
  }
  for (const bool in_place : {false, true}) {
    for (const float scale : {1.0f, 0.25f}) {
      const std::string name =
          std::string("add, bias") + (scale == 1.0f ? "" : ", scale") + (in_place ? ", in place " : " ");
      list.add("linear", format, true, name + size_text({6, k}), in_place && scale != 1.0f,
               [=](Random& random) { return residual(random, dtype, scale, in_place, 6, k); });
    }
  }
  list.add("linear", format, true, "infinity, NaN, tiny and huge rows", true,
           [=](Random& random) { return special_rows(random, dtype, k); });
  if (dtype == DType::mxfp4) list.add("linear", format, true, "scales of 0, 1, 2, 254 and 255", true, edge_scales);
}

void add_matmul(CaseList& list, DType dtype) {
  std::vector<Size> sizes;
  for (const int64_t outputs : {1, 7, 8, 9, 15, 16, 17, 33, 45, 257}) {
    for (const int64_t k : {1, 64, 129}) sizes.push_back({4, k, outputs, outputs == 9});
  }
  for (const int64_t rows : {0, 1, 2, 3, 5, 7, 8, 9, 13, 33}) sizes.push_back({rows, 65, 31, rows < 4});
  sizes.push_back({1, 2880, 576, false});
  sizes.push_back({3, 640, 2880, false});
  for (const Size& s : sizes) {
    list.add("matmul", std::string(info_of(dtype).name), false, text_of(s), s.quick, [=](Random& random) {
      return one_run(op_case("matmul", tenon_matmul_params{0, static_cast<uint32_t>(dtype)},
                             {random_weight(random, dtype, {s.k, s.outputs})}),
                     {.in = {random_rows(random, s.rows, s.k)}, .out_widths = {s.outputs}, .dtype = dtype}, s.k);
    });
  }
}

}  // namespace

void add_product_cases(CaseList& list) {
  for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) add_matmul(list, dtype);
  for (const DType dtype : kWeightFormats) add_linear(list, dtype);
}

}  // namespace tenon::conformance
