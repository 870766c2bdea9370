// Loops over single rows, which a backend defines for its ISA. Each gives the bits that core/README.md fixes for the
// classes f32 and int8.
#pragma once

#include "panel.hpp"

#include <tenon.h>

#include <cstdint>

namespace tenon::panels {

/// Quantizes x [k], k a multiple of 32, into blocks [k / 32] (class int8). A block with an infinity or NaN gets d =
/// NaN.
void quantize_row(const float* x, int64_t k, ActBlock* blocks);

/// out[i] = (x[i] * r) * w[i], r = f32(1 / sqrt(mean of squares + eps)).
void rms_norm_row(const float* x, const float* w, int64_t width, float eps, float* out);
/// bias may be nullptr.
void layer_norm_row(const float* x, const float* w, const float* bias, int64_t width, float eps, float* out);
/// The mean of x [width] by 32 partial sums in f32.
float mean_of_row(const float* x, int64_t width);
/// In place over x [n], n >= 1, after multiplying by `scale`.
void softmax_row(float* x, int64_t n, float scale);

/// out[i] = act(gate[i]) * up[i]; out may be gate or up.
void activate_row(const tenon_activation& activation, const float* gate, const float* up, int64_t n, float* out);
float sigmoid_of(float x);
/// out[i] = cap * tanh(x[i] / cap); out may be x.
void softcap_row(float cap, const float* x, int64_t n, float* out);

/// One head: pairs of the first n_dims elements rotated by table [n_dims / 2][cos, sin].
void rotate_interleaved(float* x, const float* table, int64_t n_dims);
void rotate_halves(float* x, const float* table, int64_t n_dims);

/// out[i] = a[i] + b[i], a[i] * b[i], scale * x[i], acc[i] = fma(p, x[i], acc[i]).
void add_row(const float* a, const float* b, int64_t n, float* out);
void multiply_row(const float* a, const float* b, int64_t n, float* out);
/// The same for activations of f16 and bf16, computed in f32 and rounded once.
void add_row_f16(const uint16_t* a, const uint16_t* b, int64_t n, uint16_t* out);
void add_row_bf16(const uint16_t* a, const uint16_t* b, int64_t n, uint16_t* out);
void multiply_row_f16(const uint16_t* a, const uint16_t* b, int64_t n, uint16_t* out);
void multiply_row_bf16(const uint16_t* a, const uint16_t* b, int64_t n, uint16_t* out);
void scale_row(float scale, int64_t n, float* x);
void add_scaled_row(float p, const float* x, int64_t n, float* acc);

/// f16 and bf16 to f32 and back, rounded to nearest even.
void widen_f16(const uint16_t* from, int64_t n, float* to);
void widen_bf16(const uint16_t* from, int64_t n, float* to);
void narrow_f16(const float* from, int64_t n, uint16_t* to);
void narrow_bf16(const float* from, int64_t n, uint16_t* to);

}  // namespace tenon::panels
