#include "print.hpp"

#include "numbers.hpp"
#include "unicode.hpp"

#include <fmt/format.h>

namespace tenon::jinja {
namespace {

class Printer {
 public:
  explicit Printer(Budget& budget) : budget_(budget), out_(&budget) {}

  Text finish() { return out_.finish(); }

  void print(const Value& value) {
    const Budget::Level level(budget_);
    budget_.step();
    if (const Text* t = value.text()) return quoted(*t);
    if (const List* l = value.list()) return print(*l);
    if (const Dict* d = value.dict()) return print(*d);
    if (const Namespace* n = value.space()) {
      put("<Namespace ");
      print(n->attributes);
      return put(">");
    }
    put(plain(value));
  }

  static std::string plain(const Value& value) {
    if (value.is_undefined()) return "Undefined";
    if (value.is_none()) return "None";
    if (const bool* b = value.as<bool>()) return *b ? "True" : "False";
    if (const auto* i = value.as<int64_t>()) return std::to_string(*i);
    if (const auto* d = value.as<double>()) return real_text(*d);
    if (const auto* f = value.to<Function>()) return fmt::format("<function {}>", f->name);
    return "<loop>";
  }

 private:
  void put(std::string_view bytes) { out_.append(bytes, false); }

  void print(const List& list) {
    using Kind = List::Kind;
    switch (list.kind) {
      case Kind::range:
        return put(list.range[2] == 1 ? fmt::format("range({}, {})", list.range[0], list.range[1])
                                      : fmt::format("range({}, {}, {})", list.range[0], list.range[1], list.range[2]));
      case Kind::iterator: return put("<generator object>");
      case Kind::keys: return print(list.items, "dict_keys([", "])");
      case Kind::values: return print(list.items, "dict_values([", "])");
      case Kind::items: return print(list.items, "dict_items([", "])");
      case Kind::list: return print(list.items, "[", "]");
      case Kind::tuple:
      case Kind::group: return print(list.items, "(", list.items.size() == 1 ? ",)" : ")");
    }
  }

  void print(const Values& items, std::string_view open, std::string_view close) {
    put(open);
    for (size_t i = 0; i < items.size(); ++i) {
      if (i > 0) put(", ");
      print(items[i]);
    }
    put(close);
  }

  void print(const Dict& dict) {
    put("{");
    bool first = true;
    for (const auto& [key, value] : dict.items()) {
      if (!std::exchange(first, false)) put(", ");
      print(key);
      put(": ");
      print(value);
    }
    put("}");
  }

  /// In the quotes that need the least escaping, as Python chooses them.
  void quoted(const Text& text) {
    const std::string_view s = text.bytes();
    budget_.work(2 * s.size());
    const bool double_quotes = s.find('\'') != std::string_view::npos && s.find('"') == std::string_view::npos;
    const char quote = double_quotes ? '"' : '\'';
    std::string out(1, quote);
    const Charge charge(&budget_, s.size());
    for (size_t i = 0; i < s.size(); i += character_size(s[i])) {
      const char32_t c = character_at(s, i);
      if (c == '\n')
        out += "\\n";
      else if (c == '\r')
        out += "\\r";
      else if (c == '\t')
        out += "\\t";
      else if (c == '\\' || c == static_cast<char32_t>(quote))
        (out += '\\') += static_cast<char>(c);
      else if ((properties(c) & kPrintable) != 0)
        out += s.substr(i, character_size(s[i]));
      else if (c < 0x100)
        out += fmt::format("\\x{:02x}", static_cast<uint32_t>(c));
      else
        out += c < 0x10000 ? fmt::format("\\u{:04x}", static_cast<uint32_t>(c))
                           : fmt::format("\\U{:08x}", static_cast<uint32_t>(c));
    }
    out += quote;
    put(text.is_markup() ? "Markup(" + out + ")" : out);
  }

  Budget& budget_;
  TextBuilder out_;
};

}  // namespace

Text to_text(Budget& budget, const Value& value) {
  if (const Text* t = value.text()) return *t;
  if (value.is_undefined()) return {};
  return repr(budget, value);
}

Text repr(Budget& budget, const Value& value) {
  Printer printer(budget);
  printer.print(value);
  return printer.finish();
}

}  // namespace tenon::jinja
