// f32 products by the libraries that are there, in the same process.
#pragma once

#include "op_bench.hpp"

namespace tenon::bench {

/// out [m, n] = a [m, k] * b [k, n] by OpenBLAS and by oneDNN, each where it was found; b as it is, not packed ahead.
std::vector<Yardstick> gemm_peers(int64_t m, int64_t k, int64_t n, uint32_t n_threads);

}  // namespace tenon::bench
