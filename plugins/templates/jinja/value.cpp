#include "value.hpp"

#include "compare.hpp"
#include "loop.hpp"
#include "unicode.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tenon::jinja {

int checked_depth(int depth) {
  if (depth > kMostValueDepth) {
    throw RenderError(fmt::format("the template nests lists or dicts more than {} levels deep", kMostValueDepth), true);
  }
  return depth;
}

int depth_of(const Value& value) {
  if (const List* l = value.list()) return l->depth;
  if (const Dict* d = value.dict()) return d->depth();
  if (const Function* f = value.to<Function>()) return f->depth;
  if (const Loop* l = value.to<Loop>()) return l->depth();
  return 0;  // a namespace is kept until the end of the rendering and holds its values flat
}

void Dict::set(Value key, Value value) {
  const int depth = checked_depth(1 + std::max(depth_of(key), depth_of(value)));
  if (charge_.budget() != nullptr) charge_.budget()->work(4 * kBytesAStep);  // it hashes and allocates
  const size_t at = position(key);
  if (at < items_.size()) {
    items_[at].second = std::move(value);
  } else {
    std::string hashed = hash_key(key);
    charge_.grow(sizeof(items_.front()) + hashed.size() + 64);
    items_.emplace_back(std::move(key), std::move(value));
    if (items_.size() > kSmall && index_.empty()) {
      for (size_t i = 0; i + 1 < items_.size(); ++i) index_.emplace(hash_key(items_[i].first), i);
    }
    if (items_.size() > kSmall) index_.emplace(std::move(hashed), items_.size() - 1);
  }
  depth_ = std::max(depth_, depth);
}

size_t Dict::position(const Value& key) const {
  if (items_.size() > kSmall) {
    const auto hit = index_.find(hash_key(key));
    return hit == index_.end() ? items_.size() : hit->second;
  }
  const Text* text = key.text();
  const std::string hashed = text == nullptr ? hash_key(key) : std::string();
  for (size_t i = 0; i < items_.size(); ++i) {
    const Text* other = items_[i].first.text();
    if ((text == nullptr) != (other == nullptr)) continue;
    if (text != nullptr ? text->bytes() == other->bytes() : hashed == hash_key(items_[i].first)) return i;
  }
  return items_.size();
}

const Value* Dict::find(const Value& key) const {
  const size_t at = position(key);
  return at < items_.size() ? &items_[at].second : nullptr;
}

const Value* Dict::find(std::string_view key) const {
  if (items_.size() > kSmall) return find(Value(Text(key, true)));
  for (const auto& [name, value] : items_) {
    if (name.text() != nullptr && name.text()->bytes() == key) return &value;
  }
  return nullptr;
}

void Dict::clear() {
  items_.clear();
  index_.clear();
}

void ListMaker::add(Value item) {
  if (charge_.budget() != nullptr) charge_.budget()->step();
  charge_.grow(sizeof(Value));
  depth_ = std::max(depth_, depth_of(item));
  items_.push_back(std::move(item));
}

Value ListMaker::finish(List::Kind kind) {
  auto list = std::make_shared<List>();
  list->kind = kind;
  list->items = std::move(items_);
  list->depth = checked_depth(depth_ + 1);
  list->charge = std::move(charge_);
  return Value(std::shared_ptr<const List>(std::move(list)));
}

Value pair_of(Budget* budget, Value a, Value b) {
  ListMaker pair(budget);
  pair.add(std::move(a));
  pair.add(std::move(b));
  return pair.finish(List::Kind::tuple);
}

Value function_value(std::string name, std::function<Value(const Arguments&)> run, int depth) {
  return Value(std::make_shared<const Function>(Function{std::move(name), std::move(run), checked_depth(depth + 1)}));
}

const char* type_name(const Value& value) {
  if (const List* l = value.list()) {
    switch (l->kind) {
      case List::Kind::list: return "a list";
      case List::Kind::tuple:
      case List::Kind::group: return "a tuple";
      case List::Kind::range: return "a range";
      case List::Kind::iterator: return "an iterator";
      default: return "a view of a dict";
    }
  }
  constexpr const char* kNames[] = {"undefined", "none",   "a boolean",   "an integer", "a float", "a string",
                                    "a list",    "a dict", "a namespace", "a function", "a loop"};
  return kNames[value.data.index()];
}

bool truthy(const Value& value) {
  if (value.is_undefined() || value.is_none()) return false;
  if (const bool* b = value.as<bool>()) return *b;
  if (const auto* i = value.as<int64_t>()) return *i != 0;
  if (const auto* d = value.as<double>()) return *d != 0;
  if (const Text* t = value.text()) return !t->empty();
  if (const List* l = value.list()) return !l->has_length() || !l->items.empty();
  if (const Dict* d = value.dict()) return d->size() > 0;
  return true;
}

int64_t length_of(Budget& budget, const Value& value) {
  if (value.is_undefined()) return 0;
  if (const Dict* d = value.dict()) return static_cast<int64_t>(d->size());
  if (const List* l = value.list(); l != nullptr && l->has_length()) return static_cast<int64_t>(l->items.size());
  if (const Loop* l = value.to<Loop>()) return static_cast<int64_t>(l->items().size());
  const Text* t = value.text();
  if (t == nullptr) throw RenderError(fmt::format("{} has no length", type_name(value)));
  budget.work(t->size());
  return static_cast<int64_t>(count_characters(t->bytes()));
}

void each(Budget& budget, const Value& value, const std::function<bool(const Value&)>& visit) {
  if (value.is_undefined()) return;
  if (const List* l = value.list()) {
    const Value kept = value;  // the visit may let go of the list
    const bool once = l->kind == List::Kind::iterator;
    for (size_t i = once ? l->next : 0; i < l->items.size(); ++i) {
      budget.step();
      if (once) l->next = i + 1;
      if (!visit(l->items[i])) return;
    }
    return;
  }
  if (const Dict* d = value.dict()) {
    const Value kept = value;
    for (const auto& [key, item] : d->items()) {
      budget.step();
      if (!visit(key)) return;
    }
    return;
  }
  if (value.text() == nullptr) throw RenderError(fmt::format("{} cannot be iterated", type_name(value)));
  const Text text = *value.text();
  for (size_t i = 0; i < text.size();) {
    budget.step();
    const size_t n = character_size(text.bytes()[i]);
    if (!visit(Value(part(budget, text, i, n)))) return;
    i += n;
  }
}

Values elements(Budget& budget, const Value& value) {
  if (const List* l = value.list(); l != nullptr && l->kind != List::Kind::iterator) {
    budget.work(l->items.size() * sizeof(Value));
    const Charge charge(&budget, l->items.size() * sizeof(Value));
    return l->items;
  }
  Values items;
  Charge charge(&budget, 0);
  each(budget, value, [&](const Value& item) {
    charge.grow(sizeof(Value));
    items.push_back(item);
    return true;
  });
  return items;
}

}  // namespace tenon::jinja
