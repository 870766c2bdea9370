// The contract of each op (core/abi/tenon_kernel.h) as a check: "" where weights and parameters make sense together,
// else the text of a refusal. A backend adds what it lacks itself.
#pragma once

#include <tenon/op_check.hpp>

#include <bit>

namespace tenon {

inline std::string check_width(int64_t width) {
  return width >= 1 ? "" : "the width is " + std::to_string(width) + ", expected 1 or more";
}

inline std::string check_activation(const tenon_activation& a) {
  if (a.kind <= TENON_ACT_SWIGLU_OAI) return "";
  return "activation " + std::to_string(a.kind) + " is asked, expected identity, silu, gelu or swiglu_oai";
}

/// Of the activations of gather, add and mul; f32 in revision 1.
template <class Params>
uint32_t activation_dtype(const OpView& op) {
  return op.revision() < 2 ? static_cast<uint32_t>(TENON_F32) : op.params<Params>().dtype;
}

inline std::string check_activation_dtype(uint32_t dtype) {
  if (dtype <= TENON_BF16) return "";
  return "activations of " + detail::dtype_name(dtype) + " are asked, expected f32, f16 or bf16";
}

inline std::string check_gather(const OpView& op) {
  const uint32_t dtype = activation_dtype<tenon_gather_params>(op), table = op.weight(0).dtype;
  std::string same;
  if (dtype != TENON_F32 && dtype != table) {
    same = "the table is " + detail::dtype_name(table) + ", expected " + detail::dtype_name(dtype) +
           " as the activations, which only f32 need not be";
  }
  return first_of({check_matrix(op.weight(0), "the table", -1, -1), check_activation_dtype(dtype), same,
                   check_class(op.numeric_class())});
}

/// add and mul.
inline std::string check_binary(const OpView& op) {
  const int64_t width = op.params<tenon_binary_params>().width;
  const uint32_t dtype = activation_dtype<tenon_binary_params>(op);
  return first_of({check_width(width), check_activation_dtype(dtype),
                   check_vector(op.weight(0), "b", width, true, dtype), check_class(op.numeric_class())});
}

/// reduce_mean and softmax.
inline std::string check_rowwise(const OpView& op) {
  return first_of({check_width(op.params<tenon_rowwise_params>().width), check_class(op.numeric_class())});
}

inline std::string check_rms_norm(const OpView& op) {
  const auto p = op.params<tenon_norm_params>();
  return first_of({check_width(p.width), check_width(p.groups),
                   check_vector(op.weight(0), "the weight", p.width, false), check_class(op.numeric_class())});
}

inline std::string check_layer_norm(const OpView& op) {
  return first_of(
      {check_rms_norm(op), check_vector(op.weight(1), "the bias", op.params<tenon_norm_params>().width, true)});
}

inline std::string check_rope(const OpView& op) {
  const auto p = op.params<tenon_rope_params>();
  if (p.n_in < 1 || p.n_in > 4) return "rope of " + std::to_string(p.n_in) + " inputs is asked, expected 1 to 4";
  if (p.pairing > TENON_PAIRING_HALVES) {
    return "pairing " + std::to_string(p.pairing) + " is asked, expected interleaved or halves";
  }
  if (p.n_dims < 0 || p.n_dims > p.head_dim || p.n_dims % 2 != 0) {
    return "n_dims is " + std::to_string(p.n_dims) + ", expected an even number up to the head_dim of " +
           std::to_string(p.head_dim);
  }
  return check_class(op.numeric_class());
}

inline std::string check_glu(const OpView& op) {
  const auto p = op.params<tenon_glu_params>();
  return first_of({check_width(p.width), check_activation(p.activation), check_class(op.numeric_class())});
}

inline std::string check_softcap(const OpView& op) {
  const auto p = op.params<tenon_softcap_params>();
  const std::string cap = p.cap > 0 ? "" : "the cap is " + std::to_string(p.cap) + ", expected more than 0";
  return first_of({check_width(p.width), cap, check_class(op.numeric_class())});
}

inline std::string check_matmul(const OpView& op) {
  const tenon_tensor b = op.weight(0);
  const std::string problem = check_matrix(b, "b", -1, -1);
  if (!problem.empty()) return problem;
  const uint32_t dtype = op.params<tenon_matmul_params>().dtype;
  const std::string found(find_dtype(b.dtype)->name);
  if (b.rank != 2) return "b has rank " + std::to_string(b.rank) + ", expected 2";
  if (b.dtype > TENON_BF16) return "b is " + found + ", expected f32, f16 or bf16";
  if (b.dtype != dtype) return "b is " + found + " and a is of dtype " + std::to_string(dtype) + ", expected the same";
  return check_class(op.numeric_class(), {&b, 1});
}

inline std::string check_linear(const OpView& op) {
  const auto p = op.params<tenon_linear_params>();
  if (p.n_weights < 1 || p.n_weights > 4 || p.n_weights > op.weights().size()) {
    return "linear with " + std::to_string(p.n_weights) + " of " + std::to_string(op.weights().size()) +
           " listed weights as matrices is asked, expected 1 to 4";
  }
  if (p.has_add != 0 && p.n_weights != 1) return "a residual is asked with more than one weight, expected one";
  for (uint32_t i = 0; i < p.n_weights; ++i) {
    const std::string name = "weight " + std::to_string(i);
    const std::string problem =
        first_of({check_matrix(op.weight(i), name, -1, row_width(op.weight(0))),
                  check_vector(op.weight(p.n_weights + i), "the bias of " + name, rows_of(op.weight(i)), true)});
    if (!problem.empty()) return problem;
  }
  return check_class(op.numeric_class(), op.weights().first(p.n_weights));
}

/// Gate, up and down of n experts with rows of `hidden`; `what` names them: "the shared expert's ".
inline std::string check_gated(const tenon_tensor& gate, const tenon_tensor& up, const tenon_tensor& down, int64_t n,
                               int64_t hidden, std::string_view what) {
  const std::string name(what);
  const std::string problem = check_matrix(gate, name + "gate", -1, hidden);
  if (!problem.empty()) return problem;
  if (rows_of(gate) % n != 0) {
    return name + "gate has " + std::to_string(rows_of(gate)) + " rows, expected a multiple of the " +
           std::to_string(n) + " experts";
  }
  return first_of({check_matrix(up, name + "up", rows_of(gate), hidden),
                   check_matrix(down, name + "down", n * hidden, rows_of(gate) / n)});
}

/// Where the weights of ffn stand in tenon_op.weights.
enum : uint32_t { kFfnGate, kFfnUp, kFfnDown, kFfnGateBias, kFfnUpBias, kFfnDownBias };

inline std::string check_ffn(const OpView& op) {
  const tenon_tensor gate = op.weight(kFfnGate);
  const int64_t inner = rows_of(gate), hidden = row_width(gate);
  const std::string problem = first_of({check_gated(gate, op.weight(kFfnUp), op.weight(kFfnDown), 1, hidden, ""),
                                        check_vector(op.weight(kFfnGateBias), "the gate's bias", inner, true),
                                        check_vector(op.weight(kFfnUpBias), "the up's bias", inner, true),
                                        check_vector(op.weight(kFfnDownBias), "the down's bias", hidden, true),
                                        check_activation(op.params<tenon_ffn_params>().activation)});
  return problem.empty() ? check_class(op.numeric_class(), op.weights().first(3)) : problem;
}

namespace detail {

inline std::string check_routing(const OpView& op) {
  const auto p = op.params<tenon_moe_params>();
  if (p.n_experts < 1 || p.experts_used < 1 || p.experts_used > p.n_experts) {
    return std::to_string(p.experts_used) + " of " + std::to_string(p.n_experts) +
           " experts are asked, expected 1 or more and no more than there are";
  }
  if (p.route > TENON_ROUTE_SIGMOID) return "route " + std::to_string(p.route) + " is asked, expected 0, 1 or 2";
  return first_of({check_matrix(op.weight(TENON_MOE_ROUTER), "the router", p.n_experts, -1),
                   check_vector(op.weight(TENON_MOE_ROUTER_BIAS), "the router's bias", p.n_experts, true),
                   check_vector(op.weight(TENON_MOE_SELECTION_BIAS), "the selection bias", p.n_experts, true),
                   check_activation(p.activation)});
}

inline std::string check_experts(const OpView& op) {
  const int64_t n = op.params<tenon_moe_params>().n_experts, hidden = row_width(op.weight(TENON_MOE_ROUTER));
  const tenon_tensor gate = op.weight(TENON_MOE_GATE);
  const std::string problem =
      check_gated(gate, op.weight(TENON_MOE_UP), op.weight(TENON_MOE_DOWN), n, hidden, "the experts' ");
  if (!problem.empty()) return problem;
  return first_of({check_vector(op.weight(TENON_MOE_GATE_BIAS), "the gate's bias", rows_of(gate), true),
                   check_vector(op.weight(TENON_MOE_UP_BIAS), "the up's bias", rows_of(gate), true),
                   check_vector(op.weight(TENON_MOE_DOWN_BIAS), "the down's bias", n * hidden, true)});
}

inline std::string check_shared_expert(const OpView& op) {
  const int64_t hidden = row_width(op.weight(TENON_MOE_ROUTER));
  const tenon_tensor gate = op.weight(TENON_MOE_SHARED_GATE), router = op.weight(TENON_MOE_SHARED_ROUTER);
  if (is_absent(gate)) {
    const bool none =
        is_absent(router) && is_absent(op.weight(TENON_MOE_SHARED_UP)) && is_absent(op.weight(TENON_MOE_SHARED_DOWN));
    return none ? "" : "the shared expert's gate is missing";
  }
  const std::string problem = check_gated(gate, op.weight(TENON_MOE_SHARED_UP), op.weight(TENON_MOE_SHARED_DOWN), 1,
                                          hidden, "the shared expert's ");
  if (!problem.empty() || is_absent(router)) return problem;
  return check_matrix(router, "the shared expert's router", 1, hidden);
}

}  // namespace detail

inline std::string check_moe(const OpView& op) {
  std::string problem = detail::check_routing(op);
  if (problem.empty()) problem = detail::check_experts(op);
  if (problem.empty()) problem = detail::check_shared_expert(op);
  return problem.empty() ? check_class(op.numeric_class(), op.weights()) : problem;
}

inline std::string check_kv_pages(const tenon_attention_params& p) {
  if (p.kv_dtype != TENON_F32 && p.kv_dtype != TENON_F16 && p.kv_dtype != TENON_Q8_0) {
    return "kv pages of " + detail::dtype_name(p.kv_dtype) + " are asked, expected f32, f16 or q8_0";
  }
  for (const int64_t width : {p.head_dim, p.v_head_dim}) {
    if (width < 1) return "a head of " + std::to_string(width) + " elements is asked, expected 1 or more";
    if (p.kv_dtype == TENON_Q8_0 && width % 32 != 0) {
      return "a head has " + std::to_string(width) + " elements, expected a multiple of the block of 32 of q8_0 pages";
    }
  }
  return "";
}

inline std::string check_attention(const OpView& op) {
  const auto p = op.params<tenon_attention_params>();
  if (p.n_kv_heads < 1 || p.n_heads < 1 || p.n_heads % p.n_kv_heads != 0) {
    return std::to_string(p.n_heads) + " heads over " + std::to_string(p.n_kv_heads) +
           " kv heads are asked, expected a multiple";
  }
  if (p.window < 0) return "the window is " + std::to_string(p.window) + ", expected 0 (none) or more";
  if (p.page_tokens < 8 || p.page_tokens > 256 || !std::has_single_bit(p.page_tokens)) {
    return "pages of " + std::to_string(p.page_tokens) + " tokens are asked, expected a power of two from 8 to 256";
  }
  return first_of({check_kv_pages(p), check_vector(op.weight(0), "the sink vector", p.n_heads, p.has_sinks == 0),
                   check_class(op.numeric_class())});
}

}  // namespace tenon
