// attention: its definition in f64 by numpy over 600 positions (golden_ops.py), and what must not change a bit: page
// size, order of pages, chunks of a prompt, batch mates.
#include "golden.hpp"

#include <catch2/catch.hpp>

#include <numeric>

using namespace tenon;
using namespace tenon::test;

namespace {

constexpr int64_t kPositions = 600, kHeads = 4, kKvHeads = 2, kHeadDim = 16, kValueDim = 8, kKept = 3;

struct Setting {
  int64_t window = 0;
  float softcap = 0;
  uint32_t has_sinks = 0;
  DType kv = DType::f32;
  uint32_t page_tokens = 16;
  uint32_t numeric_class = TENON_CLASS_DEFAULT;
};

OpCase attention_case(const Setting& s) {
  const tenon_attention_params params{0,
                                      static_cast<uint32_t>(s.kv),
                                      s.page_tokens,
                                      kHeads,
                                      kKvHeads,
                                      kHeadDim,
                                      kValueDim,
                                      s.window,
                                      0.3f,
                                      s.softcap,
                                      s.has_sinks};
  std::vector<Weight> weights;
  if (s.has_sinks != 0) weights.push_back(golden_weight("attention/sinks", {kHeads}));
  return op_case("attention", params, weights, s.numeric_class);
}

/// A page table that is neither in order nor dense.
std::vector<int32_t> scattered_pages(int64_t n, int32_t first = 0) {
  std::vector<int32_t> pages;
  for (int64_t i = 0; i < n; ++i) pages.push_back(first + 2 * static_cast<int32_t>(n - 1 - i));
  return pages;
}

int64_t pages_for(const Setting& s) { return (kPositions + s.page_tokens - 1) / s.page_tokens; }

/// Queries for all positions: the golden ones at the end, made-up ones before.
Rows queries() {
  Rows q = Rows::zeros(kPositions, kHeads * kHeadDim);
  for (size_t i = 0; i < q.values.size(); ++i) q.values[i] = std::sin(0.37f * static_cast<float>(i));
  const std::vector<float> kept = Golden::get().floats("attention/q");
  std::copy(kept.begin(), kept.end(), q.values.end() - static_cast<std::ptrdiff_t>(kept.size()));
  return q;
}

Rows keys() { return Golden::get().rows("attention/k", kPositions); }
Rows values() { return Golden::get().rows("attention/v", kPositions); }

/// The whole sequence in pieces of the given sizes; the output of all rows.
Rows attend(const Setting& setting, const std::vector<int64_t>& chunks, uint32_t n_threads = 1) {
  const BoundOp op(reference(), attention_case(setting));
  KvStore kv(op.kv_plan(), 2 * pages_for(setting));
  const Rows q = queries(), k = keys(), v = values();
  Rows out = Rows::zeros(kPositions, kHeads * kValueDim);
  int64_t at = 0;
  for (const int64_t n : chunks) {
    const RunInput input{.in = {q.slice(at, n), k.slice(at, n), v.slice(at, n)},
                         .out_widths = {kHeads * kValueDim},
                         .sequences = {{n, at, scattered_pages(pages_for(setting))}},
                         .kv = &kv,
                         .n_threads = n_threads};
    const Rows piece = op.run(input)[0];
    std::copy(piece.values.begin(), piece.values.end(), out.values.begin() + at * out.width);
    at += n;
  }
  return out;
}

Rows last_rows(const Rows& rows) { return rows.slice(rows.n - kKept, kKept); }

void check(Setting setting, const std::string& name) {
  INFO(name);
  const std::vector<float> want = Golden::get().floats("attention/" + name);
  CHECK(nmse(last_rows(attend(setting, {kPositions})).values, want) < kF32Nmse);
  setting.kv = DType::f16;  // the keys and values of the golden data are f16 numbers
  CHECK(nmse(last_rows(attend(setting, {kPositions})).values, want) < kF32Nmse);
  setting.numeric_class = TENON_CLASS_EXACT64;
  CHECK(most_ulps(last_rows(attend(setting, {kPositions})).values, want) <= 1);
}

}  // namespace

TEST_CASE("attention is the softmax of scaled scores over all positions up to the query's, by groups of heads") {
  check({}, "full");
}

TEST_CASE("a window hides positions that are window or more behind") {
  check({.window = 128}, "window");
  check({.window = 5, .has_sinks = 1}, "window_inside");
}

TEST_CASE("softcap bends the scores") { check({.softcap = 2.0f}, "softcap"); }

TEST_CASE("a sink takes part in the softmax and has no value") { check({.has_sinks = 1}, "with_sinks"); }

TEST_CASE("a query at the start sees itself only") {
  const Rows out = attend({}, {kPositions});
  // The softmax of one score is 1: head h gets the value of its kv head h / 2.
  const std::vector<float> v = Golden::get().floats("attention/v");
  for (int64_t h = 0; h < kHeads; ++h) {
    for (int64_t d = 0; d < kValueDim; ++d) {
      CHECK(out.values[static_cast<size_t>(h * kValueDim + d)] == v[static_cast<size_t>(h / 2 * kValueDim + d)]);
    }
  }
}

TEST_CASE("page size and dtype of exact values change no bit") {
  for (const Setting base : {Setting{}, Setting{.window = 100, .softcap = 3.0f, .has_sinks = 1}}) {
    const Rows want = attend(base, {kPositions});
    for (const uint32_t page_tokens : {8u, 64u, 256u}) {
      for (const DType kv : {DType::f32, DType::f16}) {
        Setting setting = base;
        setting.page_tokens = page_tokens;
        setting.kv = kv;
        CHECK(same_bits(attend(setting, {kPositions}), want));
      }
    }
  }
}

TEST_CASE("chunks of a prompt and threads change no bit") {
  for (const Setting setting : {Setting{}, Setting{.window = 100, .has_sinks = 1, .kv = DType::f16}}) {
    const Rows want = attend(setting, {kPositions});
    CHECK(same_bits(attend(setting, std::vector<int64_t>(kPositions, 1)), want));
    CHECK(same_bits(attend(setting, {7, 250, 1, 255, 87}, 2), want));
    CHECK(same_bits(attend(setting, {300, 300}, 3), want));
  }
}

TEST_CASE("sequences of one batch do not see each other") {
  const Setting setting{.window = 100};
  const BoundOp op(reference(), attention_case(setting));
  const Rows alone = attend(setting, {kPositions}), q = queries(), k = keys(), v = values();
  const int64_t n_pages = pages_for(setting);
  KvStore kv(op.kv_plan(), 2 * n_pages + 1);
  // Two copies of the sequence, the second cut into chunks that share batches with rows of the first.
  const auto both = [](const Rows& rows, int64_t a, int64_t n_a, int64_t b, int64_t n_b) {
    std::vector<float> joined = rows.slice(a, n_a).values;
    const Rows second = rows.slice(b, n_b);
    joined.insert(joined.end(), second.values.begin(), second.values.end());
    return Rows(n_a + n_b, joined);
  };
  struct Step {
    int64_t a, n_a, b, n_b;
  };
  for (const Step s : {Step{0, 20, 0, 313}, {20, 1, 313, 280}, {21, 579, 593, 7}}) {
    const RunInput input{
        .in = {both(q, s.a, s.n_a, s.b, s.n_b), both(k, s.a, s.n_a, s.b, s.n_b), both(v, s.a, s.n_a, s.b, s.n_b)},
        .out_widths = {kHeads * kValueDim},
        .sequences = {{s.n_a, s.a, scattered_pages(n_pages, 0)}, {s.n_b, s.b, scattered_pages(n_pages, 1)}},
        .kv = &kv,
        .n_threads = 2};
    CHECK(same_bits(op.run(input)[0], both(alone, s.a, s.n_a, s.b, s.n_b)));
  }
}

TEST_CASE("pages behind the window may be gone") {
  const Setting setting{.window = 40};
  const BoundOp op(reference(), attention_case(setting));
  const Rows want = attend(setting, {kPositions}), q = queries(), k = keys(), v = values();
  KvStore kv(op.kv_plan(), 2 * pages_for(setting));
  std::vector<int32_t> pages = scattered_pages(pages_for(setting));
  for (int64_t p = 0; p < kPositions; ++p) {
    // Position p - 39 is the first that is seen.
    for (int64_t page = 0; (page + 1) * 16 <= p - 39; ++page) pages[static_cast<size_t>(page)] = -1;
    const RunInput input{.in = {q.slice(p, 1), k.slice(p, 1), v.slice(p, 1)},
                         .out_widths = {kHeads * kValueDim},
                         .sequences = {{1, p, pages}},
                         .kv = &kv};
    REQUIRE(same_bits(op.run(input)[0], want.slice(p, 1)));
  }
}
