// A kernel allocates nothing in `run`. This program counts every malloc of the process, those of plug-ins included: its
// definitions stand before the C library's, which are reached by their other names (glibc).
#include <support/kernel_runner.hpp>
#include <support/random_case.hpp>

#include <catch2/catch.hpp>

#include <atomic>
#include <cstdlib>

namespace {
std::atomic<int64_t> n_allocations{0};
}

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

void* malloc(size_t n) {
  ++n_allocations;
  return __libc_malloc(n);
}
void* calloc(size_t n, size_t size) {
  ++n_allocations;
  return __libc_calloc(n, size);
}
void* realloc(void* p, size_t n) {
  ++n_allocations;
  return __libc_realloc(p, n);
}
void* aligned_alloc(size_t alignment, size_t n) {
  ++n_allocations;
  return __libc_memalign(alignment, n);
}
int posix_memalign(void** p, size_t alignment, size_t n) {
  ++n_allocations;
  *p = __libc_memalign(alignment, n);
  return *p == nullptr ? 12 : 0;
}
}

using namespace tenon;
using namespace tenon::test;

namespace {

int64_t allocations_so_far() { return n_allocations.load(); }

void check_no_allocation(const LoadedBackend& backend, const OpCase& made, RunInput input) {
  const BoundOp op(backend, made);
  KvStore kv(made.name == "attention" ? op.kv_plan() : tenon_kv_plan{sizeof(tenon_kv_plan), 64, 64, ""}, 40);
  if (made.name == "attention") input.kv = &kv;
  int64_t allocated = -1;
  input.allocations = allocations_so_far;
  input.allocated = &allocated;
  for (const uint32_t n_threads : {1u, 2u}) {
    input.n_threads = n_threads;
    static_cast<void>(op.run(input));
    INFO(made.name << " on " << n_threads << " threads");
    CHECK(allocated == 0);
  }
}

void check_backend(const char* name) {
  const LoadedBackend backend(std::string(TENON_TEST_PLUGINS) + "/" + name + ".so");
  INFO(name);
  Random random(1);
  constexpr int64_t kWidth = 256;
  for (const int64_t n : {1, 40}) {
    const Rows x = random_rows(random, n, kWidth);
    const auto weight = [&] { return random_weight(random, DType::q4_1, {kWidth, kWidth}); };
    check_no_allocation(backend, op_case("linear", tenon_linear_params{0, 2, 0, 1.0f}, {weight(), weight()}),
                        {.in = {x}, .out_widths = {kWidth, kWidth}});
    check_no_allocation(backend,
                        op_case("ffn", tenon_ffn_params{0, 1, {TENON_ACT_SILU, 0, 0}}, {weight(), weight(), weight()}),
                        {.in = {x, x}, .out_widths = {kWidth}});
    tenon_moe_params moe{0, 0, 4, 2, TENON_ROUTE_SOFTMAX_THEN_SELECT, 1, 1.0f, {TENON_ACT_SILU, 0, 0}};
    std::vector<Weight> weights(TENON_MOE_N_WEIGHTS);
    weights[TENON_MOE_ROUTER] = random_weight(random, DType::f32, {4, kWidth});
    for (const uint32_t i : {TENON_MOE_GATE, TENON_MOE_UP, TENON_MOE_DOWN}) {
      weights[i] = random_weight(random, DType::mxfp4, {4, kWidth, kWidth});
    }
    check_no_allocation(backend, op_case("moe", moe, weights), {.in = {x}, .out_widths = {kWidth}});
    check_no_allocation(backend,
                        op_case("rms_norm", tenon_norm_params{0, 1e-5f, kWidth, 1}, {random_vector(random, kWidth)}),
                        {.in = {x}, .out_widths = {kWidth}});
    check_no_allocation(backend, op_case("glu", tenon_glu_params{0, {TENON_ACT_SILU, 0, 0}, kWidth}),
                        {.in = {x, x}, .out_widths = {kWidth}});
    check_no_allocation(backend, op_case("add", tenon_binary_params{0, 0, kWidth}),
                        {.in = {x, x}, .out_widths = {kWidth}});
    check_no_allocation(backend, op_case("softmax", tenon_rowwise_params{0, 1.0f, kWidth}),
                        {.in = {x}, .out_widths = {kWidth}});
    tenon_rope_params rope{0, TENON_PAIRING_HALVES, 1, 0, 64, 64, {4, 0, 0, 0}};
    check_no_allocation(backend, op_case("rope", rope),
                        {.in = {x, random_rows(random, n, 64)}, .out_widths = {kWidth}, .same_as = {0}});
    tenon_attention_params attention{0, TENON_F16, 16, 4, 4, 64, 64, 0, 0.125f, 0.0f, 0};
    std::vector<int32_t> pages(40);
    for (size_t i = 0; i < pages.size(); ++i) pages[i] = static_cast<int32_t>(i);
    check_no_allocation(backend, op_case("attention", attention),
                        {.in = {x, x, x}, .out_widths = {kWidth}, .sequences = {{n, 500, pages}}});
    check_no_allocation(backend, op_case("gather", tenon_gather_params{0, 2.0f}, {weight()}),
                        {.in = {}, .out_widths = {kWidth}, .tokens = std::vector<int32_t>(static_cast<size_t>(n), 3)});
  }
}

}  // namespace

TEST_CASE("the counter counts") {
  const int64_t before = allocations_so_far();
  const auto p = std::make_unique<int>(3);
  CHECK(allocations_so_far() - before >= 1);
}

TEST_CASE("the kernels of reference allocate nothing in run") { check_backend("reference"); }
TEST_CASE("the kernels of avx2 allocate nothing in run") { check_backend("avx2"); }
