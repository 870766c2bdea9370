// Yardsticks that move the bytes of an op and no more: plain AVX2 loops, or plain C++ where the processor has no AVX2.
#pragma once

#include "op_bench.hpp"

namespace tenon::bench {

/// out [rows, width] = a [rows, width] + b [width], of f32, f16 or bf16.
Yardstick plain_add(DType dtype, int64_t rows, int64_t width);
/// out [indices, width] = table [rows, width] at i * 97 mod rows.
Yardstick plain_gather(int64_t element_bytes, int64_t rows, int64_t width, int64_t n_indices);
/// out [rows] = sums of in [rows, width].
Yardstick plain_sums(int64_t rows, int64_t width);

}  // namespace tenon::bench
