// YAML with places: a plain tree that remembers where each value stands, and errors that show it.
#pragma once

#include <tenon/result.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenon {

/// The text of one file (or of "--set" on the command line), kept for messages.
struct SourceText {
  std::string name;  // as shown: a path, or "--set"
  std::string text;
};

/// 1-based line and column (in characters) of a value or key.
struct Place {
  std::shared_ptr<const SourceText> source;
  int line = 0;
  int column = 0;
};

class Yaml;
struct YamlEntry;

class Yaml {
 public:
  enum class Kind { null, scalar, list, map };

  Kind kind() const { return kind_; }
  bool is_map() const { return kind_ == Kind::map; }
  bool is_list() const { return kind_ == Kind::list; }
  bool is_scalar() const { return kind_ == Kind::scalar; }
  bool is_null() const { return kind_ == Kind::null; }
  /// The scalar's text as written, quotes removed; quoted() scalars are never numbers or booleans.
  const std::string& scalar() const { return scalar_; }
  bool quoted() const { return quoted_; }
  std::span<const Yaml> items() const;
  /// In the order of the file; keys are unique.
  std::span<const YamlEntry> entries() const;
  /// nullptr where this is no map or has no such key.
  const Yaml* find(std::string_view key) const;
  const Place& place() const { return place_; }

 private:
  friend class YamlBuilder;
  Kind kind_ = Kind::null;
  bool quoted_ = false;
  std::string scalar_;
  std::vector<Yaml> items_;
  std::vector<YamlEntry> entries_;
  Place place_;
};

struct YamlEntry {
  std::string key;
  Place key_place;
  Yaml value;
};

/// Parses one document. A BOM and CRLF are accepted. Errors: CONFIG_SYNTAX, CONFIG_DUPLICATE_KEY (both lines),
/// CONFIG_TOO_COMPLEX (more than 1 MiB of text, 64 levels or 100,000 nodes after aliases are expanded).
Result<Yaml> parse_yaml(std::string text, std::string name);
Result<Yaml> read_yaml(const std::filesystem::path& path);

/// "CODE: name:line:column: message", then the source line and a caret under the column.
Error config_error(std::string_view code, const Place& place, std::string_view message);

// ---- typed reading; `what` names the setting in messages, e.g. "runtime.threads"

/// CONFIG_TYPE where the value has another type, CONFIG_RANGE outside [min, max] (NaN included).
Result<int64_t> as_integer(const Yaml& value, std::string_view what, int64_t min, int64_t max);
Result<double> as_number(const Yaml& value, std::string_view what, double min, double max);
Result<bool> as_bool(const Yaml& value, std::string_view what);
Result<std::string> as_text(const Yaml& value, std::string_view what);
/// CONFIG_RANGE with the list and "did you mean" where the text is none of `choices`.
Result<std::string> as_choice(const Yaml& value, std::string_view what, std::span<const std::string_view> choices);
/// CONFIG_TYPE unless the value is a map; CONFIG_UNKNOWN_KEY with "did you mean" for a key that is not in `known`.
Result<void> check_keys(const Yaml& map, std::string_view what, std::span<const std::string_view> known);

/// The nearest of `candidates` by edit distance where it is near enough to be meant, else empty.
std::string_view did_you_mean(std::string_view text, std::span<const std::string_view> candidates);

}  // namespace tenon
