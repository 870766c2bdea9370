// Turns a recipe's steps into OpSpecs, one method an op. Private to the model folder.
#pragma once

#include <tenon/model/graph.hpp>

#include <map>
#include <span>
#include <string>

namespace tenon {

class GraphBuilder {
 public:
  GraphBuilder(const Recipe& recipe, const ModelSource& model, const Params& params, const KvSettings& kv)
      : recipe_(recipe), source_(recipe.sources.at(model.format())), model_(model), params_(params), kv_(kv) {}

  Result<Graph> build();

 private:
  Result<void> build_stage(Stage stage, int64_t layer);
  Result<void> build_step(const Yaml& step);

  Result<void> gather(const Yaml& step, OpSpec& op);
  Result<void> binary(const Yaml& step, OpSpec& op);
  Result<void> norm(const Yaml& step, OpSpec& op);
  Result<void> rope(const Yaml& step, OpSpec& op);
  Result<void> glu(const Yaml& step, OpSpec& op);
  Result<void> softcap(const Yaml& step, OpSpec& op);
  Result<void> linear(const Yaml& step, OpSpec& op);
  Result<void> ffn(const Yaml& step, OpSpec& op);
  Result<void> moe(const Yaml& step, OpSpec& op);
  Result<void> attention(const Yaml& step, OpSpec& op);

  // ---- values
  Result<int> input(const Yaml& name);
  Result<std::vector<int>> inputs(const Yaml& names);
  Result<int> output(const Yaml& name, int64_t width);
  int64_t width_of(int value) const { return graph_.values[static_cast<size_t>(value)].width; }
  int add_value(std::string name, int64_t width, Stage stage);

  // ---- tensors
  /// The tensor that `a | b?` names for the current layer; kAbsent where it is optional and absent.
  Result<int> tensor(const Yaml& reference, std::string_view kind);
  /// The tensors of the file that stand for `name`, several where there is one for each expert; none where absent.
  /// `pattern` gets the name that was looked for.
  Result<std::vector<const ModelSource::Tensor*>> find_parts(const std::string& name, std::string_view kind,
                                                             const Yaml& reference, std::string& pattern) const;
  Result<int> add_tensor(std::vector<const ModelSource::Tensor*> parts, const std::string& name, bool is_bias,
                         const Yaml& reference);
  /// Every tensor of the file must have been taken: one that no step names would be left out in silence.
  Result<void> check_all_used() const;
  /// kAbsent where the step lacks the field.
  Result<int> tensor_field(const Yaml& step, std::string_view field, std::string_view kind);
  /// The element shape must be exactly `dims`.
  Result<void> expect_shape(int tensor, std::initializer_list<int64_t> dims, const Yaml& place) const;
  const Weight& info(int tensor) const { return graph_.tensors[static_cast<size_t>(tensor)]; }

  // ---- numbers
  Result<float> number_or(const Yaml& step, std::string_view field, std::string_view fallback_param, double fallback);
  Result<tenon_activation> activation(const Yaml& step);
  Result<RopeFrequencies> rope_frequencies(const Yaml& step, int64_t n_dims);
  Result<void> scale_frequencies(const Yaml& step, double theta, RopeFrequencies& frequencies);
  /// The type of each layer: the recipe's cycle, or what the model says in its place.
  Result<void> take_layer_types();
  std::string_view layer_type() const;
  /// The value of a field for the current layer: itself, or where it is a map the one of the layer's type.
  Result<const Yaml*> for_layer(const Yaml& field) const;
  Error at(const Yaml& step, std::string_view message) const;
  /// Adds `add: value` as the last input and says so.
  Result<bool> take_add(const Yaml& step, OpSpec& op, int64_t width);

  const Recipe& recipe_;
  const RecipeSource& source_;
  const ModelSource& model_;
  const Params& params_;
  const KvSettings& kv_;
  Graph graph_;
  std::map<std::string, int, std::less<>> names_;  // in the scope of the current stage
  std::map<std::string, int, std::less<>> layer_names_;
  std::vector<std::string> layer_types_;  // of each layer
  Stage stage_ = Stage::embed;
  int64_t layer_ = -1;
};

}  // namespace tenon
