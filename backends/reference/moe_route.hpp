// Which experts a row goes to, and with what weights.
#pragma once

#include <tenon.h>

#include <cstdint>

namespace tenon::reference {

/// scores [n_experts]: the router's logits with their bias, overwritten. choice [n_experts]: scratch. selection_bias
/// [n_experts] or nullptr: added for the choice only. Writes experts and weights [experts_used] in order of selection:
/// descending score, lowest index first among equals.
/// T: float, or double for class exact64.
template <class T>
void route(const tenon_moe_params& params, const float* selection_bias, T* scores, T* choice, int32_t* experts,
           T* weights);

extern template void route<float>(const tenon_moe_params&, const float*, float*, float*, int32_t*, float*);
extern template void route<double>(const tenon_moe_params&, const float*, double*, double*, int32_t*, double*);

}  // namespace tenon::reference
