// tojson: Python's json.dumps.
#include "compare.hpp"
#include "numbers.hpp"
#include "print.hpp"
#include "unicode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tenon::jinja {
namespace {

class JsonWriter {
 public:
  JsonWriter(Budget& budget, const JsonStyle& style) : budget_(budget), style_(style), out_(&budget) {}

  Text finish() { return out_.finish(); }

  void write(const Value& value) {
    const Budget::Level level(budget_);
    budget_.step();
    if (const Text* t = value.text()) return put(quoted(t->bytes()));
    if (const Dict* d = value.dict()) return write(*d);
    const List* l = value.list();
    if (l != nullptr && (l->is_tuple() || l->kind == List::Kind::list)) return write(l->items);
    if (value.is_none() || value.is_number()) return put(word(value));
    throw RenderError(fmt::format("tojson cannot write {}", type_name(value)));
  }

 private:
  void put(std::string_view bytes) { out_.append(bytes, false); }

  static std::string word(const Value& value) {
    if (value.is_none()) return "null";
    if (const bool* b = value.as<bool>()) return *b ? "true" : "false";
    if (const auto* i = value.as<int64_t>()) return std::to_string(*i);
    const double d = *value.as<double>();
    if (std::isnan(d)) return "NaN";
    if (std::isinf(d)) return d < 0 ? "-Infinity" : "Infinity";
    return real_text(d);
  }

  void new_line() {
    if (!style_.indented) return;
    put("\n");
    for (int i = 0; i < depth_; ++i) put(style_.indent);
  }

  /// Brackets around what `write_items` writes between calls of `next`.
  template <class F>
  void bracketed(std::string_view open, std::string_view close, bool empty, F&& write_items) {
    put(open);
    if (!empty) {
      ++depth_;
      bool first = true;
      write_items([&] {
        if (!std::exchange(first, false)) put(style_.item_separator);
        new_line();
      });
      --depth_;
      new_line();
    }
    put(close);
  }

  void write(const Values& items) {
    bracketed("[", "]", items.empty(), [&](auto&& next) {
      for (const Value& item : items) {
        next();
        write(item);
      }
    });
  }

  void write(const Dict& dict) {
    std::vector<const std::pair<Value, Value>*> entries;
    const Charge charge(&budget_, dict.size() * sizeof(void*));
    for (const auto& entry : dict.items()) entries.push_back(&entry);
    if (style_.sort_keys) {
      std::ranges::stable_sort(
          entries, [&](const auto* a, const auto* b) { return compare(budget_, a->first, b->first) == -1; });
    }
    bracketed("{", "}", entries.empty(), [&](auto&& next) {
      for (const auto* entry : entries) {
        next();
        const Value& key = entry->first;
        if (key.text() == nullptr && !key.is_none() && !key.is_number()) {
          throw RenderError(fmt::format("tojson cannot write {} as the key of an object", type_name(key)));
        }
        put(key.text() != nullptr ? quoted(key.text()->bytes()) : '"' + word(key) + '"');
        put(style_.key_separator);
        write(entry->second);
      }
    });
  }

  std::string quoted(std::string_view s) const {
    budget_.work(2 * s.size());
    const Charge charge(&budget_, 2 * s.size());
    std::string out = "\"";
    for (size_t i = 0; i < s.size(); i += character_size(s[i])) {
      const char32_t c = character_at(s, i);
      if (c == '"' || c == '\\')
        (out += '\\') += static_cast<char>(c);
      else if (const size_t at = std::u32string_view(U"\b\f\n\r\t").find(c); at != std::u32string_view::npos)
        (out += '\\') += "bfnrt"[at];
      else if (c < 0x20 || (style_.ascii && c >= 0x7F))
        escape(c, out);
      else
        out += s.substr(i, character_size(s[i]));
    }
    return out + '"';
  }

  static void escape(char32_t c, std::string& out) {
    const auto unit = [&](uint32_t u) { out += fmt::format("\\u{:04x}", u); };
    if (c < 0x10000) return unit(c);
    unit(0xD800 + ((c - 0x10000) >> 10));
    unit(0xDC00 + ((c - 0x10000) & 0x3FF));
  }

  Budget& budget_;
  const JsonStyle& style_;
  TextBuilder out_;
  int depth_ = 0;
};

}  // namespace

Text to_json(Budget& budget, const Value& value, const JsonStyle& style) {
  JsonWriter writer(budget, style);
  writer.write(value);
  return writer.finish();
}

}  // namespace tenon::jinja
