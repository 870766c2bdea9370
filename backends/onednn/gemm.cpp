#include "gemm.hpp"

#include <omp.h>
#include <oneapi/dnnl/dnnl.h>

namespace tenon::onednn {

void multiply(int64_t m, int64_t n, int64_t k, const float* a, int64_t lda, const float* b, int64_t ldb,
              bool transposed, float* c, int64_t ldc) {
  // A setting of the calling thread, a plain store. Debian's build has an OpenMP runtime, which would otherwise wake a
  // pool of its own for each of the host's workers.
  omp_set_num_threads(1);
  // Cannot fail: the shapes were checked when the op was bound.
  static_cast<void>(dnnl_sgemm('N', transposed ? 'T' : 'N', m, n, k, 1.0f, a, lda, b, ldb, 0.0f, c, ldc));
}

}  // namespace tenon::onednn
