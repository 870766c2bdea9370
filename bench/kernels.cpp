// Single kernels of every backend that is built, as <op>/<backend>/<format>/<rows>x<k>x<n>/threads=T, and the scenarios
// of seed_scenarios.cpp.
#include "op_bench.hpp"
#include "seed_scenarios.hpp"

#include <conformance/random_case.hpp>

#include <benchmark/benchmark.h>

namespace {

using namespace tenon;
using namespace tenon::bench;
using namespace tenon::conformance;

Scenario linear(DType dtype, int64_t rows, int64_t k, int64_t n, uint32_t n_threads) {
  Random random(1);
  Weight w = random_weight(random, dtype, {n, k});
  const auto bytes = static_cast<int64_t>(w.bytes.size());
  return {op_case("linear", tenon_linear_params{0, 1, 0, 1.0f}, {std::move(w)}),
          {.in = {random_rows(random, rows, k)}, .out_widths = {n}, .n_threads = n_threads},
          rows * k * n,
          bytes};
}

/// Top 4 of 32 experts.
Scenario moe(DType dtype, int64_t rows, int64_t hidden, int64_t inner, uint32_t n_threads) {
  constexpr int64_t kExperts = 32, kUsed = 4;
  Random random(1);
  std::vector<Weight> weights(TENON_MOE_N_WEIGHTS);
  weights[TENON_MOE_ROUTER] = random_weight(random, DType::f32, {kExperts, hidden});
  weights[TENON_MOE_GATE] = random_weight(random, dtype, {kExperts, inner, hidden});
  weights[TENON_MOE_UP] = random_weight(random, dtype, {kExperts, inner, hidden});
  weights[TENON_MOE_DOWN] = random_weight(random, dtype, {kExperts, hidden, inner});
  const auto expert_bytes = static_cast<int64_t>(3 * weights[TENON_MOE_GATE].bytes.size()) / kExperts;
  const tenon_moe_params params{
      0, 0, kExperts, kUsed, TENON_ROUTE_SELECT_THEN_SOFTMAX, 0, 1.0f, {TENON_ACT_SILU, 0, 0}};
  return {op_case("moe", params, std::move(weights)),
          {.in = {random_rows(random, rows, hidden, 0.5f)}, .out_widths = {hidden}, .n_threads = n_threads},
          rows * kUsed * 3 * hidden * inner,
          std::min(rows * kUsed, kExperts) * expert_bytes};
}

/// `rows` queries after `cached` positions: 9 heads on 3 kv heads of 64.
Scenario attention(uint32_t kv_dtype, int64_t rows, int64_t cached, uint32_t n_threads) {
  Random random(1);
  const tenon_attention_params params{0, kv_dtype, 16, 9, 3, 64, 64, 0, 0.125f, 0.0f, 0};
  std::vector<int32_t> pages(static_cast<size_t>((cached + rows) / 16 + 1));
  for (size_t i = 0; i < pages.size(); ++i) pages[i] = static_cast<int32_t>(i);
  return {op_case("attention", params),
          {.in = {random_rows(random, rows, 576), random_rows(random, rows, 192), random_rows(random, rows, 192)},
           .out_widths = {576},
           .sequences = {{rows, cached, pages}},
           .n_threads = n_threads},
          9 * 128 * (rows * cached + rows * (rows + 1) / 2),
          0};
}

/// For every backend that takes the op.
void add(const std::string& op, const std::string& format, const std::string& shape, uint32_t n_threads,
         const std::function<Scenario()>& make) {
  const OpCase made = make().op;
  for (const Candidate& candidate : candidates()) {
    if (!takes(candidate, made)) continue;
    add_scenario(candidate.mark + op + "/" + candidate.name + "/" + format + "/" + shape +
                     "/threads=" + std::to_string(n_threads),
                 candidate, make);
  }
}

std::string shape_of(int64_t m, int64_t k, int64_t n) {
  return std::to_string(m) + "x" + std::to_string(k) + "x" + std::to_string(n);
}

void add_all() {
  for (const uint32_t t : {1u, 2u}) {
    for (const DTypeInfo& info : kDTypes) {
      if (info.dtype == DType::i32 || info.dtype == DType::i64) continue;
      for (const int64_t rows : {1, 32}) {
        add("linear", std::string(info.name), shape_of(rows, 1024, 1024), t,
            [=] { return linear(info.dtype, rows, 1024, 1024, t); });
      }
    }
    for (const int64_t rows : {1, 32}) {
      add("moe", "mxfp4", shape_of(rows, 512, 512), t, [=] { return moe(DType::mxfp4, rows, 512, 512, t); });
    }
    for (const uint32_t kv_dtype : {TENON_F32, TENON_F16, TENON_Q8_0}) {
      const std::string name(find_dtype(kv_dtype)->name);
      add("attention", name, "1+1024", t, [=] { return attention(kv_dtype, 1, 1024, t); });
      add("attention", name, "512+0", t, [=] { return attention(kv_dtype, 512, 0, t); });
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  add_all();
  add_seed_scenarios();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
