// attention over pages, head widths, windows, sinks, caps and partitions: conversations whose runs share their pages.
#include "case.hpp"

#include <numeric>

namespace tenon::test {
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

RunInput rows_of_batch(Random& random, const tenon_attention_params& p, int64_t n) {
  return {.in = {random_rows(random, n, p.n_heads * p.head_dim), random_rows(random, n, p.n_kv_heads * p.head_dim),
                 random_rows(random, n, p.n_kv_heads * p.v_head_dim)},
          .out_widths = {p.n_heads * p.v_head_dim}};
}

/// One sequence: its rows in runs of the given lengths, each on the pages that the former left.
void visit_conversation(const VisitCase& visit, const std::string& name, const tenon_attention_params& p,
                        const std::vector<int64_t>& lengths, uint32_t n_threads) {
  Random random(static_cast<uint64_t>(p.head_dim));
  std::vector<Weight> sinks;
  if (p.has_sinks != 0) sinks.push_back(random_vector(random, p.n_heads));
  const int64_t n_pages = std::accumulate(lengths.begin(), lengths.end(), int64_t{0}) / p.page_tokens + 1;
  std::vector<int32_t> pages(static_cast<size_t>(n_pages));
  std::iota(pages.rbegin(), pages.rend(), 0);
  std::vector<RunInput> runs;
  int64_t position = 0;
  for (const int64_t n : lengths) {
    RunInput input = rows_of_batch(random, p, n);
    input.sequences = {{n, position, pages}};
    input.n_threads = n_threads;
    runs.push_back(std::move(input));
    position += n;
  }
  visit({"attention, " + name, op_case("attention", p, sinks), runs, n_pages});
}

}  // namespace

void visit_attention_cases(const VisitCase& visit) {
  for (const Shape& shape : {Shape{9, 3, 64, 64}, Shape{4, 4, 20, 20}, Shape{6, 1, 33, 17}, Shape{2, 2, 1, 8}}) {
    visit_conversation(visit, std::to_string(shape.n_heads) + " heads of " + std::to_string(shape.head_dim),
                       params_of(shape), {1, 1, 5, 40, 1, 220, 1, 3, 1}, 1);
  }
  for (const uint32_t page : {8u, 64u}) {
    auto p = params_of({4, 2, 32, 32});
    p.kv_dtype = TENON_F32;
    p.page_tokens = page;
    visit_conversation(visit, "f32 pages of " + std::to_string(page), p, {260, 1, 1}, 2);
  }
  for (const Shape& shape : {Shape{9, 3, 64, 64}, Shape{4, 1, 32, 96}}) {
    auto p = params_of(shape);
    p.kv_dtype = TENON_Q8_0;
    p.window = shape.n_heads == 4 ? 70 : 0;
    visit_conversation(visit, "q8_0 pages, heads of " + std::to_string(shape.v_head_dim), p, {1, 5, 40, 1, 220, 1, 3},
                       2);
  }
  for (const int64_t window : {1, 5, 100, 300}) {
    auto p = params_of({4, 2, 32, 32});
    p.window = window;
    p.has_sinks = window % 2 == 0 ? 1 : 0;
    p.softcap = window > 50 ? 20.0f : 0.0f;
    visit_conversation(visit, "a window of " + std::to_string(window), p, {7, 1, 290, 1, 230, 1}, 3);
  }
  const auto p = params_of({4, 2, 32, 32});
  Random random(12);
  RunInput input = rows_of_batch(random, p, 30);
  input.sequences = {{17, 0, {2, 0}}, {1, 0, {3}}, {12, 0, {1}}};
  visit({"attention, three sequences of a batch", op_case("attention", p), {input}, 4});
}

}  // namespace tenon::test
