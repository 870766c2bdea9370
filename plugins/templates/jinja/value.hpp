// The values of a template's expressions.
#pragma once

#include "text.hpp"

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tenon::jinja {

struct Value;
using List = std::vector<Value>;
/// In order of insertion; keys are unique.
struct Dict {
  std::vector<std::pair<std::string, Value>> items;
  const Value* find(std::string_view key) const;
  void set(std::string_view key, Value value);
};
struct Undefined {};
struct None {};
/// Named arguments stand apart from positional ones.
struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> named;
  const Value* get(size_t index, std::string_view name) const;
};
using Function = std::function<Value(const Arguments&)>;

/// Lists and dicts are shared: what `set ns.x` or a loop changes is seen by all names of the value, as in Python.
struct Value {
  std::variant<Undefined, None, bool, int64_t, double, Text, std::shared_ptr<List>, std::shared_ptr<Dict>, Function>
      data;

  Value() : data(Undefined{}) {}
  template <class T>
  explicit Value(T value) : data(std::move(value)) {}

  template <class T>
  const T* as() const {
    return std::get_if<T>(&data);
  }
  const List* list() const {
    return as<std::shared_ptr<List>>() != nullptr ? as<std::shared_ptr<List>>()->get() : nullptr;
  }
  Dict* dict() const { return as<std::shared_ptr<Dict>>() != nullptr ? as<std::shared_ptr<Dict>>()->get() : nullptr; }
  bool is_undefined() const { return as<Undefined>() != nullptr; }
  bool is_none() const { return as<None>() != nullptr; }
  bool is_number() const { return as<int64_t>() != nullptr || as<double>() != nullptr; }
};

inline Value text_value(std::string_view bytes, bool trusted) { return Value(Text(bytes, trusted)); }
inline Value list_value(List items) { return Value(std::make_shared<List>(std::move(items))); }

/// Ends a rendering: a mistake of the template or of its input, or a limit.
struct RenderError : std::runtime_error {
  RenderError(const std::string& message, bool is_limit = false) : std::runtime_error(message), limit(is_limit) {}
  bool limit;
};

bool truthy(const Value& value);
bool equal(const Value& a, const Value& b);
/// -1, 0 or 1; numbers with numbers, texts with texts. Throws otherwise.
int compare(const Value& a, const Value& b);
/// What `{{ value }}` writes.
Text to_text(const Value& value);
double to_number(const Value& value);
const char* type_name(const Value& value);
/// JSON as `tojson` writes it; indent < 0: on one line with ", " and ": ".
std::string to_json(const Value& value, int indent);
/// Elements of a list, characters of a text, keys of a dict. Throws for what cannot be iterated.
List iterate(const Value& value);

}  // namespace tenon::jinja
