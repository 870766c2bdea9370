#include <fmt/format.h>
#include <tenon/config/yaml.hpp>

#include "utf8.hpp"

namespace tenon {
namespace {

// A longer line is shown in part: this many characters, so many of them before the caret.
constexpr int kShownCharacters = 120;
constexpr int kShownBefore = 80;

std::string_view line_of(std::string_view text, int line) {
  for (int i = 1; i < line; ++i) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

/// The line with what a terminal cannot show replaced, and below it a caret under `column`. Tabs stand in both lines,
/// so the caret is right whatever their width.
std::string line_with_caret(std::string_view line, int column) {
  const int first = column > kShownCharacters ? column - kShownBefore : 1;
  std::string shown = first > 1 ? "..." : "", pad = first > 1 ? "   " : "";
  int at = 1;
  for (size_t i = 0; i < line.size(); ++at) {
    const Character c = character_at(line, i);
    if (at >= first + kShownCharacters) {
      shown += "...";
      break;
    }
    if (at >= first) {
      const bool printable = c.valid && is_printable(c.code) && c.code != '\r';
      shown += printable ? line.substr(i, c.n_bytes) : std::string_view("\uFFFD");
      if (at < column) pad += c.code == '\t' ? "\t" : std::string(printable ? size_t(terminal_width(c.code)) : 1u, ' ');
    }
    i += c.n_bytes;
  }
  return fmt::format("  {}\n  {}^", shown, pad);
}

}  // namespace

Error config_error(std::string_view code, const Place& place, std::string_view message) {
  if (place.source == nullptr) return invalid(fmt::format("{}: {}", code, message));
  if (place.line < 1) return invalid(fmt::format("{}: {}: {}", code, place.source->name, message));
  return invalid(fmt::format("{}: {}:{}:{}: {}\n{}", code, place.source->name, place.line, place.column, message,
                             line_with_caret(line_of(place.source->text, place.line), place.column)));
}

}  // namespace tenon
