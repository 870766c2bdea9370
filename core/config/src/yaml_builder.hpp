// The only writer of Yaml nodes.
#pragma once

#include <tenon/config/yaml.hpp>

#include <utility>

namespace tenon {

class YamlBuilder {
 public:
  static Yaml make(Yaml::Kind kind, Place place) {
    Yaml node;
    node.kind_ = kind;
    node.place_ = std::move(place);
    return node;
  }

  static Yaml scalar(std::string text, bool quoted, Place place) {
    Yaml node = make(Yaml::Kind::scalar, std::move(place));
    node.scalar_ = std::move(text);
    node.quoted_ = quoted;
    return node;
  }

  static std::vector<Yaml>& items(Yaml& list) { return list.items_; }
  /// Whoever adds an entry keeps the keys unique.
  static std::vector<YamlEntry>& entries(Yaml& map) { return map.entries_; }
};

}  // namespace tenon
