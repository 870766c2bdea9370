// object.name, object[key], object[from:to] and the methods behind names.
#pragma once

#include "value.hpp"

#include <optional>

namespace tenon::jinja {

/// `object.name`: a method or attribute first, then the item of a dict. Throws for what is undefined.
Value attribute(Budget& budget, const Value& object, std::string_view name);
/// `object[key]`: the item first, then the attribute. Undefined where there is neither. Throws for what is undefined.
Value item(Budget& budget, const Value& object, const Value& key);
Value slice(Budget& budget, const Value& object, std::optional<int64_t> from, std::optional<int64_t> to,
            std::optional<int64_t> step);

/// Items of items: "a.b.0" or a number.
struct Path {
  Values keys;
};
Path path_of(Budget& budget, const Value& written);
/// `fallback`, if any, stands for what is undefined on the way.
Value follow(Budget& budget, const Value& object, const Path& path, const Value* fallback);

/// Methods of strings; none where there is no such method.
std::optional<Value> text_method(Budget& budget, const Text& text, std::string_view name);
Value items_of(Budget& budget, const Dict& dict, List::Kind kind);

}  // namespace tenon::jinja
