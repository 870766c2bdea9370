#include "mxfp4.hpp"

namespace tenon::safetensors {

void join_blocks(std::span<const std::byte> codes, std::span<const std::byte> scales, std::span<std::byte> blocks) {
  static_assert(sizeof(BlockMXFP4) == kCodeBytes + 1);
  for (size_t block = 0; block < scales.size(); ++block) {
    const auto* in = reinterpret_cast<const uint8_t*>(codes.data()) + block * kCodeBytes;
    auto* out = reinterpret_cast<uint8_t*>(blocks.data()) + block * sizeof(BlockMXFP4);
    const auto element = [&](size_t i) { return static_cast<uint8_t>(i % 2 == 0 ? in[i / 2] & 15 : in[i / 2] >> 4); };
    out[0] = static_cast<uint8_t>(scales[block]);
    for (size_t j = 0; j < kCodeBytes; ++j) out[1 + j] = static_cast<uint8_t>(element(j) | element(j + 16) << 4);
  }
}

}  // namespace tenon::safetensors
