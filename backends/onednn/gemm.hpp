// The one product that this backend takes from oneDNN.
#pragma once

#include <cstdint>

namespace tenon::onednn {

/// c [m, n] (row stride ldc) = a [m, k] (lda) * b, b being [k, n] (ldb), or [n, k] where `transposed`. f32, row-major.
/// Runs on the calling thread alone: the host's workers each take a slice. The bits of a row depend on m.
void multiply(int64_t m, int64_t n, int64_t k, const float* a, int64_t lda, const float* b, int64_t ldb,
              bool transposed, float* c, int64_t ldc);

}  // namespace tenon::onednn
