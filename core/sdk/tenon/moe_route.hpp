// Which experts a row goes to, and with what weights: the routing of the op moe, for any backend.
#pragma once

#include <tenon.h>

#include <algorithm>
#include <cstdint>

namespace tenon {
namespace detail {

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

}  // namespace detail

/// scores [n_experts]: the router's logits with their bias, overwritten. choice [n_experts]: scratch. selection_bias
/// [n_experts] or nullptr: added for the choice only. Writes experts and weights [experts_used] in order of selection:
/// descending score, lowest index first among equals. T: float, or double for class exact64. softmax(T*, n) and
/// sigmoid(T) are the backend's own.
template <class T, class Softmax, class Sigmoid>
void route(const tenon_moe_params& params, const float* selection_bias, T* scores, T* choice, int32_t* experts,
           T* weights, Softmax&& softmax, Sigmoid&& sigmoid) {
  const uint32_t n = params.n_experts, used = params.experts_used;
  if (params.route == TENON_ROUTE_SOFTMAX_THEN_SELECT) softmax(scores, n);
  if (params.route == TENON_ROUTE_SIGMOID) {
    for (uint32_t e = 0; e < n; ++e) scores[e] = sigmoid(scores[e]);
  }
  for (uint32_t e = 0; e < n; ++e) choice[e] = selection_bias == nullptr ? scores[e] : scores[e] + T{selection_bias[e]};
  for (uint32_t i = 0; i < used; ++i) {
    experts[i] = detail::best_left(choice, static_cast<int32_t>(n), experts, i);
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

/// (row, choice) pairs sorted by expert, so that a weight is read once for all rows that chose it. A pair is number
/// row * experts_used + choice. All arrays are the caller's.
struct ExpertGroups {
  int32_t* pairs;   // [n_pairs] grouped by expert, ascending in a group
  int32_t* ends;    // [n_experts] where in `pairs` each expert's group ends
  int32_t* active;  // [n_experts] the experts with a group, ascending; n_active of them
  int32_t n_active = 0;

  struct Group {
    int32_t expert;
    int64_t begin, n;
  };
  Group group(int64_t index) const {
    const int32_t expert = active[index];
    const int64_t begin = index == 0 ? 0 : ends[active[index - 1]];
    return {expert, begin, ends[expert] - begin};
  }

  /// experts [n_pairs]: the choice of each pair. A counting sort.
  void fill(const int32_t* experts, int64_t n_pairs, int32_t n_experts) {
    std::fill_n(ends, n_experts, 0);
    for (int64_t p = 0; p < n_pairs; ++p) ++ends[experts[p]];
    int32_t begin = 0;
    n_active = 0;
    for (int32_t e = 0; e < n_experts; ++e) {
      const int32_t n = ends[e];
      if (n > 0) active[n_active++] = e;
      ends[e] = begin;  // raised to the end while filling
      begin += n;
    }
    for (int64_t p = 0; p < n_pairs; ++p) pairs[ends[experts[p]]++] = static_cast<int32_t>(p);
  }
};

}  // namespace tenon
