#include <tenon/model/plan.hpp>

#include <fmt/format.h>

namespace tenon {
namespace {

OpSpec part_of(const OpSpec& op, const char* name, const Graph& graph, std::vector<int> weights) {
  OpSpec part;
  part.name = name;
  part.stage = op.stage;
  part.layer = op.layer;
  part.label = weights.empty() ? op.label : graph.tensors[static_cast<size_t>(weights.front())].name;
  part.weights = std::move(weights);
  return part;
}

tenon_linear_params linear_params(bool has_add, float scale) {
  return {sizeof(tenon_linear_params), 1, has_add ? 1u : 0u, scale};
}

std::vector<OpSpec> split_linear(const OpSpec& op, const Graph& graph) {
  const auto& params = std::get<tenon_linear_params>(op.params);
  if (params.n_weights < 2) return {};
  std::vector<OpSpec> parts;
  for (size_t i = 0; i < params.n_weights; ++i) {
    OpSpec part = part_of(op, "linear", graph, {op.weights[i], op.weights[params.n_weights + i]});
    part.params = linear_params(false, params.scale);
    part.in = {op.in[0]};
    part.out = {op.out[i]};
    parts.push_back(std::move(part));
  }
  return parts;
}

std::vector<OpSpec> split_ffn(const OpSpec& op, Graph& graph) {
  const auto& params = std::get<tenon_ffn_params>(op.params);
  const int64_t inner = graph.tensors[static_cast<size_t>(op.weights[0])].shape.dims[0];
  const auto add_value = [&](const char* name) {
    // One buffer for all layers: a later ffn of the same width takes the value of the first.
    for (size_t i = 0; i < graph.values.size(); ++i) {
      if (graph.values[i].name == name && graph.values[i].width == inner) return static_cast<int>(i);
    }
    graph.values.push_back({name, inner, op.stage});
    return static_cast<int>(graph.values.size()) - 1;
  };
  const int gate = add_value("ffn.gate"), up = add_value("ffn.up");

  OpSpec gate_up = part_of(op, "linear", graph, {op.weights[0], op.weights[1], op.weights[3], op.weights[4]});
  gate_up.params = tenon_linear_params{sizeof(tenon_linear_params), 2, 0, 1.0f};
  gate_up.in = {op.in[0]};
  gate_up.out = {gate, up};

  OpSpec glu = part_of(op, "glu", graph, {});
  glu.params = tenon_glu_params{sizeof(tenon_glu_params), params.activation, inner};
  glu.in = {gate, up};
  glu.out = {gate};

  OpSpec down = part_of(op, "linear", graph, {op.weights[2], op.weights[5]});
  down.params = linear_params(params.has_add != 0, 1.0f);
  down.in = {gate};
  if (params.has_add != 0) down.in.push_back(op.in[1]);
  down.out = op.out;
  return {std::move(gate_up), std::move(glu), std::move(down)};
}

}  // namespace

std::vector<OpSpec> split_op(const OpSpec& op, Graph& graph) {
  if (op.name == "linear") return split_linear(op, graph);
  if (op.name == "ffn") return split_ffn(op, graph);
  return {};
}

tenon_op make_op(const OpSpec& spec, const Graph& graph, const PlanSettings& settings,
                 std::vector<tenon_tensor>& weights) {
  weights.clear();
  for (const int weight : spec.weights) {
    weights.push_back(weight == kAbsent ? tenon_tensor{} : graph.tensors[static_cast<size_t>(weight)].shape);
  }
  tenon_op op{};
  op.size = sizeof op;
  op.revision = 1;
  op.name = spec.name.c_str();
  op.numeric_class = settings.numeric_class;
  op.n_weights = static_cast<uint32_t>(weights.size());
  op.weights = weights.data();
  op.params = spec.params_data();
  op.max_rows = spec.stage == Stage::head ? settings.max_head_rows : settings.max_rows;
  return op;
}

}  // namespace tenon
