// Filters of lists and of what can be iterated.
#include "access.hpp"
#include "compare.hpp"
#include "filters.hpp"
#include "letters.hpp"
#include "numbers.hpp"
#include "print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

namespace tenon::jinja {
namespace {

using B = Budget&;
using G = const Given&;

/// The attribute that argument `parameter` names, where it is given.
std::optional<Path> path_at(B budget, G given, size_t parameter) {
  if (given.set(parameter) == nullptr) return {};
  return path_of(budget, given.at(parameter));
}
Value at_path(B budget, const std::optional<Path>& path, const Value& item) {
  return path ? follow(budget, item, *path, nullptr) : item;
}

Value to_list(B budget, Values items, List::Kind kind = List::Kind::list) {
  ListMaker out(&budget);
  for (Value& item : items) out.add(std::move(item));
  return out.finish(kind);
}

Value join(B budget, G given) {
  const Text separator = given.find(1) == nullptr ? Text() : to_text(budget, given.at(1));
  const std::optional<Path> path = path_at(budget, given, 2);
  TextBuilder out(&budget);
  bool first = true;
  each(budget, given.at(0), [&](const Value& item) {
    if (!std::exchange(first, false)) out.append(separator);
    out.append(to_text(budget, at_path(budget, path, item)));
    return true;
  });
  return Value(out.finish());
}

Value first(B budget, G given) {
  Value found;
  each(budget, given.at(0), [&](const Value& item) {
    found = item;
    return false;
  });
  return found;
}

Value last(B budget, G given) {
  const List* list = given.at(0).list();
  if (list != nullptr && !list->has_length()) throw RenderError("last of an iterator: make it a list first");
  const Values items = elements(budget, given.at(0));
  return items.empty() ? Value() : items.back();
}

Value reverse(B budget, G given) {
  if (const Text* text = given.at(0).text()) return Value(reversed(budget, *text));
  Values items = elements(budget, given.at(0));
  std::ranges::reverse(items);
  return to_list(budget, std::move(items), List::Kind::iterator);
}

/// Sorted by keys that are made once each; equal ones keep their order, reversed or not.
Values sorted(B budget, Values items, bool reverse, const std::function<Value(const Value&)>& key_of) {
  std::vector<std::pair<Value, Value>> keyed;
  const Charge charge(&budget, items.size() * sizeof(keyed.front()));
  for (Value& item : items) {
    Value key = key_of(item);
    keyed.emplace_back(std::move(key), std::move(item));
  }
  std::ranges::stable_sort(keyed, [&](const auto& a, const auto& b) {
    return reverse ? compare(budget, b.first, a.first) == -1 : compare(budget, a.first, b.first) == -1;
  });
  for (size_t i = 0; i < items.size(); ++i) items[i] = std::move(keyed[i].second);
  return items;
}

Value sort(B budget, G given) {
  const bool case_sensitive = given.flag(2, false);
  std::vector<Path> paths;
  if (const Value* attributes = given.set(3); attributes != nullptr && attributes->text() != nullptr) {
    const Text comma(",", true);
    for (const Text& each : split(budget, *attributes->text(), &comma, -1, false)) {
      paths.push_back(path_of(budget, Value(each)));
    }
  } else if (attributes != nullptr) {
    paths.push_back(path_of(budget, *attributes));
  }
  return to_list(budget, sorted(budget, elements(budget, given.at(0)), given.flag(1, false), [&](const Value& item) {
                   if (paths.empty()) return comparable(budget, item, case_sensitive);
                   Values keys;
                   for (const Path& path : paths) {
                     keys.push_back(comparable(budget, follow(budget, item, path, nullptr), case_sensitive));
                   }
                   return to_list(budget, std::move(keys));
                 }));
}

Value dict_sort(B budget, G given) {
  const Dict* dict = given.at(0).dict();
  if (dict == nullptr) throw RenderError(fmt::format("dictsort of {}", type_name(given.at(0))));
  const std::string_view by = given.find(2) == nullptr ? "key" : given.text(2).bytes();
  if (by != "key" && by != "value") throw RenderError("dictsort sorts by 'key' or 'value'");
  const Value items = items_of(budget, *dict, List::Kind::items);
  return to_list(budget, sorted(budget, items.list()->items, given.flag(3, false), [&](const Value& item) {
                   return comparable(budget, item.list()->items[by == "key" ? 0 : 1], given.flag(1, false));
                 }));
}

Value unique(B budget, G given) {
  const std::optional<Path> path = path_at(budget, given, 2);
  Dict seen(&budget);
  ListMaker out(&budget);
  each(budget, given.at(0), [&](const Value& item) {
    const size_t before = seen.size();
    seen.set(comparable(budget, at_path(budget, path, item), given.flag(1, false)), Value(true));
    if (seen.size() > before) out.add(item);
    return true;
  });
  return out.finish(List::Kind::iterator);
}

Value extreme(B budget, G given, int wanted) {
  const std::optional<Path> path = path_at(budget, given, 2);
  std::optional<std::pair<Value, Value>> best;
  each(budget, given.at(0), [&](const Value& item) {
    Value key = comparable(budget, at_path(budget, path, item), given.flag(1, false));
    if (!best || compare(budget, key, best->first) == wanted) best.emplace(std::move(key), item);
    return true;
  });
  return best ? best->second : Value();
}

Value sum(B budget, G given) {
  const std::optional<Path> path = path_at(budget, given, 1);
  Value total = given.find(2) == nullptr ? Value(int64_t{0}) : given.at(2);
  if (total.text() != nullptr) throw RenderError("sum adds numbers and lists; use join for strings");
  each(budget, given.at(0), [&](const Value& item) {
    total = calculate(budget, "+", total, at_path(budget, path, item));
    return true;
  });
  return total;
}

Value batch(B budget, G given) {
  const int64_t n = given.integer(1, 0);
  ListMaker all(&budget), part(&budget);
  const auto close = [&] { all.add(std::exchange(part, ListMaker(&budget)).finish()); };
  each(budget, given.at(0), [&](const Value& item) {
    if (static_cast<int64_t>(part.size()) == n) close();
    part.add(item);
    return true;
  });
  if (part.size() > 0) {
    while (given.set(2) != nullptr && static_cast<int64_t>(part.size()) < n) part.add(given.at(2));
    close();
  }
  return all.finish(List::Kind::iterator);
}

Value slices(B budget, G given) {
  const Values items = elements(budget, given.at(0));
  const int64_t n = given.integer(1, 0), size = static_cast<int64_t>(items.size());
  if (n <= 0) throw RenderError("slice needs a number of parts above 0");
  ListMaker all(&budget);
  auto at = items.begin();
  for (int64_t i = 0; i < n; ++i) {
    ListMaker part(&budget);
    const bool longer = i < size % n;
    for (int64_t k = 0; k < size / n + (longer ? 1 : 0); ++k) part.add(*at++);
    if (given.set(2) != nullptr && !longer) part.add(given.at(2));
    all.add(part.finish());
  }
  return all.finish(List::Kind::iterator);
}

Value group_by(B budget, G given) {
  const Path path = path_of(budget, given.at(1));
  const bool case_sensitive = given.flag(3, false);
  const auto value_of = [&](const Value& item) { return follow(budget, item, path, given.set(2)); };
  const auto key_of = [&](const Value& item) { return comparable(budget, value_of(item), case_sensitive); };
  const Values items = sorted(budget, elements(budget, given.at(0)), false, key_of);
  ListMaker groups(&budget);
  for (size_t i = 0; i < items.size();) {
    ListMaker group(&budget), members(&budget);
    const Value key = key_of(items[i]);
    group.add(value_of(items[i]));
    for (; i < items.size() && equal(budget, key, key_of(items[i])); ++i) members.add(items[i]);
    group.add(members.finish());
    groups.add(group.finish(List::Kind::group));
  }
  return groups.finish();
}

Value items(B budget, G given) {
  if (given.at(0).is_undefined()) return to_list(budget, {}, List::Kind::iterator);
  const Dict* dict = given.at(0).dict();
  if (dict == nullptr) throw RenderError(fmt::format("items of {}", type_name(given.at(0))));
  return to_list(budget, items_of(budget, *dict, List::Kind::items).list()->items, List::Kind::iterator);
}

Value length(B budget, G given) { return Value(length_of(budget, given.at(0))); }

constexpr Filter kFilters[] = {
    {"batch", {"value linecount fill_with", 2}, batch},
    {"count", {"value", 1}, length},
    {"dictsort", {"value case_sensitive by reverse", 1}, dict_sort},
    {"first", {"seq", 1}, first},
    {"groupby", {"value attribute default case_sensitive", 2}, group_by},
    {"items", {"value", 1}, items},
    {"join", {"value d attribute", 1}, join},
    {"last", {"seq", 1}, last},
    {"length", {"value", 1}, length},
    {"list", {"value", 1}, [](B b, G g) { return to_list(b, elements(b, g.at(0))); }},
    {"max", {"value case_sensitive attribute", 1}, [](B b, G g) { return extreme(b, g, 1); }},
    {"min", {"value case_sensitive attribute", 1}, [](B b, G g) { return extreme(b, g, -1); }},
    {"reverse", {"value", 1}, reverse},
    {"slice", {"value slices fill_with", 2}, slices},
    {"sort", {"value reverse case_sensitive attribute", 1}, sort},
    {"sum", {"iterable attribute start", 1}, sum},
    {"unique", {"value case_sensitive attribute", 1}, unique},
};

}  // namespace

std::span<const Filter> list_filters() { return kFilters; }

}  // namespace tenon::jinja
