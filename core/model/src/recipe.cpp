#include <tenon/model/recipe.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace tenon {
namespace {

/// Fields that a step of an op may and must have. `in` and `out` are always there.
struct StepRule {
  std::string_view op;
  std::vector<std::string_view> required, optional;
};

const std::vector<StepRule>& step_rules() {
  static const std::vector<StepRule> rules{
      {"gather", {"weight", "in", "out"}, {"scale"}},
      {"add", {"in", "out"}, {}},
      {"mul", {"in", "out"}, {}},
      {"rms_norm", {"weight", "in", "out"}, {"per", "eps"}},
      {"layer_norm", {"weight", "in", "out"}, {"bias", "per", "eps"}},
      {"rope", {"in", "pairing"}, {"theta", "scaling", "factors"}},
      {"glu", {"in", "out", "activation"}, {}},
      {"softcap", {"in", "out", "cap"}, {}},
      {"linear", {"weight", "in", "out"}, {"bias", "add", "scale"}},
      {"ffn", {"gate", "up", "down", "in", "out", "activation"}, {"gate_bias", "up_bias", "down_bias", "add"}},
      {"moe",
       {"router", "gate", "up", "down", "in", "out", "activation", "route"},
       {"router_bias", "gate_bias", "up_bias", "down_bias", "selection_bias", "shared_router", "shared_gate",
        "shared_up", "shared_down", "add", "renormalize", "weights_scale"}},
      {"attention", {"in", "out"}, {"window", "scale", "softcap", "sinks"}},
  };
  return rules;
}

Result<void> check_step(const Yaml& step) {
  if (!step.is_map())
    return config_error("CONFIG_TYPE", step.place(), "a step is a map such as {op: add, in: [a, b], out: c}");
  const Yaml* op = step.find("op");
  if (op == nullptr || !op->is_scalar()) return config_error("RECIPE_STEP", step.place(), "a step needs 'op: NAME'");
  std::vector<std::string_view> names;
  for (const StepRule& rule : step_rules()) names.push_back(rule.op);
  auto name = as_choice(*op, "op", names);
  if (!name) return name.error();
  const StepRule& rule = *std::ranges::find(step_rules(), std::string_view(*name), &StepRule::op);
  std::vector<std::string_view> known{"op"};
  known.insert(known.end(), rule.required.begin(), rule.required.end());
  known.insert(known.end(), rule.optional.begin(), rule.optional.end());
  auto keys = check_keys(step, fmt::format("a step of {}", rule.op), known);
  if (!keys) return keys;
  for (const std::string_view field : rule.required) {
    if (step.find(field) == nullptr) {
      return config_error("RECIPE_STEP", step.place(), fmt::format("{} needs '{}'", rule.op, field));
    }
  }
  return {};
}

Result<std::vector<Yaml>> take_steps(const Yaml& recipe, std::string_view key) {
  const Yaml* list = recipe.find(key);
  if (list == nullptr || !list->is_list()) {
    return config_error("CONFIG_TYPE", list == nullptr ? recipe.place() : list->place(),
                        fmt::format("'{}' must be a list of steps", key));
  }
  std::vector<Yaml> steps;
  for (const Yaml& step : list->items()) {
    auto checked = check_step(step);
    if (!checked) return checked.error();
    steps.push_back(step);
  }
  return steps;
}

Result<std::map<std::string, std::string>> take_texts(const Yaml* map, std::string_view what) {
  std::map<std::string, std::string> texts;
  if (map == nullptr) return texts;
  if (!map->is_map()) return config_error("CONFIG_TYPE", map->place(), fmt::format("'{}' must be a map", what));
  for (const YamlEntry& entry : map->entries()) {
    auto text = as_text(entry.value, fmt::format("{}.{}", what, entry.key));
    if (!text) return text.error();
    texts.emplace(entry.key, *text);
  }
  return texts;
}

Result<std::map<std::string, Transform>> take_transforms(const Yaml* map) {
  std::map<std::string, Transform> transforms;
  auto texts = take_texts(map, "transforms");
  if (!texts) return texts.error();
  for (const auto& [name, text] : *texts) {
    auto known = as_choice(*map->find(name), "transforms." + name, transform_names());
    if (!known) return known.error();
    transforms.emplace(name, *find_transform(text));
  }
  return transforms;
}

Result<std::vector<std::string>> take_list(const Yaml* list, std::string_view what) {
  std::vector<std::string> texts;
  if (list == nullptr) return texts;
  if (!list->is_list()) return config_error("CONFIG_TYPE", list->place(), fmt::format("'{}' must be a list", what));
  for (const Yaml& item : list->items()) {
    auto text = as_text(item, what);
    if (!text) return text.error();
    texts.push_back(*text);
  }
  return texts;
}

Result<RecipeSource> take_source(const Yaml& yaml, const std::string& architecture_of_recipe) {
  constexpr std::array<std::string_view, 9> kKnown{"architecture", "architectures", "params", "names", "rename",
                                                   "tensors",      "transforms",    "expect", "ignore"};
  auto keys = check_keys(yaml, "sources", kKnown);
  if (!keys) return keys.error();
  RecipeSource source;
  const Yaml* architecture = yaml.find("architecture");
  if (architecture == nullptr || !architecture->is_scalar() || !architecture->scalar().starts_with('$')) {
    return config_error("RECIPE_SOURCE", yaml.place(), "a source needs 'architecture: $metadata.key'");
  }
  source.architecture_key = architecture->scalar().substr(1);
  const Yaml* params = yaml.find("params");
  if (params == nullptr || !params->is_map()) {
    return config_error("RECIPE_SOURCE", yaml.place(), "a source needs 'params', a map of name: expression");
  }
  for (const YamlEntry& entry : params->entries()) source.params.emplace(entry.key, entry.value);
  for (auto [key, target] :
       {std::pair{"names", &source.names}, {"rename", &source.rename}, {"tensors", &source.tensors}}) {
    auto texts = take_texts(yaml.find(key), key);
    if (!texts) return texts.error();
    *target = std::move(*texts);
  }
  if (const Yaml* expect = yaml.find("expect")) {
    auto texts = take_texts(expect, "expect");
    if (!texts) return texts.error();
    for (const YamlEntry& entry : expect->entries()) source.expect.emplace(entry.key, entry.value);
  }
  auto transforms = take_transforms(yaml.find("transforms"));
  if (!transforms) return transforms.error();
  source.transforms = std::move(*transforms);
  for (auto [key, target] : {std::pair{"architectures", &source.architectures}, {"ignore", &source.ignore}}) {
    auto list = take_list(yaml.find(key), key);
    if (!list) return list.error();
    *target = std::move(*list);
  }
  if (source.architectures.empty()) source.architectures = {architecture_of_recipe};
  return source;
}

Result<void> take_match(const Yaml& yaml, Recipe& recipe) {
  constexpr std::array<std::string_view, 2> kKnown{"architecture", "when"};
  auto keys = check_keys(yaml, "match", kKnown);
  if (!keys) return keys;
  if (const Yaml* architecture = yaml.find("architecture")) {
    auto text = as_text(*architecture, "match.architecture");
    if (!text) return text.error();
    recipe.architecture = *text;
  }
  if (const Yaml* when = yaml.find("when")) {
    constexpr std::array<std::string_view, 2> kWhen{"dense", "experts"};
    auto text = as_choice(*when, "match.when", kWhen);
    if (!text) return text.error();
    recipe.when = *text == "dense" ? Recipe::When::dense : Recipe::When::experts;
  }
  return {};
}

Result<void> take_layer_types(const Yaml& yaml, Recipe& recipe) {
  if (const Yaml* from = yaml.find("layer_types_from")) {
    auto text = as_text(*from, "layer_types_from");
    if (!text) return text.error();
    recipe.layer_types_from = *text;
  }
  const Yaml* types = yaml.find("layer_types");
  auto list = take_list(types, "layer_types");
  if (!list) return list.error();
  if (types != nullptr && list->empty()) {
    return config_error("CONFIG_TYPE", types->place(), "'layer_types' is a list of names such as [sliding, full]");
  }
  recipe.layer_types = list->empty() ? std::vector<std::string>{"full"} : std::move(*list);
  return {};
}

/// Whether the model has experts, by the recipe's own n_experts parameter.
bool has_experts(const RecipeSource& source, const ModelSource& model) {
  const auto it = source.params.find("n_experts");
  if (it == source.params.end() || !it->second.is_scalar() || !it->second.scalar().starts_with('$')) return false;
  const tenon_value* value = model.find(std::string_view(it->second.scalar()).substr(1));
  return value != nullptr && (value->type == TENON_VALUE_UINT ? value->u > 0 : value->i > 0);
}

bool matches(const Recipe& recipe, const ModelSource& model) {
  const auto source = recipe.sources.find(model.format());
  if (source == recipe.sources.end()) return false;
  const auto name = model.text(source->second.architecture_key);
  if (!name || std::ranges::find(source->second.architectures, *name) == source->second.architectures.end()) {
    return false;
  }
  if (recipe.when == Recipe::When::always) return true;
  return has_experts(source->second, model) == (recipe.when == Recipe::When::experts);
}

}  // namespace

Result<Recipe> parse_recipe(const Yaml& yaml) {
  constexpr std::array<std::string_view, 8> kKnown{"architecture", "match", "layer_types", "layer_types_from",
                                                   "sources",      "embed", "layer",       "head"};
  auto keys = check_keys(yaml, "a recipe", kKnown);
  if (!keys) return keys.error();
  Recipe recipe;
  recipe.place = yaml.place();
  const Yaml* architecture = yaml.find("architecture");
  if (architecture == nullptr)
    return config_error("RECIPE_SOURCE", yaml.place(), "a recipe needs 'architecture: NAME'");
  auto name = as_text(*architecture, "architecture");
  if (!name) return name.error();
  recipe.architecture = *name;
  if (const Yaml* match = yaml.find("match")) {
    auto taken = take_match(*match, recipe);
    if (!taken) return taken.error();
  }
  auto types = take_layer_types(yaml, recipe);
  if (!types) return types.error();
  const Yaml* sources = yaml.find("sources");
  if (sources == nullptr || !sources->is_map() || sources->entries().empty()) {
    return config_error("RECIPE_SOURCE", yaml.place(), "a recipe needs 'sources', a map of file format: where to look");
  }
  for (const YamlEntry& entry : sources->entries()) {
    auto source = take_source(entry.value, recipe.architecture);
    if (!source) return source.error();
    recipe.sources.emplace(entry.key, std::move(*source));
  }
  for (auto [key, steps] : {std::pair{"embed", &recipe.embed}, {"layer", &recipe.layer}, {"head", &recipe.head}}) {
    auto taken = take_steps(yaml, key);
    if (!taken) return taken.error();
    *steps = std::move(*taken);
  }
  return recipe;
}

Result<Recipe> find_recipe(std::span<const std::filesystem::path> folders, const ModelSource& model) {
  std::set<std::string> known, keys;
  std::string looked, broken, architecture;
  for (const std::filesystem::path& folder : folders) {
    looked += (looked.empty() ? "" : ", ") + folder.string();
    std::vector<std::filesystem::path> files;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
      if (entry.path().extension() == ".yaml") files.push_back(entry.path());
    }
    std::ranges::sort(files);
    for (const std::filesystem::path& file : files) {
      auto yaml = read_yaml(file);
      auto recipe = yaml ? parse_recipe(*yaml) : Result<Recipe>(yaml.error());
      if (!recipe) {
        broken += "\n" + recipe.error().message;
        continue;
      }
      if (matches(*recipe, model)) return recipe;
      const auto source = recipe->sources.find(model.format());
      if (source == recipe->sources.end()) continue;
      known.insert(source->second.architectures.begin(), source->second.architectures.end());
      keys.insert(source->second.architecture_key);
      if (const auto name = model.text(source->second.architecture_key)) architecture = *name;
    }
  }
  if (keys.empty()) {
    return invalid(fmt::format("no recipe reads the format '{}' of {}; looked in {}{}", model.format(),
                               model.path().string(), looked.empty() ? "no folder, recipe_dirs is empty" : looked,
                               broken.empty() ? "" : "; recipes that could not be read:" + broken));
  }
  const std::string what = architecture.empty()
                               ? fmt::format("its family is not named: {} is missing or no text", fmt::join(keys, ", "))
                               : fmt::format("no recipe for architecture '{}'", architecture);
  return invalid(fmt::format("{}: {}; known: {}; looked in {}; a new family is a YAML file there{}",
                             model.path().string(), what, fmt::join(known, ", "), looked,
                             broken.empty() ? "" : "\nrecipes that could not be read:" + broken));
}

}  // namespace tenon
