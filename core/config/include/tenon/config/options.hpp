// A plug-in's or processor's options: what the config gives, checked against the schema that the plug-in publishes.
#pragma once

#include <tenon.h>
#include <tenon/config/yaml.hpp>

#include <list>
#include <string>
#include <vector>

namespace tenon {

/// Checked values and the texts they point to. Moving keeps every pointer valid.
class OptionValues {
 public:
  OptionValues() = default;
  OptionValues(OptionValues&&) noexcept = default;
  OptionValues& operator=(OptionValues&&) noexcept = default;
  OptionValues(const OptionValues&) = delete;
  OptionValues& operator=(const OptionValues&) = delete;

  /// Valid as long as this object, or the one it is moved to, lives and is not added to.
  tenon_options view() const { return {items_.data(), items_.size()}; }

  void add_number(std::string_view name, uint32_t type, double value, bool is_default);
  void add_text(std::string_view name, uint32_t type, std::string_view value, bool is_default);

 private:
  const std::string& keep(std::string_view text) { return texts_.emplace_back(text); }

  std::list<std::string> texts_;  // a list: its elements never move
  std::vector<tenon_option> items_;
};

/// Fills every option of the schema, in its order: from `given` (a map; a scalar sets the first option, as does a map
/// of numbers where that option is one; null sets none), else by default. `what` names the owner in messages ("top_k",
/// "plug-in 'avx2'"). Errors: CONFIG_UNKNOWN_KEY, CONFIG_TYPE, CONFIG_RANGE with the place; PLUGIN_CONTRACT where the
/// schema itself is malformed.
Result<OptionValues> check_options(std::span<const tenon_option_spec> specs, const Yaml& given, std::string_view what);

}  // namespace tenon
