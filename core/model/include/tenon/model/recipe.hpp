// A model family as data: one YAML file that lists its steps. See configs/models/README.md for the language.
#pragma once

#include <tenon/config/yaml.hpp>
#include <tenon/model/source.hpp>
#include <tenon/model/weight.hpp>
#include <tenon/result.hpp>

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace tenon {

/// Where a recipe finds its numbers and tensors in one file format.
struct RecipeSource {
  std::string architecture_key;               // metadata key that holds the architecture's name
  std::vector<std::string> architectures;     // what it says there; the recipe's own name by default
  std::map<std::string, Yaml> params;         // name -> expression
  std::map<std::string, std::string> names;   // "global", "layer", "bias" -> pattern with {name} and {layer}
  std::map<std::string, std::string> rename;  // name -> what stands for {name} in this format
  // Exceptions: name, or name.bias -> pattern; one with {expert} is a tensor for each expert, stacked.
  std::map<std::string, std::string> tensors;
  std::map<std::string, Transform> transforms;  // name -> what is done to the weight and its bias
  std::map<std::string, Yaml> expect;           // metadata key -> the value that the steps were written for
  std::vector<std::string> ignore;              // patterns with * of tensors that no step needs
};

enum class Stage { embed, layer, head };

struct Recipe {
  std::string architecture;  // as the model file says it
  enum class When { always, dense, experts } when = When::always;
  std::vector<std::string> layer_types;  // layer i is of type layer_types[i % size]
  std::string layer_types_from;          // a param that may say otherwise; empty where there is none
  std::vector<Yaml> embed, layer, head;  // steps: maps with a checked `op` and checked keys
  std::map<std::string, RecipeSource> sources;
  Place place;

  std::span<const Yaml> steps(Stage stage) const {
    return stage == Stage::embed ? embed : stage == Stage::layer ? layer : head;
  }
};

/// Checks keys, op names and required fields. Errors carry file:line:column.
Result<Recipe> parse_recipe(const Yaml& yaml);

/// The recipe among `folders`/*.yaml whose match fits the model. Errors: a broken recipe of that architecture, or none
/// (the known architectures are listed). Broken recipes of other families do not stand in the way.
Result<Recipe> find_recipe(std::span<const std::filesystem::path> folders, const ModelSource& model);

}  // namespace tenon
