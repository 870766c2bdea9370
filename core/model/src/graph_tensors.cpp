// Which tensors of the file a recipe's names stand for.
#include "graph_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace tenon {
namespace {

std::string replace_all(std::string text, std::string_view what, std::string_view with) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

/// `*` stands for any characters. Linear in practice: it goes back to the last star only.
bool fits(std::string_view pattern, std::string_view text) {
  size_t p = 0, t = 0, star = std::string_view::npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace

Result<std::vector<const ModelSource::Tensor*>> GraphBuilder::find_parts(const std::string& name, std::string_view kind,
                                                                         const Yaml& reference,
                                                                         std::string& pattern) const {
  const std::string scope = kind == "bias" ? "bias" : stage_ == Stage::layer ? "layer" : "global";
  const auto exception = source_.tensors.find(kind == "bias" ? name + ".bias" : name);
  const auto shape_of_name = source_.names.find(scope);
  if (exception == source_.tensors.end() && shape_of_name == source_.names.end()) {
    return config_error("RECIPE_SOURCE", reference.place(), fmt::format("no pattern '{}' under sources.names", scope));
  }
  const auto renamed = source_.rename.find(name);
  pattern = exception != source_.tensors.end() ? exception->second : shape_of_name->second;
  pattern = replace_all(std::move(pattern), "{name}", renamed == source_.rename.end() ? name : renamed->second);
  pattern = replace_all(std::move(pattern), "{layer}", std::to_string(layer_));
  std::vector<const ModelSource::Tensor*> parts;
  if (pattern.find("{expert}") == std::string::npos) {
    if (const ModelSource::Tensor* found = model_.tensor(pattern)) parts.push_back(found);
    return parts;
  }
  if (model_.tensor(replace_all(pattern, "{expert}", "0")) == nullptr) return parts;
  auto n_experts = params_.integer("n_experts", layer_, 1, 1 << 16);
  if (!n_experts) return n_experts.error();
  for (int64_t expert = 0; expert < *n_experts; ++expert) {
    const std::string full = replace_all(pattern, "{expert}", std::to_string(expert));
    const ModelSource::Tensor* found = model_.tensor(full);
    if (found == nullptr) {
      return config_error("MODEL_TENSOR", reference.place(),
                          fmt::format("{}: the model has no tensor '{}', but one for expert 0 of {}",
                                      model_.path().string(), full, *n_experts));
    }
    parts.push_back(found);
  }
  return parts;
}

Result<int> GraphBuilder::add_tensor(std::vector<const ModelSource::Tensor*> parts, const std::string& name,
                                     bool is_bias, const Yaml& reference) {
  const auto transform = source_.transforms.find(name);
  int64_t head_dim = 0;
  if (transform != source_.transforms.end() && transform->second == Transform::halves_to_neighbours) {
    auto number = params_.integer("head_dim", layer_, 1, 1 << 16);
    if (!number) return number.error();
    head_dim = *number;
  }
  auto weight = make_weight(
      std::move(parts), transform == source_.transforms.end() ? Transform::none : transform->second, is_bias, head_dim);
  if (!weight) return at(reference, weight.error().message);
  const auto known = std::ranges::find(graph_.tensors, *weight);
  if (known != graph_.tensors.end()) return static_cast<int>(known - graph_.tensors.begin());
  graph_.tensors.push_back(*std::move(weight));
  return static_cast<int>(graph_.tensors.size()) - 1;
}

Result<int> GraphBuilder::tensor(const Yaml& reference, std::string_view kind) {
  if (!reference.is_scalar()) return config_error("CONFIG_TYPE", reference.place(), "expected the name of a tensor");
  std::string tried;
  bool optional = false;
  std::string_view rest = reference.scalar();
  while (!rest.empty()) {
    const size_t bar = rest.find('|');
    std::string name(rest.substr(0, bar));
    rest = bar == std::string_view::npos ? std::string_view{} : rest.substr(bar + 1);
    std::erase(name, ' ');
    if (name.ends_with('?')) {
      optional = true;
      name.pop_back();
    }
    std::string pattern;
    auto parts = find_parts(name, kind, reference, pattern);
    if (!parts) return parts.error();
    if (!parts->empty()) return add_tensor(*std::move(parts), name, kind == "bias", reference);
    tried += (tried.empty() ? "'" : "' or '") + pattern;
  }
  if (optional) return kAbsent;
  return config_error("MODEL_TENSOR", reference.place(),
                      fmt::format("{}: the model has no tensor {}'", model_.path().string(), tried));
}

Result<int> GraphBuilder::tensor_field(const Yaml& step, std::string_view field, std::string_view kind) {
  const Yaml* reference = step.find(field);
  if (reference == nullptr) return kAbsent;
  return tensor(*reference, kind);
}

Result<void> GraphBuilder::expect_shape(int tensor, std::initializer_list<int64_t> dims, const Yaml& place) const {
  if (tensor == kAbsent) return {};
  const Weight& t = info(tensor);
  const std::span<const int64_t> found(t.shape.dims, t.shape.rank);
  if (std::ranges::equal(found, dims)) return {};
  return at(place, fmt::format("tensor '{}' has shape [{}], expected [{}] by the model's metadata", t.name,
                               fmt::join(found, ", "), fmt::join(dims, ", ")));
}

Result<void> GraphBuilder::check_all_used() const {
  std::unordered_set<const ModelSource::Tensor*> used;
  for (const Weight& weight : graph_.tensors) used.insert(weight.parts.begin(), weight.parts.end());
  for (const ModelSource::Tensor& tensor : model_.tensors()) {
    if (used.contains(&tensor)) continue;
    if (std::ranges::any_of(source_.ignore, [&](const std::string& pattern) { return fits(pattern, tensor.name); })) {
      continue;
    }
    return config_error(
        "MODEL_TENSOR", recipe_.place,
        fmt::format("{}: no step of the recipe takes tensor '{}', so the model is not what the recipe describes; where "
                    "it may be left out, name it under sources.{}.ignore",
                    model_.path().string(), tensor.name, model_.format()));
  }
  return {};
}

}  // namespace tenon
