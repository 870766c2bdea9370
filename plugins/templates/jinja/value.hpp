// The values of a template's expressions, as Python has them. All but namespaces are immutable, as in jinja2's sandbox.
#pragma once

#include "text.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace tenon::jinja {

struct Value;
struct List;
class Dict;
struct Namespace;
struct Function;
class Loop;
using Values = std::vector<Value>;

struct Undefined {};
struct None {};

struct Value {
  std::variant<Undefined, None, bool, int64_t, double, Text, std::shared_ptr<const List>, std::shared_ptr<const Dict>,
               std::shared_ptr<Namespace>, std::shared_ptr<const Function>, std::shared_ptr<const Loop>>
      data;

  Value() = default;
  template <class T>
  explicit Value(T value) : data(std::move(value)) {}

  template <class T>
  const T* as() const {
    return std::get_if<T>(&data);
  }
  /// The list, dict, ... itself, or nullptr where the value is none.
  template <class T>
  const T* to() const {
    const auto* shared = as<std::shared_ptr<const T>>();
    return shared == nullptr ? nullptr : shared->get();
  }
  const Text* text() const { return as<Text>(); }
  const List* list() const { return to<List>(); }
  const Dict* dict() const { return to<Dict>(); }
  Namespace* space() const {
    const auto* shared = as<std::shared_ptr<Namespace>>();
    return shared == nullptr ? nullptr : shared->get();
  }
  bool is_undefined() const { return as<Undefined>() != nullptr; }
  bool is_none() const { return as<None>() != nullptr; }
  bool is_true() const { return as<bool>() != nullptr && *as<bool>(); }
  /// Booleans are numbers, as in Python.
  bool is_integer() const { return as<int64_t>() != nullptr || as<bool>() != nullptr; }
  bool is_number() const { return is_integer() || as<double>() != nullptr; }
};

/// What Python keeps in order: lists and all that behaves like one.
struct List {
  enum class Kind {
    list,
    tuple,
    group,  // of groupby: a tuple whose parts have the names grouper and list
    range,
    keys,
    values,
    items,    // of a dict
    iterator  // goes through its items once, has no length
  };
  Kind kind = Kind::list;
  Values items;
  int depth = 1;              // levels of values inside each other; bounded, since printing and destruction recurse
  mutable size_t next = 0;    // iterator: items gone through; an iterator is seen by its own rendering only
  int64_t range[3]{0, 0, 1};  // range: from, to, step
  Charge charge;

  bool has_length() const { return kind != Kind::iterator; }
  bool is_tuple() const { return kind == Kind::tuple || kind == Kind::group; }
  bool has_index() const { return kind == Kind::list || is_tuple() || kind == Kind::range; }
};

/// In order of insertion; keys are unique and hashable. Filled by its maker, then immutable.
class Dict {
 public:
  explicit Dict(Budget* budget) : charge_(budget, 96) {}

  /// Throws RenderError for a key that Python cannot hash.
  void set(Value key, Value value);
  void set(std::string_view key, Value value) { set(Value(Text(key, true)), std::move(value)); }
  const Value* find(const Value& key) const;
  const Value* find(std::string_view key) const;
  const std::vector<std::pair<Value, Value>>& items() const { return items_; }
  size_t size() const { return items_.size(); }
  int depth() const { return depth_; }
  void clear();

 private:
  size_t position(const Value& key) const;

  static constexpr size_t kSmall = 8;  // up to here a walk is faster than the index
  std::vector<std::pair<Value, Value>> items_;
  std::unordered_map<std::string, size_t> index_;
  int depth_ = 1;
  Charge charge_;
};

/// What `namespace()` makes: the only value that can be changed, so the only one that may come to hold itself.
struct Namespace {
  explicit Namespace(Budget* budget) : attributes(budget) {}
  Dict attributes;
};

/// The arguments of a call as they stand.
struct Arguments {
  Values positional;
  std::vector<std::pair<std::string, Value>> named;
};

struct Function {
  std::string name;
  std::function<Value(const Arguments&)> run;
  int depth = 1;
};

/// A list as it grows: counts steps and memory.
class ListMaker {
 public:
  explicit ListMaker(Budget* budget) : charge_(budget, 128) {}
  void add(Value item);
  size_t size() const { return items_.size(); }
  Value finish(List::Kind kind = List::Kind::list);

 private:
  Values items_;
  int depth_ = 0;
  Charge charge_;
};

Value pair_of(Budget* budget, Value a, Value b);
inline Value dict_value(Dict dict) { return Value(std::make_shared<const Dict>(std::move(dict))); }
/// `depth` is that of the values that `run` holds.
Value function_value(std::string name, std::function<Value(const Arguments&)> run, int depth = 0);

int depth_of(const Value& value);
/// Throws RenderError where a value of that depth would nest too deep.
int checked_depth(int depth);

/// "a list", for messages.
const char* type_name(const Value& value);
bool truthy(const Value& value);
/// Number of elements, characters or keys. Throws for what has none.
int64_t length_of(Budget& budget, const Value& value);
/// Calls `visit(item)` for each element of a list, character of a text or key of a dict until it gives false; what is
/// undefined has none. Throws for what cannot be iterated; an iterator is used up as far as it is visited.
void each(Budget& budget, const Value& value, const std::function<bool(const Value&)>& visit);
/// All elements.
Values elements(Budget& budget, const Value& value);

}  // namespace tenon::jinja
