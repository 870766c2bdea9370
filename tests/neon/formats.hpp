// Every weight format that has panels.
#pragma once

#include <tenon/dtype.hpp>

#include <algorithm>

namespace tenon::test {

inline constexpr DType kFormats[] = {DType::f32,  DType::f16,    DType::bf16,   DType::q4_0, DType::q4_1, DType::q5_0,
                                     DType::q5_1, DType::q8_0,   DType::q2_K,   DType::q3_K, DType::q4_K, DType::q5_K,
                                     DType::q6_K, DType::iq4_nl, DType::iq4_xs, DType::mxfp4};

inline int64_t block_of(DType dtype) { return std::max<int64_t>(32, info_of(dtype).block_elements); }

}  // namespace tenon::test
