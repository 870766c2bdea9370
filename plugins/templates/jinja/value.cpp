#include "value.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace tenon::jinja {

const Value* Dict::find(std::string_view key) const {
  for (const auto& [name, value] : items) {
    if (name == key) return &value;
  }
  return nullptr;
}

void Dict::set(std::string_view key, Value value) {
  for (auto& [name, old] : items) {
    if (name != key) continue;
    old = std::move(value);
    return;
  }
  items.emplace_back(std::string(key), std::move(value));
}

const Value* Arguments::get(size_t index, std::string_view name) const {
  if (index < positional.size()) return &positional[index];
  for (const auto& [key, value] : named) {
    if (key == name) return &value;
  }
  return nullptr;
}

const char* type_name(const Value& value) {
  constexpr const char* kNames[] = {"undefined", "none",   "a boolean", "an integer", "a float",
                                    "a string",  "a list", "a dict",    "a function"};
  return kNames[value.data.index()];
}

bool truthy(const Value& value) {
  if (const bool* b = value.as<bool>()) return *b;
  if (const auto* i = value.as<int64_t>()) return *i != 0;
  if (const auto* d = value.as<double>()) return *d != 0;
  if (const Text* t = value.as<Text>()) return !t->bytes().empty();
  if (const List* l = value.list()) return !l->empty();
  if (const Dict* d = value.dict()) return !d->items.empty();
  return value.as<Function>() != nullptr;
}

double to_number(const Value& value) {
  if (const auto* i = value.as<int64_t>()) return static_cast<double>(*i);
  if (const auto* d = value.as<double>()) return *d;
  if (const bool* b = value.as<bool>()) return *b ? 1 : 0;
  throw RenderError(fmt::format("expected a number, found {}", type_name(value)));
}

bool equal(const Value& a, const Value& b) {
  if ((a.is_number() || a.as<bool>()) && (b.is_number() || b.as<bool>())) return to_number(a) == to_number(b);
  if (a.data.index() != b.data.index()) return false;
  if (const Text* t = a.as<Text>()) return t->bytes() == b.as<Text>()->bytes();
  if (const List* l = a.list()) {
    const List& m = *b.list();
    if (l->size() != m.size()) return false;
    for (size_t i = 0; i < m.size(); ++i) {
      if (!equal((*l)[i], m[i])) return false;
    }
    return true;
  }
  if (const Dict* d = a.dict()) {
    if (d->items.size() != b.dict()->items.size()) return false;
    for (const auto& [key, value] : d->items) {
      const Value* other = b.dict()->find(key);
      if (other == nullptr || !equal(value, *other)) return false;
    }
    return true;
  }
  return a.as<Function>() == nullptr;  // undefined and none equal themselves
}

int compare(const Value& a, const Value& b) {
  if (a.as<Text>() && b.as<Text>()) {
    const int order = a.as<Text>()->bytes().compare(b.as<Text>()->bytes());
    return order < 0 ? -1 : order > 0 ? 1 : 0;
  }
  const double x = to_number(a), y = to_number(b);
  return x < y ? -1 : x > y ? 1 : 0;
}

namespace {

/// As Python writes a float.
std::string float_text(double d) {
  std::string text = fmt::format("{}", d);
  if (text.find_first_of(".einf") == std::string::npos) text += ".0";
  return text;
}

/// As Python's repr inside a list or dict.
std::string repr(const Value& value) {
  if (const Text* t = value.as<Text>()) {
    const bool apostrophe = t->bytes().find('\'') != std::string::npos && t->bytes().find('"') == std::string::npos;
    const char quote = apostrophe ? '"' : '\'';
    std::string out(1, quote);
    for (const char c : t->bytes()) {
      if (c == '\n')
        out += "\\n";
      else if (c == '\\' || c == quote)
        out += std::string("\\") + c;
      else
        out += c;
    }
    return out + quote;
  }
  return to_text(value).bytes();
}

}  // namespace

Text to_text(const Value& value) {
  if (const Text* t = value.as<Text>()) return *t;
  if (const bool* b = value.as<bool>()) return Text(*b ? "True" : "False", false);
  if (const auto* i = value.as<int64_t>()) return Text(std::to_string(*i), false);
  if (const auto* d = value.as<double>()) return Text(float_text(*d), false);
  if (value.is_none()) return Text("None", false);
  std::string out;
  if (const List* l = value.list()) {
    for (const Value& item : *l) out += (out.empty() ? "" : ", ") + repr(item);
    return Text("[" + out + "]", false);
  }
  if (const Dict* d = value.dict()) {
    for (const auto& [key, item] : d->items)
      out += (out.empty() ? "" : ", ") + repr(text_value(key, false)) + ": " + repr(item);
    return Text("{" + out + "}", false);
  }
  return {};
}

namespace {

std::string quoted_json(const std::string& bytes) {
  return nlohmann::json(bytes).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void write_json(const Value& value, int indent, int depth, std::string& out) {
  const std::string newline = indent < 0 ? "" : "\n" + std::string(static_cast<size_t>(indent * (depth + 1)), ' ');
  const std::string end = indent < 0 ? "" : "\n" + std::string(static_cast<size_t>(indent * depth), ' ');
  const std::string separator = indent < 0 ? ", " : ",";
  if (const Text* t = value.as<Text>()) {
    out += quoted_json(t->bytes());
  } else if (const List* l = value.list()) {
    out += "[";
    for (size_t i = 0; i < l->size(); ++i) {
      out += (i == 0 ? "" : separator) + newline;
      write_json((*l)[i], indent, depth + 1, out);
    }
    out += (l->empty() ? "" : end) + "]";
  } else if (const Dict* d = value.dict()) {
    out += "{";
    for (size_t i = 0; i < d->items.size(); ++i) {
      out += (i == 0 ? "" : separator) + newline + quoted_json(d->items[i].first) + ": ";
      write_json(d->items[i].second, indent, depth + 1, out);
    }
    out += (d->items.empty() ? "" : end) + "}";
  } else if (const bool* b = value.as<bool>()) {
    out += *b ? "true" : "false";
  } else if (value.is_none()) {
    out += "null";
  } else if (value.is_number()) {
    out += to_text(value).bytes();
  } else {
    throw RenderError(fmt::format("tojson cannot write {}", type_name(value)));
  }
}

}  // namespace

std::string to_json(const Value& value, int indent) {
  std::string out;
  write_json(value, indent, 0, out);
  return out;
}

List iterate(const Value& value) {
  if (const List* l = value.list()) return *l;
  List items;
  if (value.is_undefined()) return items;
  if (const Dict* d = value.dict()) {
    for (const auto& [key, item] : d->items) items.push_back(text_value(key, false));
    return items;
  }
  const Text* t = value.as<Text>();
  if (t == nullptr) throw RenderError(fmt::format("{} cannot be iterated", type_name(value)));
  for (size_t i = 0; i < t->bytes().size();) {
    size_t n = 1;
    while (i + n < t->bytes().size() && (static_cast<unsigned char>(t->bytes()[i + n]) & 0xC0) == 0x80) ++n;
    items.push_back(Value(t->part(i, n)));
    i += n;
  }
  return items;
}

}  // namespace tenon::jinja
