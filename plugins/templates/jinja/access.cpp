#include "access.hpp"

#include "compare.hpp"
#include "given.hpp"
#include "letters.hpp"
#include "loop.hpp"
#include "numbers.hpp"
#include "unicode.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tenon::jinja {
namespace {

Value dict_method(Budget& budget, const std::shared_ptr<const Dict>& dict, std::string_view name) {
  const auto method = [&](auto run) { return function_value(std::string(name), std::move(run), dict->depth()); };
  if (name == "items" || name == "keys" || name == "values") {
    const List::Kind kind = name == "items"  ? List::Kind::items
                            : name == "keys" ? List::Kind::keys
                                             : List::Kind::values;
    return method([&budget, dict, kind](const Arguments& args) {
      const Given given("a dict's method", {}, args);
      return items_of(budget, *dict, kind);
    });
  }
  if (name == "get") {
    return method([&budget, dict](const Arguments& args) {
      const Given given("get", {"key default", 1}, args);
      if (given.at(0).text() != nullptr) budget.work(given.text(0).size());
      const Value* found = dict->find(given.at(0));
      if (found != nullptr) return *found;
      return given.find(1) == nullptr ? Value(None{}) : given.at(1);
    });
  }
  if (name == "copy") return method([dict](const Arguments&) { return Value(dict); });
  return {};
}

Value list_method(Budget& budget, const std::shared_ptr<const List>& list, std::string_view name) {
  const auto method = [&](auto run) { return function_value(std::string(name), std::move(run), list->depth); };
  if (list->kind == List::Kind::group && name == "grouper") return list->items[0];
  if (list->kind == List::Kind::group && name == "list") return list->items[1];
  if (!list->has_index()) return {};
  if (name == "count" || name == "index") {
    const bool counts = name == "count";
    return method([&budget, list, counts](const Arguments& args) {
      const Given given(counts ? "count" : "index", {"value", 1}, args);
      int64_t n = 0;
      for (size_t i = 0; i < list->items.size(); ++i) {
        if (!equal(budget, list->items[i], given.at(0))) continue;
        if (!counts) return Value(static_cast<int64_t>(i));
        ++n;
      }
      if (!counts) throw RenderError("index: the value is not in the list");
      return Value(n);
    });
  }
  if (name == "copy" && list->kind == List::Kind::list) {
    return method([list](const Arguments&) { return Value(list); });
  }
  return {};
}

Value method_of(Budget& budget, const Value& object, std::string_view name) {
  if (const Text* text = object.text()) return text_method(budget, *text, name).value_or(Value());
  if (object.dict() != nullptr) return dict_method(budget, *object.as<std::shared_ptr<const Dict>>(), name);
  if (object.list() != nullptr) return list_method(budget, *object.as<std::shared_ptr<const List>>(), name);
  if (const Namespace* space = object.space()) {
    const Value* value = space->attributes.find(name);
    return value == nullptr ? Value() : *value;
  }
  if (const Loop* loop = object.to<Loop>()) {
    return loop->attribute(budget, *object.as<std::shared_ptr<const Loop>>(), name);
  }
  return {};
}

/// Whether Python can hash the value; tuples nest as deep as values may.
bool is_hashable(Budget& budget, const Value& key) {
  budget.step();
  if (key.list() == nullptr) return key.is_none() || key.is_number() || key.text() != nullptr;
  return key.list()->is_tuple() &&
         std::ranges::all_of(key.list()->items, [&](const Value& each) { return is_hashable(budget, each); });
}

const Value* item_of(Budget& budget, const Value& object, const Value& key) {
  const Dict* dict = object.dict();
  if (dict == nullptr) return nullptr;
  if (key.text() != nullptr) budget.work(key.text()->size());
  return is_hashable(budget, key) ? dict->find(key) : nullptr;
}

/// Of n items, counted from the end where negative.
std::optional<int64_t> position(int64_t i, int64_t n) {
  if (i < 0) i += n;
  if (i < 0 || i >= n) return {};
  return i;
}

}  // namespace

Value items_of(Budget& budget, const Dict& dict, List::Kind kind) {
  ListMaker out(&budget);
  for (const auto& [key, value] : dict.items()) {
    out.add(kind == List::Kind::keys ? key : kind == List::Kind::values ? value : pair_of(&budget, key, value));
  }
  return out.finish(kind);
}

Value attribute(Budget& budget, const Value& object, std::string_view name) {
  if (object.is_undefined()) throw RenderError(fmt::format("'{}' of something that is not defined", name));
  Value found = method_of(budget, object, name);
  if (!found.is_undefined()) return found;
  if (const Dict* dict = object.dict()) {
    if (const Value* value = dict->find(name)) return *value;
  }
  return {};
}

Value item(Budget& budget, const Value& object, const Value& key) {
  if (object.is_undefined()) throw RenderError("an item of something that is not defined");
  if (const Value* found = item_of(budget, object, key)) return *found;
  if (key.is_integer()) {
    if (const List* list = object.list(); list != nullptr && list->has_index()) {
      const auto at = position(integer_of(key), static_cast<int64_t>(list->items.size()));
      return at ? list->items[static_cast<size_t>(*at)] : Value();
    }
    if (const Text* text = object.text()) {
      const auto at = position(integer_of(key), length_of(budget, object));
      return at ? Value(characters(budget, *text, *at, *at + 1)) : Value();
    }
  }
  return key.text() == nullptr ? Value() : method_of(budget, object, key.text()->bytes());
}

Value slice(Budget& budget, const Value& object, std::optional<int64_t> from, std::optional<int64_t> to,
            std::optional<int64_t> step) {
  const List* list = object.list();
  const Text* text = object.text();
  if (text == nullptr && (list == nullptr || !list->has_index())) {
    throw RenderError(fmt::format("{} cannot be sliced", type_name(object)));
  }
  const int64_t n = length_of(budget, object), by = step.value_or(1);
  if (by == 0) throw RenderError("a slice has step 0");
  const int64_t lowest = by > 0 ? 0 : -1, highest = by > 0 ? n : n - 1;
  const auto bounded = [&](std::optional<int64_t> i, int64_t fallback) {
    if (!i) return fallback;
    return std::clamp(*i < 0 ? *i + n : *i, lowest, highest);
  };
  const int64_t first = bounded(from, by > 0 ? 0 : n - 1), end = bounded(to, by > 0 ? n : -1);
  // The distance to the end is compared, as first + by may not fit.
  const auto pick = [&](auto&& take) {
    for (int64_t i = first; by > 0 ? i < end : i > end; i += by) {
      take(static_cast<size_t>(i));
      if (by > 0 ? by >= end - i : by <= end - i) break;
    }
  };
  if (text == nullptr) {
    ListMaker out(&budget);
    pick([&](size_t i) { out.add(list->items[i]); });
    return out.finish(list->is_tuple() ? List::Kind::tuple : List::Kind::list);
  }
  if (by == 1) return Value(characters(budget, *text, first, std::max(first, end)));
  budget.work(2 * text->size());
  const Charge charge(&budget, (static_cast<size_t>(n) + 1) * sizeof(size_t));
  std::vector<size_t> offsets;
  for (size_t at = 0; at < text->size(); at += character_size(text->bytes()[at])) offsets.push_back(at);
  offsets.push_back(text->size());
  TextBuilder out(&budget);
  pick([&](size_t i) { out.append(*text, offsets[i], offsets[i + 1] - offsets[i]); });
  budget.work(2 * out.size());
  return Value(out.finish(text->is_markup()));
}

Path path_of(Budget& budget, const Value& written) {
  Path path;
  if (written.text() == nullptr) {
    path.keys.push_back(written);
    return path;
  }
  const Text dot(".", true);
  for (const Text& key : split(budget, *written.text(), &dot, -1, false)) {
    const auto digits = is_of(budget, key, "isdigit");
    const auto number = *digits ? parse_integer(key.bytes(), 10) : std::nullopt;
    path.keys.push_back(number ? Value(*number) : Value(key));
  }
  return path;
}

Value follow(Budget& budget, const Value& object, const Path& path, const Value* fallback) {
  Value at = object;
  for (const Value& key : path.keys) {
    budget.step();
    at = item(budget, at, key);
    if (at.is_undefined() && fallback != nullptr) at = *fallback;
  }
  return at;
}

}  // namespace tenon::jinja
