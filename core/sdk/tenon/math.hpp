// The shared elementary functions of the f32 and int8 classes. Vector kernels repeat these steps operation by
// operation, so that all backends agree bit for bit.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace tenon {

// exp(x): n = rint(x log2 e), r = x - n ln 2 in two steps, Cephes' degree-5 polynomial, times 2^n. Below kExpLowest: 0;
// above kExpHighest: that value's exp. Error under 2 ulp between.
inline constexpr float kExpLowest = -87.0f;
inline constexpr float kExpHighest = 88.0f;
inline constexpr float kLog2E = 1.44269504088896341f;
inline constexpr float kLn2High = 0.693359375f;
inline constexpr float kLn2Low = -2.12194440e-4f;
inline constexpr float kExpPoly[6] = {1.9875691500e-4f, 1.3981999507e-3f, 8.3334519073e-3f,
                                      4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f};

inline float exp_f32(float x) {
  if (!(x >= kExpLowest)) return x != x ? x : 0.0f;
  x = x > kExpHighest ? kExpHighest : x;
  const float n = std::nearbyint(x * kLog2E);
  float r = std::fma(n, -kLn2High, x);
  r = std::fma(n, -kLn2Low, r);
  float p = kExpPoly[0];
  for (int i = 1; i < 6; ++i) p = std::fma(p, r, kExpPoly[i]);
  p = std::fma(p, r * r, r) + 1.0f;
  const auto exponent = static_cast<uint32_t>(static_cast<int32_t>(n) + 127) << 23;
  return p * std::bit_cast<float>(exponent);
}

inline float sigmoid_f32(float x) { return 1.0f / (1.0f + exp_f32(-x)); }
inline float silu_f32(float x) { return x * sigmoid_f32(x); }

/// tanh by exp: 1 - 2 / (exp(2x) + 1).
inline float tanh_f32(float x) { return 1.0f - 2.0f / (exp_f32(2.0f * x) + 1.0f); }

/// The tanh form of GELU: x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).
inline float gelu_f32(float x) {
  const float inner = 0.797884560802865f * std::fma(0.044715f * x * x, x, x);
  return 0.5f * x * (1.0f + tanh_f32(inner));
}

/// swiglu_oai: min(gate, limit) sigmoid(alpha gate) (clamp(up, -limit, limit) + 1).
inline float swiglu_oai_f32(float gate, float up, float alpha, float limit) {
  const float g = gate > limit ? limit : gate;
  const float u = up > limit ? limit : (up < -limit ? -limit : up);
  return g * sigmoid_f32(alpha * g) * (u + 1.0f);
}

}  // namespace tenon
