#include <fmt/format.h>

#include <array>

#include "reading.hpp"
#include "settings_sections.hpp"

namespace tenon {
namespace {

constexpr std::string_view kItemForm = "a processor: NAME, {NAME: VALUE} or {NAME: {OPTION: VALUE}}";

Result<ChainItem> read_item(const Yaml& item, const std::string& name) {
  if (item.is_scalar() && !item.scalar().empty()) return ChainItem{item.scalar(), Yaml(), item.place()};
  if (!item.is_map() || item.entries().empty()) return wrong_type(item, name, kItemForm);
  const YamlEntry& entry = item.entries().front();
  if (item.entries().size() > 1) {
    return config_error("CONFIG_TYPE", item.entries()[1].key_place,
                        fmt::format("{} holds {} processors, expected one; write each as an item of its own, so that "
                                    "their order is plain",
                                    name, item.entries().size()));
  }
  if (entry.value.is_list()) return wrong_type(entry.value, fmt::format("{}.{}", name, entry.key), "a value or a map");
  return ChainItem{entry.key, entry.value, entry.key_place};
}

}  // namespace

Result<SamplingSettings> read_sampling(const Yaml* map) {
  constexpr std::array<std::string_view, 2> kKeys{"chain", "seed"};
  SamplingSettings sampling;
  Section section(map, "sampling", kKeys);
  sampling.chain_given = section.find("chain") != nullptr;
  for (const Yaml& item : section.list("chain", "processors such as {temperature: 0.8}")) {
    auto read = read_item(item, fmt::format("sampling.chain.{}", sampling.chain.size()));
    if (!read) return read.error();
    sampling.chain.push_back(std::move(*read));
  }
  if (const Yaml* seed = section.find("seed")) {
    section.take(as_unsigned(*seed, "sampling.seed"), sampling.seed);
    sampling.seed_given = true;
  }
  if (!section.ok()) return section.result().error();
  return sampling;
}

}  // namespace tenon
