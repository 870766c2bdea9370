// The numbers of a model, as its recipe's `params` find them in the metadata.
#pragma once

#include <tenon/model/recipe.hpp>
#include <tenon/model/source.hpp>
#include <tenon/result.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tenon {

/// An expression is a list of alternatives, `a | b`, of which the first that has a value counts:
///   $key        metadata (number, text, or an array with one number a layer)
///   12, 1.0e-5  a literal number
///   name        another parameter, or a derivation: hidden_size_per_head, and inverse_NAME, sqrt_NAME and
///               inverse_sqrt_NAME of any parameter
///   "text"      in quotes: the text itself
/// or a choice by the number or text of another expression: {by: n_layers, 62: expression, otherwise: expression}.
class Params {
 public:
  /// Evaluates all expressions and checks what every family needs: n_layers, hidden_size, n_heads, n_kv_heads,
  /// head_dim, context_length present and consistent. Errors name key, value found and rule.
  static Result<Params> evaluate(const Recipe& recipe, const ModelSource& model);

  /// The number of a parameter for a layer; an error naming its expression where it has no value.
  Result<double> number(std::string_view name, int64_t layer = 0) const;
  Result<int64_t> integer(std::string_view name, int64_t layer, int64_t min, int64_t max) const;
  bool has(std::string_view name) const;
  std::optional<std::string> text(std::string_view name) const;
  /// The number of an expression written in a step, e.g. `scale: $arch.scale | 1`; a map is taken by layer type.
  Result<double> evaluate(const Yaml& expression, std::string_view layer_type, int64_t layer) const;

  /// Refuses a model whose metadata has another value than one that `source` expects; absent is well, "none" is 0 or
  /// absent.
  Result<void> check_expected(const RecipeSource& source) const;
  /// The recipe's layer_types in turn, or as the param layer_types_from says: a text each layer, which begins with the
  /// name of its type; a number each layer, 0 for the last type and any other for the first; or a number n: every nth
  /// layer is of the last type.
  Result<std::vector<std::string>> layer_types(const Recipe& recipe) const;

  int64_t n_layers() const { return n_layers_; }
  int64_t context_length() const { return context_length_; }

 private:
  /// One number for all layers or one each; a text, or one each.
  using Value = std::variant<std::vector<double>, std::string, std::vector<std::string>>;

  std::optional<Value> alternative(std::string_view text, int depth) const;
  std::optional<Value> derived(std::string_view name, int depth) const;
  std::optional<Value> value_of(const Yaml& expression, int depth) const;
  std::optional<Value> chosen(const Yaml& map, int depth) const;
  Result<void> check_shape() const;

  const ModelSource* model_ = nullptr;
  std::map<std::string, Yaml, std::less<>> expressions_;
  int64_t n_layers_ = 0;
  int64_t context_length_ = 0;
};

}  // namespace tenon
