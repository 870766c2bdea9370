#include "given.hpp"

#include "numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tenon::jinja {

Given::Given(std::string_view function, Parameters parameters, const Arguments& args) : function_(function) {
  for (std::string_view rest = parameters.names; !rest.empty();) {
    const size_t end = std::min(rest.find(' '), rest.size());
    names_.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (args.positional.size() > names_.size()) {
    throw RenderError(
        fmt::format("{} takes {} arguments at most, {} are given", function, names_.size(), args.positional.size()));
  }
  for (const Value& value : args.positional) values_.push_back(&value);
  values_.resize(names_.size(), nullptr);
  for (const auto& [name, value] : args.named) {
    const auto i = static_cast<size_t>(std::ranges::find(names_, name) - names_.begin());
    if (i == names_.size()) throw RenderError(fmt::format("{} has no argument '{}'", function, name));
    if (values_[i] != nullptr) throw RenderError(fmt::format("{} is given '{}' twice", function, name));
    values_[i] = &value;
  }
  for (size_t i = 0; i < parameters.required; ++i) {
    if (values_[i] == nullptr) throw RenderError(fmt::format("{} needs its argument '{}'", function, names_[i]));
  }
}

const Value* Given::set(size_t parameter) const {
  const Value* value = values_[parameter];
  return value == nullptr || value->is_none() ? nullptr : value;
}

std::string Given::message(size_t parameter, std::string_view needed) const {
  return fmt::format("{} needs {} as '{}', found {}", function_, needed, names_[parameter], type_name(at(parameter)));
}

const Text& Given::text(size_t parameter) const {
  if (at(parameter).text() == nullptr) throw RenderError(message(parameter, "a string"));
  return *at(parameter).text();
}

int64_t Given::integer(size_t parameter, int64_t fallback) const {
  if (find(parameter) == nullptr) return fallback;
  if (!at(parameter).is_integer()) throw RenderError(message(parameter, "an integer"));
  return integer_of(at(parameter));
}

bool Given::flag(size_t parameter, bool fallback) const {
  return find(parameter) == nullptr ? fallback : truthy(at(parameter));
}

}  // namespace tenon::jinja
