// Finds a filter, and the filters that take another filter or test by its name: map, select and their kin.
#include "filters.hpp"

#include "access.hpp"
#include "format.hpp"
#include "print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tenon::jinja {
namespace {

const Filter* find_filter(std::string_view name) {
  for (const auto& table : {text_filters(), value_filters(), list_filters()}) {
    const auto found = std::ranges::find(table, name, &Filter::name);
    if (found != table.end()) return &*found;
  }
  return nullptr;
}

/// The name of a filter or test that stands as argument `i`.
std::string_view name_at(const Arguments& args, size_t i, std::string_view filter) {
  if (i >= args.positional.size())
    throw RenderError(fmt::format("{} needs the name of a filter, test or attribute", filter));
  const Text* name = args.positional[i].text();
  if (name == nullptr)
    throw RenderError(fmt::format("{} needs a name, found {}", filter, type_name(args.positional[i])));
  return name->bytes();
}

/// The arguments from `first` on, behind a place for the value.
Arguments inner_arguments(const Arguments& args, size_t first) {
  Arguments inner;
  inner.positional.emplace_back();
  for (size_t i = first; i < args.positional.size(); ++i) inner.positional.push_back(args.positional[i]);
  inner.named = args.named;
  return inner;
}

Value select(Budget& budget, const Arguments& args, std::string_view filter, bool by_attribute, bool keep) {
  std::optional<Path> path;
  if (by_attribute) {
    if (args.positional.size() < 2) throw RenderError(fmt::format("{} needs the name of an attribute", filter));
    path = path_of(budget, args.positional[1]);
  }
  const size_t first = by_attribute ? 2 : 1;
  const bool has_test = args.positional.size() > first;
  const std::string_view test = has_test ? name_at(args, first, filter) : "";
  Arguments inner = inner_arguments(args, first + 1);
  ListMaker out(&budget);
  if (!truthy(args.positional[0])) return out.finish(List::Kind::iterator);  // none and 0 have no elements here
  each(budget, args.positional[0], [&](const Value& item) {
    inner.positional[0] = path ? follow(budget, item, *path, nullptr) : item;
    const bool passes = has_test ? apply_test(budget, test, inner) : truthy(inner.positional[0]);
    if (passes == keep) out.add(item);
    return true;
  });
  return out.finish(List::Kind::iterator);
}

Value map(Budget& budget, const Arguments& args) {
  ListMaker out(&budget);
  if (!truthy(args.positional[0])) return out.finish(List::Kind::iterator);
  if (args.positional.size() == 1) {
    const Given given("map", {"value attribute default", 2}, args);
    const Path path = path_of(budget, given.at(1));
    each(budget, given.at(0), [&](const Value& item) {
      out.add(follow(budget, item, path, given.find(2)));
      return true;
    });
    return out.finish(List::Kind::iterator);
  }
  const std::string_view filter = name_at(args, 1, "map");
  Arguments inner = inner_arguments(args, 2);
  if (!is_filter(filter)) throw RenderError(fmt::format("the filter '{}' is not known", filter));
  each(budget, args.positional[0], [&](const Value& item) {
    inner.positional[0] = item;
    out.add(apply_filter(budget, filter, inner));
    return true;
  });
  return out.finish(List::Kind::iterator);
}

constexpr std::string_view kByName[] = {"map", "select", "reject", "selectattr", "rejectattr", "format"};

}  // namespace

bool is_filter(std::string_view name) {
  return std::ranges::find(kByName, name) != std::end(kByName) || find_filter(name) != nullptr;
}

Value apply_filter(Budget& budget, std::string_view name, const Arguments& args) {
  const Budget::Level level(budget);  // map('map', 'map', ...)
  budget.step();
  if (const Filter* filter = find_filter(name)) {
    return filter->run(budget, Given(name, filter->parameters, args));
  }
  if (name == "map") return map(budget, args);
  if (name == "select" || name == "reject") return select(budget, args, name, false, name == "select");
  if (name == "selectattr" || name == "rejectattr") return select(budget, args, name, true, name == "selectattr");
  if (name == "format") {
    Arguments inner = args;
    inner.positional.erase(inner.positional.begin());
    return Value(format_percent(budget, to_text(budget, args.positional[0]), inner, inner.named.empty()));
  }
  throw RenderError(fmt::format("the filter '{}' is not known", name));
}

}  // namespace tenon::jinja
