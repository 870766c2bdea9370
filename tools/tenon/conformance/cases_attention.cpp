// attention over kv pages: prefill, decode, several sequences, windows, sinks, caps, and positions that cross the
// partition of 256.
#include <conformance/case.hpp>

#include <algorithm>
#include <numeric>

namespace tenon::conformance {
namespace {

struct Heads {
  int64_t n, n_kv, width, v_width;
};

tenon_attention_params params_of(DType kv, const Heads& heads) {
  tenon_attention_params p{};
  p.kv_dtype = static_cast<uint32_t>(kv);
  p.page_tokens = 16;
  p.n_heads = heads.n;
  p.n_kv_heads = heads.n_kv;
  p.head_dim = heads.width;
  p.v_head_dim = heads.v_width;
  p.scale = 0.125f;
  return p;
}

/// q, k and v of rows.
std::vector<Rows> random_qkv(Random& random, const tenon_attention_params& p, int64_t n) {
  return {random_rows(random, n, p.n_heads * p.head_dim), random_rows(random, n, p.n_kv_heads * p.head_dim),
          random_rows(random, n, p.n_kv_heads * p.v_head_dim)};
}

std::vector<Rows> slice(const std::vector<Rows>& qkv, int64_t first, int64_t n) {
  std::vector<Rows> part;
  for (const Rows& rows : qkv) part.push_back(rows.slice(first, n));
  return part;
}

/// The rows of one sequence in runs of the given lengths. With a window, pages that lie wholly before it are dropped.
std::vector<RunInput> in_runs(const tenon_attention_params& p, const std::vector<Rows>& qkv,
                              const std::vector<int32_t>& pages, const std::vector<int64_t>& runs) {
  std::vector<RunInput> steps;
  int64_t position = 0;
  for (const int64_t n : runs) {
    std::vector<int32_t> held = pages;
    if (p.window > 0) {
      const int64_t first_seen = std::max<int64_t>(0, position - p.window + 1);
      std::fill_n(held.begin(), first_seen / p.page_tokens, -1);
    }
    steps.push_back({.in = slice(qkv, position, n),
                     .out_widths = {p.n_heads * p.v_head_dim},
                     .sequences = {{n, position, std::move(held)}}});
    position += n;
  }
  return steps;
}

/// `total` as runs of `most`.
std::vector<int64_t> equal_runs(int64_t total, int64_t most) {
  std::vector<int64_t> runs(static_cast<size_t>(total / most), most);
  if (total % most != 0) runs.push_back(total % most);
  return runs;
}

/// One conversation in the given runs, and the same rows in one run, and in small ones.
Made conversation(Random& random, const tenon_attention_params& p, const std::vector<int64_t>& runs) {
  const int64_t total = std::accumulate(runs.begin(), runs.end(), int64_t{0});
  Made made;
  std::vector<Weight> weights;
  if (p.has_sinks != 0) weights.push_back(random_vector(random, p.n_heads));
  made.op = op_case("attention", p, std::move(weights));
  made.kv_pages = total / p.page_tokens + 1;
  made.chain = total;
  std::vector<int32_t> pages(static_cast<size_t>(made.kv_pages));
  std::iota(pages.rbegin(), pages.rend(), 0);
  const std::vector<Rows> qkv = random_qkv(random, p, total);
  made.steps = in_runs(p, qkv, pages, runs);
  if (total <= made.op.max_rows) made.other.push_back(in_runs(p, qkv, pages, {total}));
  made.other.push_back(in_runs(p, qkv, pages, equal_runs(total, total <= 48 ? 1 : 37)));
  return made;
}

/// A step without a row.
Made no_rows(Random& random, const tenon_attention_params& p) {
  Made made;
  made.op = op_case("attention", p);
  made.kv_pages = 1;
  made.steps = {{.in = random_qkv(random, p, 0), .out_widths = {p.n_heads * p.v_head_dim}}};
  return made;
}

/// Three sequences in one batch, then a decode step of two beside the prefill of a fourth; the same, one by one.
Made batch(Random& random, const tenon_attention_params& p) {
  Made made;
  made.op = op_case("attention", p);
  made.kv_pages = 8;
  made.chain = 32;
  const std::vector<SequenceRows> rows{{17, 0, {2, 0}}, {1, 0, {3, 5}},  {12, 0, {1}},
                                       {1, 17, {2, 0}}, {30, 0, {4, 6}}, {1, 1, {3, 5}}};
  const auto step_of = [&](size_t first, size_t count) {
    RunInput step{.in = {}, .out_widths = {p.n_heads * p.v_head_dim}};
    step.sequences.assign(rows.begin() + static_cast<long>(first), rows.begin() + static_cast<long>(first + count));
    int64_t n = 0;
    for (const SequenceRows& s : step.sequences) n += s.n_rows;
    step.in = random_qkv(random, p, n);
    return step;
  };
  made.steps = {step_of(0, 3), step_of(3, 3)};
  made.other.emplace_back();
  for (const RunInput& step : made.steps) {
    int64_t row = 0;
    for (const SequenceRows& s : step.sequences) {
      made.other.back().push_back(
          {.in = slice(step.in, row, s.n_rows), .out_widths = step.out_widths, .sequences = {s}});
      row += s.n_rows;
    }
  }
  return made;
}

std::string text_of(const std::vector<int64_t>& runs) {
  std::string text;
  for (const int64_t n : runs) text += (text.empty() ? "" : "+") + std::to_string(n);
  return text;
}

void add_for_pages(CaseList& list, DType kv) {
  const std::string format(info_of(kv).name);
  const auto add = [&](const std::string& name, const tenon_attention_params& p, const std::vector<int64_t>& runs,
                       bool quick) {
    list.add("attention", format, false, name + " " + text_of(runs), quick,
             [=](Random& random) { return conversation(random, p, runs); });
  };
  const bool blocks = kv == DType::q8_0;
  const std::vector<Heads> shapes =
      blocks ? std::vector<Heads>{{9, 3, 64, 64}, {4, 4, 32, 32}, {6, 1, 64, 32}}
             : std::vector<Heads>{{9, 3, 64, 64}, {4, 4, 20, 20}, {6, 1, 33, 17}, {2, 2, 1, 8}, {3, 1, 127, 128}};
  for (const Heads& h : shapes) {
    const std::string name = "heads " + size_text({h.n, h.n_kv, h.width, h.v_width});
    add(name, params_of(kv, h), {1, 1, 5, 40, 1, 250, 1, 3, 1}, false);
    add(name, params_of(kv, h), {33, 1}, &h == &shapes[0]);
  }
  const Heads heads{4, 2, 32, 32};
  for (const uint32_t page : {8u, 64u, 256u}) {
    auto p = params_of(kv, heads);
    p.page_tokens = page;
    add("pages of " + std::to_string(page), p, {300, 1, 1}, page == 8);
  }
  for (const int64_t window : {1, 5, 100, 256, 300}) {
    auto p = params_of(kv, heads);
    p.window = window;
    p.has_sinks = window % 2 == 0 ? 1 : 0;
    p.softcap = window > 50 ? 20.0f : 0.0f;
    add("window " + std::to_string(window) + (p.has_sinks != 0 ? ", sinks" : "") + (p.softcap > 0 ? ", softcap" : ""),
        p, {7, 1, 290, 1, 250, 1}, window == 5);
  }
  auto sinks = params_of(kv, heads);
  sinks.has_sinks = 1;
  add("sinks", sinks, {20, 1, 1}, true);
  auto capped = params_of(kv, heads);
  capped.softcap = 5.0f;
  add("softcap", capped, {20, 1, 1}, true);
  add("decode over a partition", params_of(kv, heads), {255, 1, 1, 1, 253, 1, 1}, true);
  list.add("attention", format, false, "no rows", true,
           [p = params_of(kv, heads)](Random& random) { return no_rows(random, p); });
  list.add("attention", format, false, "four sequences in a batch", true,
           [p = params_of(kv, heads)](Random& random) { return batch(random, p); });
}

}  // namespace

void add_attention_cases(CaseList& list) {
  for (const DType kv : {DType::f32, DType::f16, DType::q8_0}) add_for_pages(list, kv);
}

}  // namespace tenon::conformance
