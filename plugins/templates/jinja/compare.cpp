#include "compare.hpp"

#include "letters.hpp"
#include "numbers.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tenon::jinja {
namespace {

int sign(auto a, auto b) { return a < b ? -1 : a > b ? 1 : a == b ? 0 : 2; }

int compare_numbers(const Value& a, const Value& b) {
  if (a.is_integer() && b.is_integer()) return sign(integer_of(a), integer_of(b));
  if (!a.is_integer() && !b.is_integer()) return sign(real_of(a), real_of(b));
  // 64 bits of mantissa hold every integer and every double here.
  static_assert(std::numeric_limits<long double>::digits >= 64);
  const auto wide = [](const Value& v) {
    return v.is_integer() ? static_cast<long double>(integer_of(v)) : static_cast<long double>(real_of(v));
  };
  return sign(wide(a), wide(b));
}

int compare_texts(Budget& budget, const Text& a, const Text& b) {
  budget.work(std::min(a.size(), b.size()));
  return sign(a.bytes().compare(b.bytes()), 0);  // the order of UTF-8 bytes is that of code points
}

bool equal_lists(Budget& budget, const List& a, const List& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind && !(a.is_tuple() && b.is_tuple())) return false;
  if (!a.has_index() || a.items.size() != b.items.size()) return false;
  for (size_t i = 0; i < a.items.size(); ++i) {
    if (!equal(budget, a.items[i], b.items[i])) return false;
  }
  return true;
}

bool equal_dicts(Budget& budget, const Dict& a, const Dict& b) {
  if (a.size() != b.size()) return false;
  for (const auto& [key, value] : a.items()) {
    budget.step();
    const Value* other = b.find(key);
    if (other == nullptr || !equal(budget, value, *other)) return false;
  }
  return true;
}

}  // namespace

bool equal(Budget& budget, const Value& a, const Value& b) {
  budget.step();
  if (a.is_number() && b.is_number()) return compare_numbers(a, b) == 0;
  if (a.data.index() != b.data.index()) return false;
  const Budget::Level level(budget);
  if (const Text* t = a.text()) {
    return t->size() == b.text()->size() && compare_texts(budget, *t, *b.text()) == 0;
  }
  if (const List* l = a.list()) return equal_lists(budget, *l, *b.list());
  if (const Dict* d = a.dict()) return d == b.dict() || equal_dicts(budget, *d, *b.dict());
  if (a.space() != nullptr) return a.space() == b.space();
  if (a.to<Function>() != nullptr) return a.to<Function>() == b.to<Function>();
  if (a.to<Loop>() != nullptr) return a.to<Loop>() == b.to<Loop>();
  return true;  // undefined and none equal themselves
}

int compare(Budget& budget, const Value& a, const Value& b) {
  budget.step();
  const Budget::Level level(budget);
  if (a.is_number() && b.is_number()) return compare_numbers(a, b);
  if (a.text() != nullptr && b.text() != nullptr) return compare_texts(budget, *a.text(), *b.text());
  const List *x = a.list(), *y = b.list();
  const bool comparable_lists =
      x != nullptr && y != nullptr &&
      ((x->is_tuple() && y->is_tuple()) || (x->kind == List::Kind::list && y->kind == List::Kind::list));
  if (!comparable_lists) throw RenderError(fmt::format("{} and {} have no order", type_name(a), type_name(b)));
  for (size_t i = 0; i < std::min(x->items.size(), y->items.size()); ++i) {
    if (!equal(budget, x->items[i], y->items[i])) return compare(budget, x->items[i], y->items[i]);
  }
  return sign(x->items.size(), y->items.size());
}

bool contains(Budget& budget, const Value& container, const Value& item) {
  if (const Text* text = container.text()) {
    const Text* part = item.text();
    if (part == nullptr) throw RenderError(fmt::format("a string can hold a string only, not {}", type_name(item)));
    return find_bytes(budget, text->bytes(), part->bytes(), 0) != std::string_view::npos;
  }
  if (const Dict* dict = container.dict()) return dict->find(item) != nullptr;
  bool found = false;
  each(budget, container, [&](const Value& other) { return !(found = equal(budget, other, item)); });
  return found;
}

std::string hash_key(const Value& key) {
  if (const Text* t = key.text()) return "s" + std::string(t->bytes());
  if (key.is_integer()) return "i" + std::to_string(integer_of(key));
  if (const double* d = key.as<double>()) {
    const bool whole = std::floor(*d) == *d && std::fabs(*d) < 9.2e18;
    return whole ? "i" + std::to_string(static_cast<int64_t>(*d)) : fmt::format("d{}", *d);
  }
  if (key.is_none()) return "n";
  if (key.is_undefined()) return "u";
  const List* l = key.list();
  if (l == nullptr || !l->is_tuple()) throw RenderError(fmt::format("{} cannot be the key of a dict", type_name(key)));
  std::string hashed = "t";
  for (const Value& item : l->items) {
    const std::string part = hash_key(item);
    // A tuple that holds another many times over grows without bound.
    if (hashed.size() + part.size() > 1024) throw RenderError("the key of a dict is too long", true);
    hashed += std::to_string(part.size()) + ":" + part;
  }
  return hashed;
}

Value comparable(Budget& budget, const Value& value, bool case_sensitive) {
  if (case_sensitive || value.text() == nullptr) return value;
  return Value(lower(budget, *value.text()));
}

}  // namespace tenon::jinja
