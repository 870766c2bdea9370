// attention over pages, sequence lengths, windows, sinks, caps and head widths: the reference's bits.
#include "agree.hpp"

#include <numeric>

using namespace tenon;
using namespace tenon::test;

namespace {

struct Shape {
  int64_t n_heads, n_kv_heads, head_dim, v_head_dim;
};

tenon_attention_params params_of(const Shape& s) {
  tenon_attention_params p{};
  p.kv_dtype = TENON_F16;
  p.page_tokens = 16;
  p.n_heads = s.n_heads;
  p.n_kv_heads = s.n_kv_heads;
  p.head_dim = s.head_dim;
  p.v_head_dim = s.v_head_dim;
  p.scale = 0.125f;
  return p;
}

/// A conversation of one sequence: its rows in runs of the given lengths, each on the pages that the former left.
void check_conversation(tenon_attention_params p, const std::vector<int64_t>& runs, uint32_t n_threads) {
  Random random(static_cast<uint64_t>(runs.size()) + static_cast<uint64_t>(p.head_dim));
  std::vector<Weight> weights;
  if (p.has_sinks != 0) weights.push_back(random_vector(random, p.n_heads));
  const OpCase made = op_case("attention", p, weights);
  const BoundOp reference(backend("reference"), made), avx2(backend("avx2"), made);
  const int64_t total = std::accumulate(runs.begin(), runs.end(), int64_t{0});
  const int64_t n_pages = total / p.page_tokens + 1;
  KvStore reference_kv(reference.kv_plan(), n_pages), avx2_kv(avx2.kv_plan(), n_pages);
  std::vector<int32_t> pages(static_cast<size_t>(n_pages));
  std::iota(pages.rbegin(), pages.rend(), 0);
  int64_t position = 0;
  for (const int64_t n : runs) {
    RunInput input;
    input.in = {random_rows(random, n, p.n_heads * p.head_dim), random_rows(random, n, p.n_kv_heads * p.head_dim),
                random_rows(random, n, p.n_kv_heads * p.v_head_dim)};
    input.out_widths = {p.n_heads * p.v_head_dim};
    input.sequences = {{n, position, pages}};
    input.kv = &reference_kv;
    const auto want = reference.run(input);
    input.kv = &avx2_kv;
    input.n_threads = n_threads;
    INFO("rows " << position << " to " << position + n - 1);
    check_same(avx2.run(input), want);
    position += n;
  }
}

}  // namespace

TEST_CASE("attention gives the reference's bits over prefill, decode and partitions") {
  for (const Shape& shape : {Shape{9, 3, 64, 64}, Shape{4, 4, 20, 20}, Shape{6, 1, 33, 17}, Shape{2, 2, 1, 8}}) {
    for (const uint32_t n_threads : {1u, 3u}) {
      INFO(shape.n_heads << " heads of " << shape.head_dim << ", " << n_threads << " threads");
      check_conversation(params_of(shape), {1, 1, 5, 40, 1, 250, 1, 3, 1}, n_threads);
    }
  }
}

TEST_CASE("attention with f32 pages, any page size, gives the reference's bits") {
  for (const uint32_t page : {8u, 16u, 64u, 256u}) {
    auto p = params_of({4, 2, 32, 32});
    p.kv_dtype = TENON_F32;
    p.page_tokens = page;
    INFO("pages of " << page);
    check_conversation(p, {300, 1, 1}, 2);
  }
}

TEST_CASE("attention with q8_0 pages gives the reference's bits") {
  for (const Shape& shape : {Shape{9, 3, 64, 64}, Shape{4, 1, 32, 96}}) {
    for (const uint32_t page : {8u, 64u}) {
      auto p = params_of(shape);
      p.kv_dtype = TENON_Q8_0;
      p.page_tokens = page;
      p.window = page == 8 ? 70 : 0;
      INFO(shape.n_heads << " heads of " << shape.head_dim << ", pages of " << page);
      check_conversation(p, {1, 5, 40, 1, 250, 1, 3, 1}, 2);
    }
  }
}

TEST_CASE("attention with a window, sinks and a cap gives the reference's bits") {
  for (const int64_t window : {1, 5, 100, 300}) {
    auto p = params_of({4, 2, 32, 32});
    p.window = window;
    p.has_sinks = window % 2 == 0 ? 1 : 0;
    p.softcap = window > 50 ? 20.0f : 0.0f;
    INFO("window " << window);
    check_conversation(p, {7, 1, 290, 1, 250, 1}, 3);
  }
}

TEST_CASE("sequences of a batch do not see each other") {
  const auto p = params_of({4, 2, 32, 32});
  Random random(12);
  const OpCase made = op_case("attention", p);
  const BoundOp reference(backend("reference"), made), avx2(backend("avx2"), made);
  KvStore reference_kv(reference.kv_plan(), 4), avx2_kv(avx2.kv_plan(), 4);
  RunInput input;
  input.in = {random_rows(random, 30, 128), random_rows(random, 30, 64), random_rows(random, 30, 64)};
  input.out_widths = {128};
  input.sequences = {{17, 0, {2, 0}}, {1, 0, {3}}, {12, 0, {1}}};
  input.kv = &reference_kv;
  const auto want = reference.run(input);
  input.kv = &avx2_kv;
  check_same(avx2.run(input), want);
}
