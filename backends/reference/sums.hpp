// Sums in the order that core/README.md fixes, softmax and activations in both precisions.
#pragma once

#include <tenon.h>
#include <tenon/math.hpp>

#include <cmath>
#include <cstdint>

namespace tenon::reference {

/// Element i goes to partial sum i % 8; the eight are joined as (p0+p4 + p2+p6) + (p1+p5 + p3+p7).
template <class T, class F>
T eight_way_sum(int64_t n, F&& element) {
  T p[8] = {};
  for (int64_t i = 0; i < n; ++i) p[i % 8] += element(i);
  return ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]));
}

/// In place over x [n]. exact: f64 inside.
inline void softmax(float* x, int64_t n, bool exact) {
  float highest = -INFINITY;
  for (int64_t i = 0; i < n; ++i) highest = x[i] > highest ? x[i] : highest;
  if (exact) {
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += std::exp(double{x[i]} - double{highest});
    for (int64_t i = 0; i < n; ++i) x[i] = static_cast<float>(std::exp(double{x[i]} - double{highest}) / sum);
    return;
  }
  for (int64_t i = 0; i < n; ++i) x[i] = exp_f32(x[i] - highest);
  const float inverse = 1.0f / eight_way_sum<float>(n, [&](int64_t i) { return x[i]; });
  for (int64_t i = 0; i < n; ++i) x[i] *= inverse;
}

inline float activate_f32(const tenon_activation& a, float gate, float up) {
  switch (a.kind) {
    case TENON_ACT_SILU: return silu_f32(gate) * up;
    case TENON_ACT_GELU: return gelu_f32(gate) * up;
    case TENON_ACT_SWIGLU_OAI: return swiglu_oai_f32(gate, up, a.alpha, a.limit);
    default: return gate * up;
  }
}

inline float activate_f64(const tenon_activation& a, double gate, double up) {
  const auto sigmoid = [](double x) { return 1.0 / (1.0 + std::exp(-x)); };
  switch (a.kind) {
    case TENON_ACT_SILU: return static_cast<float>(gate * sigmoid(gate) * up);
    case TENON_ACT_GELU: {
      const double inner = std::sqrt(2.0 / M_PI) * (gate + 0.044715 * gate * gate * gate);
      return static_cast<float>(0.5 * gate * (1.0 + std::tanh(inner)) * up);
    }
    case TENON_ACT_SWIGLU_OAI: {
      const double limit = a.limit, g = gate > limit ? limit : gate, u = up > limit ? limit : up < -limit ? -limit : up;
      return static_cast<float>(g * sigmoid(double{a.alpha} * g) * (u + 1.0));
    }
    default: return static_cast<float>(gate * up);
  }
}

inline float activate(const tenon_activation& a, float gate, float up, bool exact) {
  return exact ? activate_f64(a, gate, up) : activate_f32(a, gate, up);
}

}  // namespace tenon::reference
