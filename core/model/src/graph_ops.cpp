// One method an op: reads the step's fields, checks shapes, fills the op's parameters.
#include "graph_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tenon {

Result<void> GraphBuilder::gather(const Yaml& step, OpSpec& op) {
  auto table = tensor(*step.find("weight"), "weight");
  if (!table) return table.error();
  auto hidden_size = params_.integer("hidden_size", 0, 1, 1 << 20);
  if (!hidden_size) return hidden_size.error();
  const Weight& t = info(*table);
  if (t.shape.rank != 2 || t.shape.dims[1] != *hidden_size) {
    return at(step, fmt::format("tensor '{}' must be [vocab_size, {}] by the model's hidden_size, its row width is {}",
                                t.name, *hidden_size, row_width(t.shape)));
  }
  auto scale = number_or(step, "scale", "", 1.0);
  if (!scale) return scale.error();
  auto out = output(*step.find("out"), *hidden_size);
  if (!out) return out.error();
  op.weights = {*table};
  op.out = {*out};
  op.params = tenon_gather_params{sizeof(tenon_gather_params), *scale};
  return {};
}

Result<void> GraphBuilder::binary(const Yaml& step, OpSpec& op) {
  auto in = inputs(*step.find("in"));
  if (!in) return in.error();
  if (in->size() != 2 || width_of((*in)[0]) != width_of((*in)[1])) {
    return at(step, fmt::format("{} takes two values of one width", op.name));
  }
  const int64_t width = width_of((*in)[0]);
  auto out = output(*step.find("out"), width);
  if (!out) return out.error();
  op.in = *in;
  op.out = {*out};
  op.params = tenon_binary_params{sizeof(tenon_binary_params), 0, width};
  return {};
}

Result<void> GraphBuilder::norm(const Yaml& step, OpSpec& op) {
  auto in = input(*step.find("in"));
  if (!in) return in.error();
  int64_t width = width_of(*in);
  if (const Yaml* per = step.find("per")) {
    constexpr std::array<std::string_view, 2> kPer{"row", "head"};
    auto choice = as_choice(*per, "per", kPer);
    if (!choice) return choice.error();
    if (*choice == "head") {
      auto head_dim = params_.integer("head_dim", layer_, 1, 1 << 16);
      if (!head_dim) return head_dim.error();
      width = *head_dim;
    }
  }
  const int64_t groups = width_of(*in) / width;
  if (groups * width != width_of(*in)) {
    return at(step, fmt::format("width {} is no multiple of head_dim {}", width_of(*in), width));
  }
  auto weight = tensor(*step.find("weight"), "weight");
  if (!weight) return weight.error();
  auto bias = tensor_field(step, "bias", "bias");
  if (!bias) return bias.error();
  for (const int vector : {*weight, *bias}) {
    auto shape = expect_shape(vector, {width}, step);
    if (!shape) return shape;
  }
  auto eps = number_or(step, "eps", "norm_eps", 0);
  if (!eps) return eps.error();
  if (!(*eps >= 0)) return at(step, fmt::format("norm_eps is {}, expected 0 or more", *eps));
  auto out = output(*step.find("out"), width_of(*in));
  if (!out) return out.error();
  op.weights = {*weight};
  if (op.name == "layer_norm") op.weights.push_back(*bias);
  op.in = {*in};
  op.out = {*out};
  op.params = tenon_norm_params{sizeof(tenon_norm_params), *eps, width, groups};
  return {};
}

Result<void> GraphBuilder::glu(const Yaml& step, OpSpec& op) {
  auto in = inputs(*step.find("in"));
  if (!in) return in.error();
  if (in->size() != 2 || width_of((*in)[0]) != width_of((*in)[1]))
    return at(step, "glu takes gate and up of one width");
  auto act = activation(step);
  if (!act) return act.error();
  const int64_t width = width_of((*in)[0]);
  auto out = output(*step.find("out"), width);
  if (!out) return out.error();
  op.in = *in;
  op.out = {*out};
  op.params = tenon_glu_params{sizeof(tenon_glu_params), *act, width};
  return {};
}

Result<void> GraphBuilder::softcap(const Yaml& step, OpSpec& op) {
  auto in = input(*step.find("in"));
  if (!in) return in.error();
  auto cap = number_or(step, "cap", "", 0);
  if (!cap) return cap.error();
  if (*cap < 0) return at(step, fmt::format("the softcap is {}, expected more than 0, or 0 for none", *cap));
  const Yaml& name = *step.find("out");
  if (*cap == 0) {
    if (name.scalar() == step.find("in")->scalar()) return {};
    return at(step, "a softcap of 0 is left out: 'in' and 'out' must be one value");
  }
  const int64_t width = width_of(*in);
  auto out = output(name, width);
  if (!out) return out.error();
  op.in = {*in};
  op.out = {*out};
  op.params = tenon_softcap_params{sizeof(tenon_softcap_params), *cap, width};
  return {};
}

Result<void> GraphBuilder::linear(const Yaml& step, OpSpec& op) {
  auto in = input(*step.find("in"));
  if (!in) return in.error();
  const Yaml& weight = *step.find("weight");
  const Yaml& out = *step.find("out");
  const Yaml* bias = step.find("bias");
  const std::span<const Yaml> weights = weight.is_list() ? weight.items() : std::span(&weight, 1);
  const std::span<const Yaml> outs = out.is_list() ? out.items() : std::span(&out, 1);
  const std::span<const Yaml> biases = bias == nullptr   ? std::span<const Yaml>{}
                                       : bias->is_list() ? bias->items()
                                                         : std::span(bias, 1);
  if (weights.empty() || weights.size() > 4 || outs.size() != weights.size() ||
      (!biases.empty() && biases.size() != weights.size())) {
    return at(step, "linear takes 1 to 4 weights, as many outputs, and as many biases or none");
  }
  std::vector<int> bias_tensors;
  for (size_t i = 0; i < weights.size(); ++i) {
    auto w = tensor(weights[i], "weight");
    if (!w) return w.error();
    const Weight& t = info(*w);
    if (t.shape.rank != 2 || t.shape.dims[1] != width_of(*in)) {
      return at(step,
                fmt::format("tensor '{}' must be a matrix with rows of {}, the width of '{}'; its row width is {}",
                            t.name, width_of(*in), graph_.values[static_cast<size_t>(*in)].name, row_width(t.shape)));
    }
    op.weights.push_back(*w);
    auto b = biases.empty() ? Result<int>(kAbsent) : tensor(biases[i], "bias");
    if (!b) return b.error();
    auto shape = expect_shape(*b, {t.shape.dims[0]}, step);
    if (!shape) return shape;
    bias_tensors.push_back(*b);
  }
  op.weights.insert(op.weights.end(), bias_tensors.begin(), bias_tensors.end());
  op.in = {*in};
  auto has_add = take_add(step, op, info(op.weights[0]).shape.dims[0]);
  if (!has_add) return has_add.error();
  if (*has_add && weights.size() != 1) return at(step, "linear with 'add' takes one weight");
  for (size_t i = 0; i < weights.size(); ++i) {
    auto value = output(outs[i], info(op.weights[i]).shape.dims[0]);
    if (!value) return value.error();
    if (*value == *in || std::ranges::find(op.out, *value) != op.out.end()) {
      return at(step, fmt::format("linear cannot write '{}': it is its input or another of its outputs",
                                  graph_.values[static_cast<size_t>(*value)].name));
    }
    op.out.push_back(*value);
  }
  auto scale = number_or(step, "scale", "", 1.0);
  if (!scale) return scale.error();
  op.params = tenon_linear_params{sizeof(tenon_linear_params), static_cast<uint32_t>(weights.size()),
                                  *has_add ? 1u : 0u, *scale};
  return {};
}

Result<void> GraphBuilder::ffn(const Yaml& step, OpSpec& op) {
  auto in = input(*step.find("in"));
  if (!in) return in.error();
  const int64_t hidden = width_of(*in);
  for (const std::string_view field : {"gate", "up", "down"}) {
    auto w = tensor(*step.find(field), "weight");
    if (!w) return w.error();
    op.weights.push_back(*w);
  }
  const int64_t inner = info(op.weights[0]).shape.dims[0];
  for (const size_t i : {size_t{0}, size_t{1}, size_t{2}}) {
    auto shape = i == 2 ? expect_shape(op.weights[i], {hidden, inner}, step)
                        : expect_shape(op.weights[i], {inner, hidden}, step);
    if (!shape) return shape;
  }
  for (const std::string_view field : {"gate_bias", "up_bias", "down_bias"}) {
    auto b = tensor_field(step, field, "bias");
    if (!b) return b.error();
    auto shape = expect_shape(*b, {field == "down_bias" ? hidden : inner}, step);
    if (!shape) return shape;
    op.weights.push_back(*b);
  }
  auto act = activation(step);
  if (!act) return act.error();
  op.in = {*in};
  auto has_add = take_add(step, op, hidden);
  if (!has_add) return has_add.error();
  auto out = output(*step.find("out"), hidden);
  if (!out) return out.error();
  op.out = {*out};
  op.params = tenon_ffn_params{sizeof(tenon_ffn_params), *has_add ? 1u : 0u, *act};
  return {};
}

Result<void> GraphBuilder::moe(const Yaml& step, OpSpec& op) {
  auto in = input(*step.find("in"));
  if (!in) return in.error();
  auto n_experts = params_.integer("n_experts", layer_, 1, 1 << 16);
  if (!n_experts) return n_experts.error();
  auto experts_used = params_.integer("experts_used", layer_, 1, *n_experts);
  if (!experts_used) return experts_used.error();
  const int64_t hidden = width_of(*in), experts = *n_experts;
  // In the order of TENON_MOE_*.
  constexpr std::array<std::string_view, TENON_MOE_N_WEIGHTS> kFields{
      "router",         "gate",          "up",          "down",      "router_bias", "gate_bias", "up_bias", "down_bias",
      "selection_bias", "shared_router", "shared_gate", "shared_up", "shared_down"};
  for (const std::string_view field : kFields) {
    auto w = tensor_field(step, field, field.ends_with("_bias") ? "bias" : "weight");
    if (!w) return w.error();
    op.weights.push_back(*w);
  }
  const Weight& gate = info(op.weights[TENON_MOE_GATE]);
  if (gate.shape.rank != 3)
    return at(step, fmt::format("tensor '{}' must be [n_experts, intermediate_size, hidden_size]", gate.name));
  const int64_t inner = gate.shape.dims[1];
  struct Expected {
    int weight;
    std::initializer_list<int64_t> dims;
  };
  for (const Expected& e : {Expected{TENON_MOE_ROUTER, {experts, hidden}},
                            {TENON_MOE_GATE, {experts, inner, hidden}},
                            {TENON_MOE_UP, {experts, inner, hidden}},
                            {TENON_MOE_DOWN, {experts, hidden, inner}},
                            {TENON_MOE_ROUTER_BIAS, {experts}},
                            {TENON_MOE_GATE_BIAS, {experts, inner}},
                            {TENON_MOE_UP_BIAS, {experts, inner}},
                            {TENON_MOE_DOWN_BIAS, {experts, hidden}},
                            {TENON_MOE_SELECTION_BIAS, {experts}}}) {
    auto shape = expect_shape(op.weights[static_cast<size_t>(e.weight)], e.dims, step);
    if (!shape) return shape;
  }
  constexpr std::array<std::string_view, 3> kRoutes{"softmax_then_select", "select_then_softmax", "sigmoid"};
  auto route = as_choice(*step.find("route"), "route", kRoutes);
  if (!route) return route.error();
  Result<float> renormalize = 0.0f;
  if (const Yaml* field = step.find("renormalize")) {
    const bool is_param = field->is_scalar() && field->scalar() != "true" && field->scalar() != "false";
    if (is_param) {
      renormalize = number_or(step, "renormalize", "", 0);
    } else {
      auto flag = as_bool(*field, "renormalize");
      renormalize = flag ? Result<float>(*flag ? 1.0f : 0.0f) : Result<float>(flag.error());
    }
  }
  if (!renormalize) return renormalize.error();
  auto weights_scale = number_or(step, "weights_scale", "", 1.0);
  if (!weights_scale) return weights_scale.error();
  auto act = activation(step);
  if (!act) return act.error();
  op.in = {*in};
  auto has_add = take_add(step, op, hidden);
  if (!has_add) return has_add.error();
  auto out = output(*step.find("out"), hidden);
  if (!out) return out.error();
  op.out = {*out};
  op.params =
      tenon_moe_params{sizeof(tenon_moe_params),
                       *has_add ? 1u : 0u,
                       static_cast<uint32_t>(experts),
                       static_cast<uint32_t>(*experts_used),
                       static_cast<uint32_t>(std::ranges::find(kRoutes, std::string_view(*route)) - kRoutes.begin()),
                       *renormalize != 0 ? 1u : 0u,
                       *weights_scale,
                       *act};
  return {};
}

Result<void> GraphBuilder::attention(const Yaml& step, OpSpec& op) {
  auto in = inputs(*step.find("in"));
  if (!in) return in.error();
  if (in->size() != 3) return at(step, "attention takes q, k and v");
  tenon_attention_params p{};
  p.size = sizeof p;
  p.kv_dtype = kv_.dtype;
  p.page_tokens = kv_.page_tokens;
  for (auto [name, target] :
       {std::pair{"n_heads", &p.n_heads}, {"n_kv_heads", &p.n_kv_heads}, {"head_dim", &p.head_dim}}) {
    auto value = params_.integer(name, layer_, 1, 1 << 16);
    if (!value) return value.error();
    *target = *value;
  }
  p.v_head_dim = p.head_dim;
  if (params_.has("v_head_dim")) {
    auto value = params_.integer("v_head_dim", layer_, 1, 1 << 16);
    if (!value) return value.error();
    p.v_head_dim = *value;
  }
  const std::array<int64_t, 3> expected{p.n_heads * p.head_dim, p.n_kv_heads * p.head_dim, p.n_kv_heads * p.v_head_dim};
  for (size_t i = 0; i < 3; ++i) {
    if (width_of((*in)[i]) == expected[i]) continue;
    return at(step, fmt::format("'{}' is {} wide, the model's heads ask for {}",
                                graph_.values[static_cast<size_t>((*in)[i])].name, width_of((*in)[i]), expected[i]));
  }
  auto window = number_or(step, "window", "", 0);
  if (!window) return window.error();
  if (!(*window >= 0 && *window <= float{1 << 24} && *window == std::floor(*window))) {
    return at(step, fmt::format("window is {}, expected a whole number from 0 (none) to {}", *window, 1 << 24));
  }
  p.window = static_cast<int64_t>(*window);
  auto scale = number_or(step, "scale", "", 1.0 / std::sqrt(static_cast<double>(p.head_dim)));
  if (!scale) return scale.error();
  p.scale = *scale;
  auto softcap = number_or(step, "softcap", "", 0);
  if (!softcap) return softcap.error();
  p.softcap = *softcap;
  auto sinks = tensor_field(step, "sinks", "weight");
  if (!sinks) return sinks.error();
  auto shape = expect_shape(*sinks, {p.n_heads}, step);
  if (!shape) return shape;
  p.has_sinks = *sinks == kAbsent ? 0 : 1;
  op.weights = {*sinks};
  op.in = *in;
  auto out = output(*step.find("out"), p.n_heads * p.v_head_dim);
  if (!out) return out.error();
  op.out = {*out};
  op.params = p;
  op.kv_layer = graph_.n_kv_layers++;
  return {};
}

}  // namespace tenon
