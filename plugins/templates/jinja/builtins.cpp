#include "builtins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tenon::jinja {
namespace {

constexpr std::string_view kBlanks = " \t\n\r\f\v";

const Text& text_of(const Value& value, std::string_view what) {
  const Text* text = value.as<Text>();
  if (text == nullptr) throw RenderError(fmt::format("{} needs a string, found {}", what, type_name(value)));
  return *text;
}

Text strip(const Text& text, std::string_view set, bool left, bool right) {
  const std::string& s = text.bytes();
  size_t first = 0, last = s.size();
  while (left && first < last && set.find(s[first]) != std::string_view::npos) ++first;
  while (right && last > first && set.find(s[last - 1]) != std::string_view::npos) --last;
  return text.part(first, last - first);
}

/// A text changed byte for byte keeps its marks; only ASCII letters change, as the rest needs tables.
template <class F>
Text mapped(const Text& text, F&& f) {
  Text out;
  char before = ' ';
  for (size_t i = 0; i < text.bytes().size(); ++i) {
    const char c = f(text.bytes()[i], before);
    before = text.bytes()[i];
    out.append(std::string_view(&c, 1), text.trusted_at(i));
  }
  return out;
}
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0; }
Text upper(const Text& t) {
  return mapped(t, [](char c, char) { return upper(c); });
}
Text lower(const Text& t) {
  return mapped(t, [](char c, char) { return lower(c); });
}
Text title(const Text& t) {
  return mapped(t, [](char c, char before) { return is_letter(before) ? lower(c) : upper(c); });
}
Text capitalize(const Text& t) {
  bool first = true;
  return mapped(t, [&](char c, char) { return std::exchange(first, false) ? upper(c) : lower(c); });
}

Text replace(const Text& text, const Text& from, const Text& to) {
  if (from.bytes().empty()) return text;
  Text out;
  size_t at = 0;
  for (;;) {
    const size_t hit = text.bytes().find(from.bytes(), at);
    if (hit == std::string::npos) break;
    out.append(text.part(at, hit - at));
    out.append(to);
    at = hit + from.bytes().size();
  }
  out.append(text.part(at, std::string::npos));
  return out;
}

Value split(const Text& text, const Value* separator, int64_t most) {
  List parts;
  const std::string& s = text.bytes();
  if (separator == nullptr || separator->is_none()) {
    for (size_t at = 0; (at = s.find_first_not_of(kBlanks, at)) != std::string::npos;) {
      const size_t end = std::min(s.find_first_of(kBlanks, at), s.size());
      parts.push_back(Value(text.part(at, end - at)));
      at = end;
    }
    return list_value(std::move(parts));
  }
  const std::string& by = text_of(*separator, "split").bytes();
  if (by.empty()) throw RenderError("split needs a separator that is not empty");
  size_t at = 0;
  for (size_t hit;
       (hit = s.find(by, at)) != std::string::npos && (most < 0 || static_cast<int64_t>(parts.size()) < most);
       at = hit + by.size()) {
    parts.push_back(Value(text.part(at, hit - at)));
  }
  parts.push_back(Value(text.part(at, std::string::npos)));
  return list_value(std::move(parts));
}

int64_t length(const Value& value) {
  if (const Dict* d = value.dict()) return static_cast<int64_t>(d->items.size());
  return static_cast<int64_t>(iterate(value).size());
}

Value items_of(const Dict& dict) {
  List items;
  for (const auto& [key, value] : dict.items) items.push_back(list_value({text_value(key, false), value}));
  return list_value(std::move(items));
}

/// item.a.b for "a.b".
Value attribute(const Value& item, const std::string& path) {
  const size_t dot = path.find('.');
  const Dict* dict = item.dict();
  const Value* found = dict == nullptr ? nullptr : dict->find(path.substr(0, dot));
  if (found == nullptr) return {};
  return dot == std::string::npos ? *found : attribute(*found, path.substr(dot + 1));
}

Value select(const Arguments& args, bool by_attribute, bool keep) {
  List out;
  for (const Value& item : iterate(args.positional.front())) {
    const size_t first = by_attribute ? 2 : 1;
    const Value tested = by_attribute ? attribute(item, text_of(args.positional.at(1), "selectattr").bytes()) : item;
    bool passes = truthy(tested);
    if (args.positional.size() > first) {
      Arguments test;
      test.positional.push_back(tested);
      for (size_t i = first + 1; i < args.positional.size(); ++i) test.positional.push_back(args.positional[i]);
      passes = apply_test(text_of(args.positional[first], "a test").bytes(), test);
    }
    if (passes == keep) out.push_back(item);
  }
  return list_value(std::move(out));
}

Value map(const Arguments& args) {
  List out;
  const Value* by = args.get(99, "attribute");
  for (const Value& item : iterate(args.positional.front())) {
    if (by != nullptr) {
      out.push_back(attribute(item, text_of(*by, "map").bytes()));
    } else {
      Arguments inner;
      inner.positional.push_back(item);
      for (size_t i = 2; i < args.positional.size(); ++i) inner.positional.push_back(args.positional[i]);
      out.push_back(apply_filter(text_of(args.positional.at(1), "map").bytes(), inner));
    }
  }
  return list_value(std::move(out));
}

Value join(const Arguments& args) {
  const Value* separator = args.get(1, "d");
  Text out;
  bool first = true;
  for (const Value& item : iterate(args.positional.front())) {
    if (!std::exchange(first, false) && separator != nullptr) out.append(to_text(*separator));
    out.append(to_text(item));
  }
  return Value(std::move(out));
}

Value to_integer(const Value& value) {
  if (const Text* text = value.as<Text>())
    return Value(static_cast<int64_t>(std::strtoll(text->bytes().c_str(), nullptr, 10)));
  return Value(static_cast<int64_t>(to_number(value)));
}

Value default_of(const Arguments& args) {
  const Value& value = args.positional.front();
  const Value* fallback = args.get(1, "default_value");
  const Value* also_false = args.get(2, "boolean");
  const bool replaced = value.is_undefined() || (also_false != nullptr && truthy(*also_false) && !truthy(value));
  if (!replaced) return value;
  return fallback == nullptr ? text_value("", true) : *fallback;
}

}  // namespace

Value apply_filter(const std::string& name, const Arguments& args) {
  const Value& value = args.positional.front();
  if (name == "trim") return Value(strip(to_text(value), kBlanks, true, true));
  if (name == "length" || name == "count") return Value(length(value));
  if (name == "upper") return Value(upper(to_text(value)));
  if (name == "lower") return Value(lower(to_text(value)));
  if (name == "title") return Value(title(to_text(value)));
  if (name == "capitalize") return Value(capitalize(to_text(value)));
  if (name == "string" || name == "safe") return Value(to_text(value));
  if (name == "int") return to_integer(value);
  if (name == "float") return Value(to_number(value));
  if (name == "default" || name == "d") return default_of(args);
  if (name == "join") return join(args);
  if (name == "map") return map(args);
  if (name == "select" || name == "reject") return select(args, false, name == "select");
  if (name == "selectattr" || name == "rejectattr") return select(args, true, name == "selectattr");
  if (name == "list") return list_value(iterate(value));
  if (name == "items" && value.dict() != nullptr) return items_of(*value.dict());
  if (name == "tojson") {
    const Value* indent = args.get(99, "indent");
    return text_value(
        to_json(value, indent == nullptr || indent->is_none() ? -1 : static_cast<int>(to_number(*indent))), false);
  }
  if (name == "replace")
    return Value(replace(to_text(value), to_text(args.positional.at(1)), to_text(args.positional.at(2))));
  if (name == "first" || name == "last") {
    const List items = iterate(value);
    if (items.empty()) return {};
    return name == "first" ? items.front() : items.back();
  }
  if (name == "reverse") {
    List items = iterate(value);
    std::ranges::reverse(items);
    return list_value(std::move(items));
  }
  if (name == "unique") {
    List out;
    for (const Value& item : iterate(value)) {
      if (std::ranges::none_of(out, [&](const Value& other) { return equal(item, other); })) out.push_back(item);
    }
    return list_value(std::move(out));
  }
  throw RenderError(fmt::format("the filter '{}' is not known, or not for {}", name, type_name(value)));
}

bool apply_test(const std::string& name, const Arguments& args) {
  const Value& value = args.positional.front();
  if (name == "defined") return !value.is_undefined();
  if (name == "undefined") return value.is_undefined();
  if (name == "none") return value.is_none();
  if (name == "string") return value.as<Text>() != nullptr;
  if (name == "mapping") return value.dict() != nullptr;
  if (name == "iterable") return value.as<Text>() != nullptr || value.list() != nullptr || value.dict() != nullptr;
  if (name == "sequence") return value.as<Text>() != nullptr || value.list() != nullptr || value.dict() != nullptr;
  if (name == "number") return value.is_number() || value.as<bool>() != nullptr;
  if (name == "integer") return value.as<int64_t>() != nullptr;
  if (name == "float") return value.as<double>() != nullptr;
  if (name == "boolean") return value.as<bool>() != nullptr;
  if (name == "true") return value.as<bool>() != nullptr && *value.as<bool>();
  if (name == "false") return value.as<bool>() != nullptr && !*value.as<bool>();
  if (name == "odd") return static_cast<int64_t>(to_number(value)) % 2 != 0;
  if (name == "even") return static_cast<int64_t>(to_number(value)) % 2 == 0;
  if (name == "callable") return value.as<Function>() != nullptr;
  const bool has_operand = args.positional.size() > 1;
  if (has_operand && (name == "equalto" || name == "eq" || name == "==")) return equal(value, args.positional[1]);
  if (has_operand && (name == "ne" || name == "!=")) return !equal(value, args.positional[1]);
  if (has_operand && name == "in") {
    for (const Value& item : iterate(args.positional[1])) {
      if (equal(item, value)) return true;
    }
    return false;
  }
  throw RenderError(fmt::format("the test '{}' is not known", name));
}

Value method_of(const Value& object, const std::string& name) {
  const auto function = [](auto f) { return Value(Function(std::move(f))); };
  if (const Text* t = object.as<Text>()) {
    const Text text = *t;
    if (name == "strip" || name == "lstrip" || name == "rstrip") {
      return function([text, name](const Arguments& args) {
        const Value* set = args.get(0, "chars");
        return Value(strip(text, set == nullptr ? kBlanks : std::string_view(text_of(*set, "strip").bytes()),
                           name != "rstrip", name != "lstrip"));
      });
    }
    if (name == "startswith" || name == "endswith") {
      return function([text, name](const Arguments& args) {
        const std::string& part = text_of(args.positional.at(0), name).bytes();
        return Value(name == "startswith" ? text.bytes().starts_with(part) : text.bytes().ends_with(part));
      });
    }
    if (name == "split") {
      return function([text](const Arguments& args) {
        const Value* most = args.get(1, "maxsplit");
        return split(text, args.get(0, "sep"), most == nullptr ? -1 : static_cast<int64_t>(to_number(*most)));
      });
    }
    if (name == "find") {
      return function([text](const Arguments& args) {
        const size_t hit = text.bytes().find(text_of(args.positional.at(0), "find").bytes());
        return Value(hit == std::string::npos ? int64_t{-1} : static_cast<int64_t>(hit));
      });
    }
    if (name == "upper" || name == "lower" || name == "title" || name == "capitalize" || name == "replace") {
      return function([text, name](Arguments args) {
        args.positional.insert(args.positional.begin(), Value(text));
        return apply_filter(name, args);
      });
    }
  }
  if (object.dict() != nullptr) {
    const auto dict = *object.as<std::shared_ptr<Dict>>();
    if (name == "items") return function([dict](const Arguments&) { return items_of(*dict); });
    if (name == "keys") return function([object](const Arguments&) { return list_value(iterate(object)); });
    if (name == "values") {
      return function([dict](const Arguments&) {
        List values;
        for (const auto& [key, value] : dict->items) values.push_back(value);
        return list_value(std::move(values));
      });
    }
    if (name == "get") {
      return function([dict](const Arguments& args) {
        const Value* found = dict->find(text_of(args.positional.at(0), "get").bytes());
        if (found != nullptr) return *found;
        const Value* fallback = args.get(1, "default");
        return fallback == nullptr ? Value(None{}) : *fallback;
      });
    }
  }
  return {};
}

}  // namespace tenon::jinja
