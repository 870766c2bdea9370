#include "gemm_peers.hpp"

#include <tenon/base/buffer.hpp>

#include <cstring>
#include <memory>
#if defined(TENON_BENCH_OPENBLAS)
#include <cblas.h>
#endif
#if defined(TENON_BENCH_DNNL)
#include <dnnl.h>
#include <omp.h>
#endif

namespace tenon::bench {
namespace {

struct Matrices {
  Buffer a, b, out;

  Matrices(int64_t m, int64_t k, int64_t n) : a(bytes(m * k)), b(bytes(k * n)), out(bytes(m * n)) {
    for (Buffer* each : {&a, &b, &out}) fill(*each);
  }
  static size_t bytes(int64_t elements) { return static_cast<size_t>(elements) * sizeof(float); }
  static void fill(Buffer& buffer) {
    auto* values = reinterpret_cast<float*>(buffer.data());
    for (size_t i = 0; i < buffer.size() / sizeof(float); ++i) values[i] = static_cast<float>(i % 17) * 0.0625f - 0.5f;
  }
};

[[maybe_unused]] float* floats(Buffer& buffer) { return reinterpret_cast<float*>(buffer.data()); }

}  // namespace

std::vector<Yardstick> gemm_peers(int64_t m, int64_t k, int64_t n, uint32_t n_threads) {
  std::vector<Yardstick> peers;
  const auto x = std::make_shared<Matrices>(m, k, n);
  const auto threads = static_cast<int>(n_threads);
  static_cast<void>(threads);
#if defined(TENON_BENCH_OPENBLAS)
  peers.push_back({"openblas", [=] {
                     openblas_set_num_threads(threads);
                     const auto rows = static_cast<blasint>(m), inner = static_cast<blasint>(k);
                     const auto columns = static_cast<blasint>(n);
                     cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, inner, 1.0f, floats(x->a),
                                 inner, floats(x->b), columns, 0.0f, floats(x->out), columns);
                   }});
#endif
#if defined(TENON_BENCH_DNNL)
  peers.push_back({"onednn", [=] {
                     omp_set_num_threads(threads);
                     dnnl_sgemm('N', 'N', m, n, k, 1.0f, floats(x->a), k, floats(x->b), n, 0.0f, floats(x->out), n);
                   }});
#endif
  return peers;
}

}  // namespace tenon::bench
