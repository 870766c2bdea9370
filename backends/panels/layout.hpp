// How the weights of each format lie in panels, and packing from the order of the file.
#pragma once

#include "panel.hpp"

#include <tenon/dtype.hpp>

#include <cstddef>
#include <span>

namespace tenon::panels {

/// A unit is the smallest piece of a panel: one k of a plain format, one block or one super-block.
struct PanelFormat {
  DType dtype;
  int64_t unit_elements;
  int64_t unit_bytes;
  PanelKernel kernel;      // class int8 for block formats, f32 for plain ones
  PanelKernel kernel_f32;  // class f32
  /// Element range of one unit of output `lane` from the file's bytes at `source`. The unit is zero before the first.
  void (*pack)(const std::byte* source, int lane, uint8_t* unit);
  /// The same elements as f32 [unit_elements], exactly the dequantized values.
  void (*unpack)(const uint8_t* unit, int lane, float* y);
};

/// Formats with blocks of 32, and with super-blocks of 256.
std::span<const PanelFormat> block_formats();
std::span<const PanelFormat> super_block_formats();

/// Every format that a weight can have; nullptr for the integers.
const PanelFormat* find_panel_format(uint32_t dtype);

}  // namespace tenon::panels
