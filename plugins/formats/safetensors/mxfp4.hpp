// MXFP4 as these files hold it, a tensor of codes and one of scales, in the blocks of core/sdk/tenon/blocks.hpp.
#pragma once

#include <tenon/blocks.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace tenon::safetensors {

constexpr size_t kCodeBytes = 16;  // of one block of 32 elements

/// codes [n, 16]: byte j of a block holds element 2j in its low half and 2j + 1 in its high one; a block of ours holds
/// elements j and j + 16 there. Nothing is rounded: nibbles move.
void join_blocks(std::span<const std::byte> codes, std::span<const std::byte> scales, std::span<std::byte> blocks);

}  // namespace tenon::safetensors
