#include <tenon/model/params.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

namespace tenon {
namespace {

constexpr int kMaxDepth = 8;  // of parameters that refer to parameters

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<double> literal(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> element(const tenon_value& array, uint64_t i) {
  if (array.element_type == TENON_VALUE_FLOAT) return static_cast<const double*>(array.numbers)[i];
  if (array.element_type == TENON_VALUE_INT) return static_cast<double>(static_cast<const int64_t*>(array.numbers)[i]);
  if (array.element_type == TENON_VALUE_UINT || array.element_type == TENON_VALUE_BOOL) {
    return static_cast<double>(static_cast<const uint64_t*>(array.numbers)[i]);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Params::Value> Params::alternative(std::string_view text, int depth) const {
  if (text.starts_with('$')) {
    const tenon_value* value = model_->find(text.substr(1));
    if (value == nullptr) return std::nullopt;
    switch (value->type) {
      case TENON_VALUE_BOOL:
      case TENON_VALUE_UINT: return std::vector{static_cast<double>(value->u)};
      case TENON_VALUE_INT: return std::vector{static_cast<double>(value->i)};
      case TENON_VALUE_FLOAT: return std::vector{value->f};
      case TENON_VALUE_STRING: return std::string(view(value->s));
      case TENON_VALUE_ARRAY: {
        if (value->element_type == TENON_VALUE_STRING) {
          std::vector<std::string> texts;
          for (uint64_t i = 0; i < value->count; ++i) texts.emplace_back(view(value->strings[i]));
          return texts;
        }
        std::vector<double> numbers;
        for (uint64_t i = 0; i < value->count; ++i) {
          const auto number = element(*value, i);
          if (!number) return std::nullopt;
          numbers.push_back(*number);
        }
        if (numbers.empty()) return std::nullopt;
        return numbers;
      }
      default: return std::nullopt;
    }
  }
  if (const auto number = literal(text)) return std::vector{*number};
  const auto it = expressions_.find(text);
  if (it != expressions_.end()) return depth > 0 ? value_of(it->second, depth - 1) : std::nullopt;
  return derived(text, depth);
}

std::optional<Params::Value> Params::derived(std::string_view name, int depth) const {
  const auto one = [&](std::string_view param) -> std::optional<double> {
    const auto value = depth > 0 ? alternative(param, depth - 1) : std::nullopt;
    const auto* numbers = value ? std::get_if<std::vector<double>>(&*value) : nullptr;
    return numbers == nullptr ? std::nullopt : std::optional(numbers->front());
  };
  if (name == "hidden_size_per_head") {
    const auto hidden_size = one("hidden_size"), n_heads = one("n_heads");
    if (!hidden_size || !n_heads || *n_heads < 1) return std::nullopt;
    return std::vector{std::floor(*hidden_size / *n_heads)};
  }
  struct Derivation {
    std::string_view prefix;
    double (*of)(double);
  };
  constexpr auto kDerivations = std::to_array<Derivation>({{"inverse_sqrt_", [](double x) { return 1 / std::sqrt(x); }},
                                                           {"inverse_", [](double x) { return 1 / x; }},
                                                           {"sqrt_", [](double x) { return std::sqrt(x); }}});
  for (const Derivation& derivation : kDerivations) {
    if (!name.starts_with(derivation.prefix)) continue;
    const auto number = one(name.substr(derivation.prefix.size()));
    return number ? std::optional<Value>(std::vector{derivation.of(*number)}) : std::nullopt;
  }
  return std::nullopt;
}

/// {by: name, 62: expression, otherwise: expression}: the expression under the number or text that the parameter has.
std::optional<Params::Value> Params::chosen(const Yaml& map, int depth) const {
  const Yaml* by = map.find("by");
  const auto value = by != nullptr && depth > 0 ? value_of(*by, depth - 1) : std::nullopt;
  if (!value) return std::nullopt;
  const auto* numbers = std::get_if<std::vector<double>>(&*value);
  const auto* text = std::get_if<std::string>(&*value);
  for (const YamlEntry& entry : map.entries()) {
    if ((numbers != nullptr && literal(entry.key) == numbers->front()) || (text != nullptr && entry.key == *text)) {
      return value_of(entry.value, depth - 1);
    }
  }
  const Yaml* otherwise = map.find("otherwise");
  return otherwise == nullptr ? std::nullopt : value_of(*otherwise, depth - 1);
}

std::optional<Params::Value> Params::value_of(const Yaml& expression, int depth) const {
  if (expression.is_map()) return chosen(expression, depth);
  if (!expression.is_scalar()) return std::nullopt;
  if (expression.quoted()) return expression.scalar();
  std::string_view rest = expression.scalar();
  while (!rest.empty()) {
    const size_t bar = rest.find('|');
    const auto value = alternative(trimmed(rest.substr(0, bar)), depth);
    if (value) return value;
    rest = bar == std::string_view::npos ? std::string_view{} : rest.substr(bar + 1);
  }
  return std::nullopt;
}

Result<double> Params::evaluate(const Yaml& expression, std::string_view layer_type, int64_t layer) const {
  if (expression.is_map() && expression.find("by") == nullptr) {
    const Yaml* by_type = expression.find(layer_type);
    if (by_type == nullptr) {
      return config_error("RECIPE_VALUE", expression.place(),
                          fmt::format("no value for the layer type '{}'", layer_type));
    }
    return evaluate(*by_type, layer_type, layer);
  }
  const auto value = value_of(expression, kMaxDepth);
  const auto* numbers = value ? std::get_if<std::vector<double>>(&*value) : nullptr;
  if (numbers == nullptr) {
    return config_error("MODEL_KEY", expression.place(),
                        fmt::format("{}: no number found for '{}'", model_->path().string(),
                                    expression.is_scalar() ? expression.scalar() : "this expression"));
  }
  if (numbers->size() == 1) return numbers->front();
  if (layer < 0 || static_cast<size_t>(layer) >= numbers->size()) {
    return config_error(
        "MODEL_KEY", expression.place(),
        fmt::format("{}: the array of '{}' has {} values, layer {} needs one", model_->path().string(),
                    expression.is_scalar() ? expression.scalar() : "this expression", numbers->size(), layer));
  }
  return (*numbers)[static_cast<size_t>(layer)];
}

bool Params::has(std::string_view name) const {
  const auto it = expressions_.find(name);
  return it != expressions_.end() && value_of(it->second, kMaxDepth).has_value();
}

std::optional<std::string> Params::text(std::string_view name) const {
  const auto it = expressions_.find(name);
  if (it == expressions_.end()) return std::nullopt;
  const auto value = value_of(it->second, kMaxDepth);
  const auto* text = value ? std::get_if<std::string>(&*value) : nullptr;
  return text == nullptr ? std::nullopt : std::optional(*text);
}

Result<double> Params::number(std::string_view name, int64_t layer) const {
  const auto it = expressions_.find(name);
  if (it == expressions_.end()) {
    return invalid(fmt::format("the recipe's params for this format lack '{}', which one of its steps needs", name));
  }
  return evaluate(it->second, "", layer);
}

Result<int64_t> Params::integer(std::string_view name, int64_t layer, int64_t min, int64_t max) const {
  auto value = number(name, layer);
  if (!value) return value.error();
  if (!(*value >= static_cast<double>(min) && *value <= static_cast<double>(max)) || *value != std::floor(*value)) {
    const auto& expression = expressions_.find(name)->second;
    return invalid(fmt::format("{}: {} ({}) is {}, expected a whole number from {} to {}", model_->path().string(),
                               name, expression.is_scalar() ? expression.scalar() : "a choice", *value, min, max));
  }
  return static_cast<int64_t>(*value);
}

Result<void> Params::check_expected(const RecipeSource& source) const {
  for (const auto& [key, yaml] : source.expect) {
    const auto found = alternative("$" + key, 1);
    if (!found) continue;
    const std::string& expected = yaml.scalar();
    std::string said = "a list";
    bool fits = false;
    if (const auto* text = std::get_if<std::string>(&*found)) {
      said = *text;
      fits = *text == expected;
    } else if (const auto* numbers = std::get_if<std::vector<double>>(&*found); numbers && numbers->size() == 1) {
      said = fmt::format("{}", numbers->front());
      const std::optional<double> number = expected == "true"                          ? 1.0
                                           : expected == "false" || expected == "none" ? std::optional(0.0)
                                                                                       : literal(expected);
      fits = number == numbers->front();
    }
    if (fits) continue;
    return config_error(
        "MODEL_KEY", yaml.place(),
        fmt::format("{}: {} is {}, the recipe computes {} only", model_->path().string(), key, said, expected));
  }
  return {};
}

Result<std::vector<std::string>> Params::layer_types(const Recipe& recipe) const {
  const auto n = static_cast<size_t>(n_layers_);
  const std::vector<std::string>& cycle = recipe.layer_types;
  std::vector<std::string> types;
  for (size_t i = 0; i < n; ++i) types.push_back(cycle[i % cycle.size()]);
  const auto it = expressions_.find(recipe.layer_types_from);
  const auto said = it == expressions_.end() ? std::nullopt : value_of(it->second, kMaxDepth);
  if (!said) return types;
  const auto refused = [&](std::string_view what) {
    return config_error("MODEL_KEY", it->second.place(),
                        fmt::format("{}: the layer types of {}: {}", model_->path().string(), it->first, what));
  };
  if (const auto* texts = std::get_if<std::vector<std::string>>(&*said)) {
    if (texts->size() < n) return refused(fmt::format("{} are given, {} layers need one", texts->size(), n));
    for (size_t i = 0; i < n; ++i) {
      const auto known =
          std::ranges::find_if(cycle, [&](const std::string& type) { return (*texts)[i].starts_with(type); });
      if (known == cycle.end()) {
        return refused(fmt::format("'{}' is unknown; known: {}", (*texts)[i],
                                   fmt::join(std::set(cycle.begin(), cycle.end()), ", ")));
      }
      types[i] = *known;
    }
    return types;
  }
  const auto* numbers = std::get_if<std::vector<double>>(&*said);
  if (numbers == nullptr) return refused("a text, expected a text or a number for each layer, or one number");
  if (numbers->size() > 1 && numbers->size() < n) {
    return refused(fmt::format("{} are given, {} layers need one", numbers->size(), n));
  }
  const double period = numbers->front();
  if (numbers->size() == 1 && !(period >= 1 && period <= 65536 && period == std::floor(period))) {
    return refused(fmt::format("the period is {}, expected a whole number from 1 to 65536", period));
  }
  for (size_t i = 0; i < n; ++i) {
    const bool is_last = numbers->size() == 1 ? (i + 1) % static_cast<size_t>(period) == 0 : (*numbers)[i] == 0;
    types[i] = is_last ? cycle.back() : cycle.front();
  }
  return types;
}

Result<void> Params::check_shape() const {
  struct Limit {
    std::string_view name;
    int64_t max;
  };
  for (const Limit& limit : {Limit{"hidden_size", 1 << 20}, {"context_length", 1 << 30}}) {
    auto value = integer(limit.name, 0, 1, limit.max);
    if (!value) return value.error();
  }
  for (int64_t layer = 0; layer < n_layers_; ++layer) {
    auto n_heads = integer("n_heads", layer, 1, 1 << 16);
    if (!n_heads) return n_heads.error();
    auto n_kv_heads = integer("n_kv_heads", layer, 1, 1 << 16);
    if (!n_kv_heads) return n_kv_heads.error();
    auto head_dim = integer("head_dim", layer, 1, 1 << 16);
    if (!head_dim) return head_dim.error();
    if (*n_heads % *n_kv_heads != 0) {
      return invalid(fmt::format("{}: n_heads {} is no multiple of n_kv_heads {} (layer {})", model_->path().string(),
                                 *n_heads, *n_kv_heads, layer));
    }
  }
  if (has("n_experts") && has("experts_used")) {
    auto n_experts = integer("n_experts", 0, 0, 1 << 16);
    if (!n_experts) return n_experts.error();
    auto experts_used = integer("experts_used", 0, 0, 1 << 16);
    if (!experts_used) return experts_used.error();
    if (*experts_used > *n_experts || (*n_experts > 0 && *experts_used == 0)) {
      return invalid(fmt::format("{}: experts_used {} must be from 1 to n_experts {}", model_->path().string(),
                                 *experts_used, *n_experts));
    }
  }
  return {};
}

Result<Params> Params::evaluate(const Recipe& recipe, const ModelSource& model) {
  Params params;
  params.model_ = &model;
  for (const auto& [name, expression] : recipe.sources.at(model.format()).params) {
    params.expressions_.emplace(name, expression);
  }
  auto expected = params.check_expected(recipe.sources.at(model.format()));
  if (!expected) return expected.error();
  auto n_layers = params.integer("n_layers", 0, 1, 1 << 16);
  if (!n_layers) return n_layers.error();
  params.n_layers_ = *n_layers;
  auto checked = params.check_shape();
  if (!checked) return checked.error();
  auto context_length = params.integer("context_length", 0, 1, 1 << 30);
  if (!context_length) return context_length.error();
  params.context_length_ = *context_length;
  return params;
}

}  // namespace tenon
