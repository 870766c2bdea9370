#include <tenon/config/yaml.hpp>

#include <algorithm>

namespace tenon {

std::span<const Yaml> Yaml::items() const { return items_; }
std::span<const YamlEntry> Yaml::entries() const { return entries_; }

const Yaml* Yaml::find(std::string_view key) const {
  const auto found = std::ranges::find(entries_, key, &YamlEntry::key);
  return found == entries_.end() ? nullptr : &found->value;
}

}  // namespace tenon
