// Weights in panels of eight outputs, and the one call that multiplies rows by panels.
//
// A matrix [n, k] is kept as ceil(n / 8) panels; missing outputs of the last one are zero. A panel of a block format is
// a sequence of units (one block, or one super-block); the bytes of a unit are interleaved so that one 32-byte vector
// holds four consecutive k of each of the eight outputs: byte 4 r + j of vector v is output r, element 4 v + j of the
// block. Shared by code compiled for the baseline and for
// an ISA: plain data and declarations only.
#pragma once

#include <cstdint>

namespace tenon::panels {

inline constexpr int64_t kPanel = 8;  // outputs of a panel: one f32 lane each

/// 32 activations quantized as core/README.md says for the int8 class.
struct ActBlock {
  int8_t q[32];
  float d;           // scale
  float d_sum;       // d * f32(sum of q)
  int32_t sum;       // of q
  int16_t sum16[2];  // of q[0..15] and q[16..31]
};
static_assert(sizeof(ActBlock) == 48);

/// n_rows rows times panels [first_panel, last_panel): out = add + scale * (chain + bias), each part only where
/// present. Row i of x is `x[i]`: const ActBlock* [k / 32] in the class int8, const float* [k] in the class f32.
struct PanelCall {
  const uint8_t* panels;  // the matrix
  int64_t k;
  int64_t n_outputs;  // of the matrix
  int64_t first_panel, last_panel;
  int64_t n_rows;
  const void* const* x;
  float* const* out;        // out[i][j - first_output] is output j of row i
  const float* const* add;  // the same places, or nullptr; add[i] may be out[i]
  int64_t first_output;
  const float* bias;  // [n_outputs], or nullptr
  float scale;        // 1: none
};

using PanelKernel = void (*)(const PanelCall&);

// One kernel a format, each in a file of its own name.
void panel_q4_0(const PanelCall& call);
void panel_q4_1(const PanelCall& call);
void panel_q5_0(const PanelCall& call);
void panel_q5_1(const PanelCall& call);
void panel_q8_0(const PanelCall& call);
void panel_q2_K(const PanelCall& call);
void panel_q3_K(const PanelCall& call);
void panel_q4_K(const PanelCall& call);
void panel_q5_K(const PanelCall& call);
void panel_q6_K(const PanelCall& call);
void panel_iq4_nl(const PanelCall& call);
void panel_iq4_xs(const PanelCall& call);
void panel_mxfp4(const PanelCall& call);
// The same formats in the class f32: x rows are floats.
void panel_q4_0_f32(const PanelCall& call);
void panel_q4_1_f32(const PanelCall& call);
void panel_q5_0_f32(const PanelCall& call);
void panel_q5_1_f32(const PanelCall& call);
void panel_q8_0_f32(const PanelCall& call);
void panel_q2_K_f32(const PanelCall& call);
void panel_q3_K_f32(const PanelCall& call);
void panel_q4_K_f32(const PanelCall& call);
void panel_q5_K_f32(const PanelCall& call);
void panel_q6_K_f32(const PanelCall& call);
void panel_iq4_nl_f32(const PanelCall& call);
void panel_iq4_xs_f32(const PanelCall& call);
void panel_mxfp4_f32(const PanelCall& call);

void panel_f32(const PanelCall& call);
void panel_f16(const PanelCall& call);
void panel_bf16(const PanelCall& call);

}  // namespace tenon::panels
