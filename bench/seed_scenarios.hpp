// The kernels' part of the benchmark scenarios that the project began with, under their old names.
#pragma once

namespace tenon::bench {

/// add, gather, reduce_mean, matmul, block_quantized_matmul_cached_dense and block_quantized_moe_cached_dense.
void add_seed_scenarios();

}  // namespace tenon::bench
