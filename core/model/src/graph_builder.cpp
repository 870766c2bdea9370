// Stages, values, tensors and numbers; the ops themselves are in graph_ops.cpp.
#include "graph_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tenon {

Result<Graph> build_graph(const Recipe& recipe, const ModelSource& model, const KvSettings& kv) {
  auto params = Params::evaluate(recipe, model);
  if (!params) return params.error();
  return GraphBuilder(recipe, model, *params, kv).build();
}

Result<Graph> GraphBuilder::build() {
  graph_.context_length = params_.context_length();
  graph_.chat_template = params_.text("chat_template").value_or("");
  auto types = take_layer_types();
  if (!types) return types.error();
  auto embed = build_stage(Stage::embed, -1);
  if (!embed) return embed.error();
  for (int64_t layer = 0; layer < params_.n_layers(); ++layer) {
    auto built = build_stage(Stage::layer, layer);
    if (!built) return built.error();
  }
  layer_names_ = std::move(names_);
  names_.clear();
  auto head = build_stage(Stage::head, -1);
  if (!head) return head.error();
  const auto logits = names_.find("logits");
  if (logits == names_.end() || graph_.head_input == kAbsent) {
    return config_error("RECIPE_STEP", recipe_.place, "the head must take a value of the layers and give 'logits'");
  }
  graph_.logits = logits->second;
  graph_.vocab_size = width_of(graph_.logits);
  auto used = check_all_used();
  if (!used) return used.error();
  return std::move(graph_);
}

Result<void> GraphBuilder::build_stage(Stage stage, int64_t layer) {
  stage_ = stage;
  layer_ = layer;
  for (const Yaml& step : recipe_.steps(stage)) {
    auto built = build_step(step);
    if (!built) return built;
  }
  return {};
}

Result<void> GraphBuilder::build_step(const Yaml& step) {
  OpSpec op;
  op.name = step.find("op")->scalar();
  op.stage = stage_;
  op.layer = layer_;
  const bool of_layers = op.name == "attention" || op.name == "rope", of_embed = op.name == "gather";
  if ((of_layers && stage_ != Stage::layer) || (of_embed && stage_ != Stage::embed)) {
    // The head sees chosen rows only, without their tokens and positions.
    return at(step, fmt::format("{} stands under '{}' alone", op.name, of_layers ? "layer" : "embed"));
  }
  Result<void> built;
  if (op.name == "gather")
    built = gather(step, op);
  else if (op.name == "add" || op.name == "mul")
    built = binary(step, op);
  else if (op.name == "rms_norm" || op.name == "layer_norm")
    built = norm(step, op);
  else if (op.name == "rope")
    built = rope(step, op);
  else if (op.name == "glu")
    built = glu(step, op);
  else if (op.name == "softcap")
    built = softcap(step, op);
  else if (op.name == "linear")
    built = linear(step, op);
  else if (op.name == "ffn")
    built = ffn(step, op);
  else if (op.name == "moe")
    built = moe(step, op);
  else
    built = attention(step, op);
  if (!built) return built;
  if (op.out.empty()) return {};  // nothing to do in this model

  std::string tensors;
  for (const int weight : op.weights) {
    if (weight != kAbsent) tensors += (tensors.empty() ? "" : ", ") + info(weight).name;
  }
  op.label = tensors.empty() ? (layer_ < 0 ? op.name : fmt::format("layer {}", layer_)) : tensors;
  graph_.ops.push_back(std::move(op));
  return {};
}

Result<void> GraphBuilder::take_layer_types() {
  auto said = params_.layer_types(recipe_);
  if (!said) return said.error();
  layer_types_ = std::move(*said);
  return {};
}

std::string_view GraphBuilder::layer_type() const { return layer_types_[layer_ < 0 ? 0 : static_cast<size_t>(layer_)]; }

Result<const Yaml*> GraphBuilder::for_layer(const Yaml& field) const {
  if (!field.is_map()) return &field;
  if (const Yaml* by_type = field.find(layer_type())) return by_type;
  return config_error("RECIPE_VALUE", field.place(), fmt::format("no value for the layer type '{}'", layer_type()));
}

Error GraphBuilder::at(const Yaml& step, std::string_view message) const {
  const std::string where = layer_ < 0 ? "" : fmt::format(" (layer {})", layer_);
  return config_error("MODEL_SHAPE", step.place(), fmt::format("{}: {}{}", model_.path().string(), message, where));
}

// ---- values

int GraphBuilder::add_value(std::string name, int64_t width, Stage stage) {
  graph_.values.push_back({std::move(name), width, stage});
  return static_cast<int>(graph_.values.size()) - 1;
}

Result<int> GraphBuilder::input(const Yaml& name) {
  if (!name.is_scalar()) return config_error("CONFIG_TYPE", name.place(), "expected the name of a value");
  const auto it = names_.find(name.scalar());
  if (it != names_.end()) return it->second;
  const auto from_layers = layer_names_.find(name.scalar());
  if (stage_ != Stage::head || from_layers == layer_names_.end() || graph_.hidden != kAbsent) {
    return config_error("RECIPE_STEP", name.place(), fmt::format("no earlier step gives '{}'", name.scalar()));
  }
  graph_.hidden = from_layers->second;
  graph_.head_input = add_value(name.scalar(), width_of(graph_.hidden), Stage::head);
  names_.emplace(name.scalar(), graph_.head_input);
  return graph_.head_input;
}

Result<std::vector<int>> GraphBuilder::inputs(const Yaml& names) {
  std::vector<int> values;
  if (!names.is_list()) {
    auto value = input(names);
    if (!value) return value.error();
    values.push_back(*value);
    return values;
  }
  for (const Yaml& name : names.items()) {
    auto value = input(name);
    if (!value) return value.error();
    values.push_back(*value);
  }
  return values;
}

Result<int> GraphBuilder::output(const Yaml& name, int64_t width) {
  if (!name.is_scalar()) return config_error("CONFIG_TYPE", name.place(), "expected the name of a value");
  const auto it = names_.find(name.scalar());
  if (it == names_.end()) {
    const int value = add_value(name.scalar(), width, stage_);
    names_.emplace(name.scalar(), value);
    return value;
  }
  // The same name with another width is another value from here on.
  Value& value = graph_.values[static_cast<size_t>(it->second)];
  if (value.width != width) {
    const int wider = add_value(name.scalar(), width, stage_);
    it->second = wider;
    return wider;
  }
  return it->second;
}

Result<bool> GraphBuilder::take_add(const Yaml& step, OpSpec& op, int64_t width) {
  const Yaml* add = step.find("add");
  if (add == nullptr) return false;
  auto value = input(*add);
  if (!value) return value.error();
  if (width_of(*value) != width) {
    return at(*add, fmt::format("'{}' has width {}, the result it is added to has {}", add->scalar(), width_of(*value),
                                width));
  }
  op.in.push_back(*value);
  return true;
}

// ---- numbers

Result<float> GraphBuilder::number_or(const Yaml& step, std::string_view field, std::string_view fallback_param,
                                      double fallback) {
  const Yaml* expression = step.find(field);
  Result<double> value = fallback;
  if (expression != nullptr) {
    value = params_.evaluate(*expression, layer_type(), layer_);
  } else if (!fallback_param.empty()) {
    value = params_.number(fallback_param, layer_);
  }
  if (!value) return value.error();
  if (!std::isfinite(*value)) return at(step, fmt::format("{} is {}, expected a finite number", field, *value));
  return static_cast<float>(*value);
}

Result<tenon_activation> GraphBuilder::activation(const Yaml& step) {
  constexpr std::array<std::string_view, 4> kNames{"identity", "silu", "gelu", "swiglu_oai"};
  auto name = as_choice(*step.find("activation"), "activation", kNames);
  if (!name) return name.error();
  const auto kind = static_cast<uint32_t>(std::ranges::find(kNames, std::string_view(*name)) - kNames.begin());
  // The constants that swiglu_oai was published with; the other kinds have none.
  return tenon_activation{kind, kind == TENON_ACT_SWIGLU_OAI ? 1.702f : 0.0f,
                          kind == TENON_ACT_SWIGLU_OAI ? 7.0f : 0.0f};
}

}  // namespace tenon
