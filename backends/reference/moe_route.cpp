#include "moe_route.hpp"

#include "elementwise.hpp"

#include <algorithm>

namespace tenon::reference {
namespace {

/// The best of `choice` that is not among taken [n_taken]. Never fails, so that a NaN cannot lead out of the table.
template <class T>
int32_t best_left(const T* choice, int32_t n, const int32_t* taken, uint32_t n_taken) {
  int32_t best = -1;
  for (int32_t e = 0; e < n; ++e) {
    if (std::find(taken, taken + n_taken, e) != taken + n_taken) continue;
    if (best < 0 || choice[e] > choice[best]) best = e;
  }
  return best;
}

}  // namespace

template <class T>
void route(const tenon_moe_params& params, const float* selection_bias, T* scores, T* choice, int32_t* experts,
           T* weights) {
  const uint32_t n = params.n_experts, used = params.experts_used;
  if (params.route == TENON_ROUTE_SOFTMAX_THEN_SELECT) softmax(scores, n);
  if (params.route == TENON_ROUTE_SIGMOID) {
    for (uint32_t e = 0; e < n; ++e) scores[e] = sigmoid(scores[e]);
  }
  for (uint32_t e = 0; e < n; ++e) choice[e] = selection_bias == nullptr ? scores[e] : scores[e] + T{selection_bias[e]};
  for (uint32_t i = 0; i < used; ++i) {
    experts[i] = best_left(choice, static_cast<int32_t>(n), experts, i);
    weights[i] = scores[experts[i]];
  }
  if (params.route == TENON_ROUTE_SELECT_THEN_SOFTMAX) softmax(weights, used);
  if (params.renormalize != 0) {
    constexpr T kLeastSum = static_cast<T>(6.103515625e-5);
    T sum = 0;
    for (uint32_t i = 0; i < used; ++i) sum += weights[i];
    sum = sum < kLeastSum ? kLeastSum : sum;
    for (uint32_t i = 0; i < used; ++i) weights[i] /= sum;
  }
  if (params.weights_scale != 1.0f) {
    for (uint32_t i = 0; i < used; ++i) weights[i] *= T{params.weights_scale};
  }
}

template void route<float>(const tenon_moe_params&, const float*, float*, float*, int32_t*, float*);
template void route<double>(const tenon_moe_params&, const float*, double*, double*, int32_t*, double*);

}  // namespace tenon::reference
