// linear and matmul in every weight format, with outputs and rows that are no multiple of a panel or tile, and the
// codes, scales and activations at the ends of their ranges.
#include "case.hpp"
#include "formats.hpp"

#include <limits>

namespace tenon::test {
namespace {

OpCase linear_case(std::vector<Weight> weights, uint32_t n_weights = 1, bool has_add = false, float scale = 1.0f,
                   uint32_t numeric_class = TENON_CLASS_DEFAULT) {
  return op_case("linear", tenon_linear_params{0, n_weights, has_add ? 1u : 0u, scale}, std::move(weights),
                 numeric_class);
}

/// Runs of 0, 1, 2, ... rows.
std::vector<RunInput> runs_of(Random& random, std::initializer_list<int64_t> n_rows, int64_t k, int64_t n_outputs) {
  std::vector<RunInput> runs;
  for (const int64_t n : n_rows) {
    runs.push_back({.in = {n == 0 ? Rows::zeros(0, k) : random_rows(random, n, k)}, .out_widths = {n_outputs}});
  }
  return runs;
}

void visit_format(const VisitCase& visit, DType dtype) {
  const std::string name(info_of(dtype).name);
  for (const int64_t n_outputs : {1, 7, 8, 9, 17, 43}) {
    for (const int64_t blocks : {1, 3}) {
      Random random(static_cast<uint64_t>(n_outputs * 10 + blocks));
      const int64_t k = blocks * block_of(dtype);
      const Weight w = random_weight(random, dtype, {n_outputs, k});
      const std::string shape = " [" + std::to_string(n_outputs) + ", " + std::to_string(k) + "]";
      visit({"linear of " + name + shape,
             linear_case({w}),
             runs_of(random, {0, 1, 2, 3, 4, 7, 33}, k, n_outputs),
             0,
             {static_cast<int32_t>(n_outputs - 1), 0}});
      if (blocks == 1 || n_outputs < 17) continue;
      visit({"linear of " + name + shape + " in the class f32", linear_case({w}, 1, false, 1.0f, TENON_CLASS_F32),
             runs_of(random, {1, 3, 9}, k, n_outputs)});
    }
  }
}

/// Every byte of a block the same, so that all codes and scales of a format are at one end, by activations that are all
/// at the end of their range: where sums of products are largest.
void visit_extremes(const VisitCase& visit, DType dtype) {
  const DTypeInfo& info = info_of(dtype);
  const int64_t k = 2 * block_of(dtype);
  for (const int byte : {0x00, 0x7F, 0x80, 0xFF}) {
    Random random(1);
    Weight w = random_weight(random, dtype, {8, k});
    for (size_t at = 0; at < w.bytes.size(); at += static_cast<size_t>(info.block_bytes)) {
      std::vector<std::byte> block(static_cast<size_t>(info.block_bytes), static_cast<std::byte>(byte));
      for (const size_t scale : scale_offsets(dtype))
        std::copy_n(w.bytes.begin() + static_cast<ptrdiff_t>(at + scale), 2,
                    block.begin() + static_cast<ptrdiff_t>(scale));
      if (dtype == DType::mxfp4) block[0] = w.bytes[at];
      std::copy(block.begin(), block.end(), w.bytes.begin() + static_cast<ptrdiff_t>(at));
    }
    Rows x = Rows::zeros(4, k);
    for (int64_t r = 0; r < 4; ++r) {
      for (int64_t i = 0; i < k; ++i)
        x.row(r)[static_cast<size_t>(i)] = r == 0 || (r == 1 && i % 2 == 0) ? 1.0f : -1.0f;
    }
    visit({"linear of " + std::string(info.name) + " of bytes " + std::to_string(byte),
           linear_case({w}),
           {{.in = {x}, .out_widths = {8}}, {.in = {x.slice(3, 1)}, .out_widths = {8}}}});
  }
}

void visit_odd_values(const VisitCase& visit) {
  Random random(4);
  Rows rows = random_rows(random, 6, 96);
  std::fill_n(rows.values.begin(), 96, 0.0f);
  rows.row(1)[40] = std::numeric_limits<float>::infinity();
  rows.row(2)[0] = std::numeric_limits<float>::quiet_NaN();
  for (float& value : rows.row(3)) value *= 1e-40f;
  for (float& value : rows.row(4)) value *= 1e30f;
  const Weight w = random_weight(random, DType::q4_0, {16, 96});
  visit({"linear of infinities, NaN and zeros", linear_case({w}), {{.in = {rows}, .out_widths = {16}}}});
  Weight scales = random_weight(random, DType::mxfp4, {16, 32});
  constexpr uint8_t kScales[] = {0, 1, 2, 254, 255};
  for (size_t row = 0; row < 16; ++row) scales.bytes[row * 17] = static_cast<std::byte>(kScales[row % 5]);
  visit({"linear of mxfp4 scales 0, 1, 2, 254 and 255",
         linear_case({scales}),
         {{.in = {random_rows(random, 5, 32)}, .out_widths = {16}}}});
}

void visit_linear_parts(const VisitCase& visit) {
  Random random(3);
  const std::vector<Weight> weights{random_weight(random, DType::q4_1, {72, 64}),
                                    random_weight(random, DType::q8_0, {9, 64}),
                                    random_weight(random, DType::f16, {24, 64}),
                                    random_vector(random, 72),
                                    Weight{},
                                    random_vector(random, 24)};
  visit({"linear of three weights with biases",
         linear_case(weights, 3),
         {{.in = {random_rows(random, 10, 64)}, .out_widths = {72, 9, 24}, .n_threads = 3}}});
  const std::vector<Weight> biased{random_weight(random, DType::q6_K, {33, 256}), random_vector(random, 33)};
  const std::vector<Rows> in{random_rows(random, 6, 256), random_rows(random, 6, 33)};
  visit({"linear with a scale and a residual",
         linear_case(biased, 1, true, 0.25f),
         {{.in = in, .out_widths = {33}}, {.in = in, .out_widths = {33}, .same_as = {1}}}});
  for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) {
    for (const int64_t k : {1, 31, 257}) {
      const Weight w = random_weight(random, dtype, {19, k});
      visit({"linear of " + std::string(info_of(dtype).name) + " with k = " + std::to_string(k), linear_case({w}),
             runs_of(random, {1, 5}, k, 19)});
    }
  }
}

void visit_matmul(const VisitCase& visit) {
  for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) {
    for (const int64_t n : {1, 8, 45}) {
      for (const int64_t k : {1, 64, 129}) {
        Random random(static_cast<uint64_t>(n * k));
        std::vector<RunInput> runs;
        const Weight b = random_weight(random, dtype, {k, n});
        for (const int64_t n_rows : {1, 4, 13}) {
          runs.push_back({.in = {random_rows(random, n_rows, k)}, .out_widths = {n}, .dtype = dtype});
        }
        visit({"matmul of " + std::string(info_of(dtype).name) + " [" + std::to_string(k) + ", " + std::to_string(n) +
                   "]",
               op_case("matmul", tenon_matmul_params{0, static_cast<uint32_t>(dtype)}, {b}), runs});
      }
    }
  }
}

}  // namespace

void visit_product_cases(const VisitCase& visit) {
  for (const DType dtype : kFormats) {
    visit_format(visit, dtype);
    if (is_quantized(dtype)) visit_extremes(visit, dtype);
  }
  visit_odd_values(visit);
  visit_linear_parts(visit);
  visit_matmul(visit);
}

}  // namespace tenon::test
