// Weights of the block formats as integer codes and scales, for the int8 class.
#pragma once

#include <tenon/dtype.hpp>

#include <cstddef>
#include <cstdint>

namespace tenon::reference {

/// How the integer sums of a block of 32 enter the accumulator; core/README.md's table.
enum class Step {
  scaled,               // acc = fma(d dx, isum, acc)
  with_minimum,         // scaled, then acc = fma(m, dx sx, acc)
  halves,               // isum = scale[0] isum0 + scale[1] isum1 over halves of 16, then scaled
  halves_with_minimum,  // halves, then acc = fma(m, dx (minimum[0] sx0 + minimum[1] sx1), acc)
};

Step step_of(DType dtype);

/// 32 weights. Codes need 8 bits; they are kept in 16 because that is what is multiplied.
struct WeightBlock {
  int16_t codes[32];
  float d, m;
  int32_t scale[2], minimum[2];  // of the halves
};

/// A row in file order, k elements of a block format, into blocks [k / 32].
void unpack_row(DType dtype, const std::byte* row, int64_t k, WeightBlock* blocks);

}  // namespace tenon::reference
