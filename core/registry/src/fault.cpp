#include <tenon/registry/fault.hpp>

#include <fmt/format.h>

namespace tenon {

Error Fault::to_error() const {
  if (is_config_message) return invalid(code + ": " + cause);
  std::string text = fmt::format("plug-in '{}'", plugin.empty() ? "?" : plugin);
  if (!path.empty()) text += fmt::format(" ({})", path.string());
  text += ": " + cause;
  if (!next.empty()) text += "; " + next;
  if (place && place->source) return config_error(code, *place, text);
  return invalid(fmt::format("{}: {}", code, text));
}

}  // namespace tenon
