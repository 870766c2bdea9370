// Small kernels whose cost is strictly proportional to the number of units: what a scenario of the proof repeats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace proof {

/// What all kernels read and write. `out` is big enough for every kernel; results depend on all inputs.
struct Data {
  std::vector<float> a, b, out;
  std::vector<uint16_t> half;
  std::vector<uint32_t> ids;
  std::vector<uint8_t> bytes;
};

Data make_data();

/// One unit of work, 10 to 40 ns. `salt` changes from unit to unit, so that no unit can be left out.
using Unit = void (*)(Data& data, size_t salt);

void add_f32(Data&, size_t);
void add_f16(Data&, size_t);
void add_bf16(Data&, size_t);
void mean_f32(Data&, size_t);
void gather_f32(Data&, size_t);
void gather_u16(Data&, size_t);
void dot_f32(Data&, size_t);
void dot_f16(Data&, size_t);
void dot_bf16(Data&, size_t);
void nibbles(Data&, size_t);
void largest(Data&, size_t);
void partition(Data&, size_t);
void exponentials(Data&, size_t);
void sort_few(Data&, size_t);
void hash_bytes(Data&, size_t);
void bit_mask(Data&, size_t);
void page_list(Data&, size_t);

}  // namespace proof
