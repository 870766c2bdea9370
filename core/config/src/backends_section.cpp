#include <fmt/format.h>
#include <tenon/dtype.hpp>

#include <algorithm>
#include <array>

#include "reading.hpp"
#include "settings_sections.hpp"

namespace tenon {
namespace {

// Those of tenon_kernel.h: a rule for any other op would never apply.
constexpr std::array<std::string_view, 14> kOps{"gather",   "add",        "mul",  "reduce_mean", "softmax",
                                                "rms_norm", "layer_norm", "rope", "glu",         "matmul",
                                                "linear",   "ffn",        "moe",  "attention"};
constexpr std::string_view kIdForm = "a plug-in's id (letters a-z, digits, '_', '-')";

std::vector<std::string_view> dtype_names() {
  std::vector<std::string_view> names;
  for (const DTypeInfo& info : kDTypes) names.push_back(info.name);
  return names;
}

void read_order(Section& section, std::vector<std::string>& order) {
  if (section.find("order") == nullptr) return;
  order.clear();
  const auto items = section.list("order", "plug-in ids");
  for (const Yaml& item : items) {
    const std::string what = fmt::format("{}.{}", section.path("order"), order.size());
    if (!item.is_scalar() || !is_plugin_id(item.scalar())) return section.fail(wrong_type(item, what, kIdForm));
    const auto same = std::ranges::find(order, item.scalar());
    if (same != order.end()) {
      const Yaml& first = items[static_cast<size_t>(same - order.begin())];
      return section.fail(listed_twice(section.path("order"), item.scalar(), first.place(), item.place()));
    }
    order.push_back(item.scalar());
  }
  if (section.ok() && order.empty()) {
    section.fail(config_error("CONFIG_RANGE", section.find("order")->place(),
                              "backends.order is an empty list, expected at least one plug-in id"));
  }
}

Result<BackendRule> read_rule(const Yaml& item, const std::string& name) {
  if (!item.is_map()) return wrong_type(item, name, "a map such as {op: matmul, dtype: [f32], use: onednn}");
  constexpr std::array<std::string_view, 3> kKeys{"op", "dtype", "use"};
  Section section(&item, name, kKeys);
  BackendRule rule;
  rule.place = item.place();
  section.choice("op", kOps, rule.op);
  section.text("use", rule.use);
  for (const std::string_view key : {"op", "use"}) {
    if (section.ok() && section.find(key) == nullptr) {
      section.fail(wrong_type(item, name, fmt::format("the key '{}' in it", key)));
    }
  }
  if (section.ok() && !is_plugin_id(rule.use)) {
    section.fail(wrong_range(*section.find("use"), section.path("use"), kIdForm));
  }
  for (const Yaml* dtype : section.texts("dtype")) {
    auto known = as_choice(*dtype, section.path("dtype"), dtype_names());
    if (!known) return known.error();
    rule.dtypes.push_back(std::move(*known));
  }
  if (!section.ok()) return section.result().error();
  return rule;
}

}  // namespace

Result<BackendSettings> read_backends(const Yaml* map) {
  constexpr std::array<std::string_view, 3> kKeys{"order", "rules", "numeric"};
  constexpr std::array<std::string_view, 3> kNumeric{"default", "exact64", "f32"};
  BackendSettings backends;
  Section section(map, "backends", kKeys);
  read_order(section, backends.order);
  for (const Yaml& item : section.list("rules", "maps such as {op: matmul, dtype: [f32], use: onednn}")) {
    auto rule = read_rule(item, fmt::format("backends.rules.{}", backends.rules.size()));
    if (!rule) return rule.error();
    backends.rules.push_back(std::move(*rule));
  }
  section.choice("numeric", kNumeric, backends.numeric);
  if (!section.ok()) return section.result().error();
  return backends;
}

}  // namespace tenon
