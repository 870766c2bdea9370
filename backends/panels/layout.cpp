#include "layout.hpp"

#include <tenon/dequantize.hpp>

#include <cstring>

namespace tenon::panels {
namespace {

template <int kBytes>
void pack_plain(const std::byte* source, int lane, uint8_t* unit) {
  std::memcpy(unit + kBytes * lane, source, kBytes);
}
template <DType kType, int kBytes>
void unpack_plain(const uint8_t* unit, int lane, float* y) {
  dequantize_row(kType, unit + kBytes * lane, y, 1);
}

constexpr PanelFormat kPlainFormats[] = {
    {DType::f32, 1, 32, panel_f32, panel_f32, pack_plain<4>, unpack_plain<DType::f32, 4>},
    {DType::f16, 1, 16, panel_f16, panel_f16, pack_plain<2>, unpack_plain<DType::f16, 2>},
    {DType::bf16, 1, 16, panel_bf16, panel_bf16, pack_plain<2>, unpack_plain<DType::bf16, 2>},
};

}  // namespace

const PanelFormat* find_panel_format(uint32_t dtype) {
  const std::span<const PanelFormat> lists[] = {kPlainFormats, block_formats(), super_block_formats()};
  for (const auto& formats : lists) {
    for (const PanelFormat& format : formats) {
      if (static_cast<uint32_t>(format.dtype) == dtype) return &format;
    }
  }
  return nullptr;
}

}  // namespace tenon::panels
