// What the ops without matrix products share: their sums, activations, class and name.
#pragma once

#include "chains.hpp"
#include "op.hpp"

#include <tenon/math.hpp>
#include <tenon/op_contract.hpp>

#include <cmath>
#include <string>
#include <type_traits>

namespace tenon::reference {

/// Element i goes to partial sum i % 8; the eight are joined as core/README.md says.
template <class T, class F>
T eight_way_sum(int64_t n, F&& element) {
  T p[8] = {};
  for (int64_t i = 0; i < n; ++i) p[i % 8] += element(i);
  return ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]));
}

/// In place over x [n], n >= 1.
template <class T>
void softmax(T* x, int64_t n) {
  T highest = x[0];
  for (int64_t i = 1; i < n; ++i) highest = x[i] > highest ? x[i] : highest;
  exp_minus(highest, x, n);
  const T inverse = T{1} / eight_way_sum<T>(n, [&](int64_t i) { return x[i]; });
  for (int64_t i = 0; i < n; ++i) x[i] *= inverse;
}

inline float sigmoid(float x) { return sigmoid_f32(x); }
inline double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

inline float gelu(float x) { return gelu_f32(x); }
inline double gelu(double x) {
  constexpr double kRootOfTwoOverPi = 0.79788456080286535588;
  return 0.5 * x * (1.0 + std::tanh(kRootOfTwoOverPi * (x + 0.044715 * x * x * x)));
}

inline float swiglu_oai(float gate, float up, const tenon_activation& a) {
  return swiglu_oai_f32(gate, up, a.alpha, a.limit);
}
inline double swiglu_oai(double gate, double up, const tenon_activation& a) {
  const double limit = a.limit;
  const double g = gate > limit ? limit : gate;
  const double u = up > limit ? limit : (up < -limit ? -limit : up);
  return g * sigmoid(static_cast<double>(a.alpha) * g) * (u + 1.0);
}

/// act(gate) * up; swiglu_oai as its own formula.
template <class T>
T activate(const tenon_activation& a, T gate, T up) {
  switch (a.kind) {
    case TENON_ACT_SILU: return gate * sigmoid(gate) * up;
    case TENON_ACT_GELU: return gelu(gate) * up;
    case TENON_ACT_SWIGLU_OAI: return swiglu_oai(gate, up, a);
    default: return gate * up;
  }
}

/// exact64 where asked, else f32: ops without products have no int8 form.
inline uint32_t elementwise_class(const OpView& op) {
  return op.numeric_class() == TENON_CLASS_EXACT64 ? TENON_CLASS_EXACT64 : TENON_CLASS_F32;
}
inline bool is_exact(const OpView& op) { return op.numeric_class() == TENON_CLASS_EXACT64; }

/// A refusal with the text, or a yes where it is empty. `n_elements`: results a row, for the cost.
inline tenon_support elementwise_answer(const OpView& op, const std::string& problem, int64_t n_elements) {
  if (!problem.empty()) return no(problem);
  const uint32_t numeric_class = elementwise_class(op);
  return yes(std::string(op.name()) + "_" + std::string(class_name(numeric_class)) + "_reference", numeric_class,
             static_cast<float>(n_elements));
}

}  // namespace tenon::reference
