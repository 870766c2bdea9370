#include "overrides.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "parse.hpp"
#include "reading.hpp"
#include "text_forms.hpp"
#include "yaml_builder.hpp"

namespace tenon {
namespace {

// Messages show the override as it stands on a command line.
constexpr std::string_view kShownBefore = "--set ";
// No setting is as deep; keeps the tree's depth bounded.
constexpr size_t kMaxSteps = 16;

struct Step {
  std::string key;
  Place place;
};

Result<std::vector<Step>> split_path(const std::shared_ptr<const SourceText>& source, size_t equals) {
  std::vector<Step> steps;
  for (size_t begin = kShownBefore.size(); begin <= equals;) {
    const size_t end = std::min(source->text.find('.', begin), equals);
    const std::string key = source->text.substr(begin, end - begin);
    const Place place{source, 1, static_cast<int>(begin) + 1};
    const bool good = !key.empty() && std::ranges::all_of(key, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    });
    if (!good) {
      return config_error("CONFIG_SYNTAX", place,
                          fmt::format("{} is no key; expected KEY.KEY=VALUE, e.g. sampling.seed=7", in_quotes(key)));
    }
    if (steps.size() == kMaxSteps) {
      return config_error("CONFIG_TOO_COMPLEX", place, fmt::format("a key has at most {} parts", kMaxSteps));
    }
    steps.push_back({key, place});
    begin = end + 1;
  }
  return steps;
}

Result<Yaml*> step_into_list(Yaml& list, const Step& step, std::string_view path) {
  const IntegerText index = parse_integer(step.key);
  const size_t n = list.items().size();
  if (!index.valid || index.overflow || index.magnitude >= n || index.negative) {
    return config_error("CONFIG_RANGE", step.place,
                        fmt::format("{} is a list of {}, {} picks none of its items; expected {}", path, n,
                                    in_quotes(step.key), n == 0 ? "the whole list" : fmt::format("0 to {}", n - 1)));
  }
  return &YamlBuilder::items(list)[index.magnitude];
}

/// A plug-in of the list may be written by its name alone, {use: NAME} in short.
void expand_plugin(Yaml& item) {
  const Place place = item.place();
  Yaml map = YamlBuilder::make(Yaml::Kind::map, place);
  YamlBuilder::entries(map).push_back({"use", place, std::move(item)});
  item = std::move(map);
}

/// The value that `step` names in `node`; made (as null) where a map does not have it.
Result<Yaml*> step_into(Yaml& node, const Step& step, std::string_view path) {
  if (node.is_list()) return step_into_list(node, step, path);
  if (node.is_null()) node = YamlBuilder::make(Yaml::Kind::map, step.place);
  if (!node.is_map()) {
    return config_error("CONFIG_TYPE", step.place,
                        fmt::format("{} is {}, it has no key {}", path, describe(node), in_quotes(step.key)));
  }
  auto& entries = YamlBuilder::entries(node);
  const auto found = std::ranges::find(entries, step.key, &YamlEntry::key);
  if (found != entries.end()) {
    found->key_place = step.place;
    return &found->value;
  }
  entries.push_back({step.key, step.place, YamlBuilder::make(Yaml::Kind::null, step.place)});
  return &entries.back().value;
}

/// An empty VALUE is no YAML document, but null.
Result<Yaml> parse_value(const std::shared_ptr<const SourceText>& source, size_t begin) {
  if (source->text.find_first_not_of(" \t\n", begin) == std::string::npos) {
    return YamlBuilder::make(Yaml::Kind::null, {source, 1, static_cast<int>(begin)});
  }
  return parse_document(source, begin);
}

}  // namespace

Result<void> apply_override(Yaml& config, const std::string& text) {
  const auto source = std::make_shared<const SourceText>(
      SourceText{std::string(kOverrideName), with_unix_line_ends(std::string(kShownBefore) + text)});
  const size_t equals = source->text.find('=');
  if (equals == std::string::npos) {
    return config_error("CONFIG_SYNTAX", {source, 1, static_cast<int>(kShownBefore.size()) + 1},
                        "expected KEY=VALUE, e.g. sampling.seed=7; there is no '='");
  }
  auto steps = split_path(source, equals);
  if (!steps) return steps.error();
  auto value = parse_value(source, equals + 1);
  if (!value) return value.error();

  Yaml* node = &config;
  Yaml* parent = nullptr;
  std::string path;
  for (size_t i = 0; i < steps->size(); ++i) {
    const Step& step = (*steps)[i];
    if (i == 2 && node->is_scalar() && steps->front().key == "plugins") expand_plugin(*node);
    parent = node;
    auto next = step_into(*node, step, path.empty() ? "the config" : path);
    if (!next) return next.error();
    node = *next;
    path += (path.empty() ? "" : ".") + step.key;
  }
  if (value->is_null() && parent->is_map()) {
    std::erase_if(YamlBuilder::entries(*parent), [&](const YamlEntry& e) { return e.key == steps->back().key; });
  } else {
    *node = std::move(*value);
  }
  return {};
}

}  // namespace tenon
