// Reads the keys of one map of the config into variables.
#pragma once

#include <tenon/config/yaml.hpp>

#include <utility>

namespace tenon {

/// The first error is kept and everything after it does nothing, so that a section reads as a list of its keys. A
/// variable whose key is absent keeps its value, the default.
class Section {
 public:
  /// `map` may be nullptr (absent) or null (empty). `name` is "runtime.kv", or "" for the file itself.
  Section(const Yaml* map, std::string_view name, std::span<const std::string_view> known);

  /// nullptr where the key is absent or an error has happened.
  const Yaml* find(std::string_view key) const;
  std::string path(std::string_view key) const;
  const std::string& name() const { return name_; }

  void integer(std::string_view key, int64_t min, int64_t max, int64_t& out);
  /// `word` stands for 0.
  void integer_or(std::string_view key, std::string_view word, int64_t min, int64_t max, int64_t& out);
  void boolean(std::string_view key, bool& out);
  void text(std::string_view key, std::string& out);
  void choice(std::string_view key, std::span<const std::string_view> choices, std::string& out);
  /// A list of texts, or one text alone.
  std::vector<const Yaml*> texts(std::string_view key);
  /// The items of a list.
  std::span<const Yaml> list(std::string_view key, std::string_view expected);

  template <class T, class U>
  void take(Result<T> result, U& out) {
    if (!result) return fail(result.error());
    out = std::move(*result);
  }
  void require(const Result<void>& result) {
    if (!result) fail(result.error());
  }
  void fail(Error error) {
    if (result_) result_ = std::move(error);
  }
  bool ok() const { return static_cast<bool>(result_); }
  Result<void> result() const { return result_; }

 private:
  const Yaml* map_;
  std::string name_;
  Result<void> result_;
};

}  // namespace tenon
