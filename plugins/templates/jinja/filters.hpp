// Filters and tests by name.
#pragma once

#include "given.hpp"

#include <span>

namespace tenon::jinja {

/// One row of a table of filters: `run` gets the filtered value as parameter 0.
struct Filter {
  std::string_view name;
  Parameters parameters;
  Value (*run)(Budget&, const Given&);
};
std::span<const Filter> text_filters();
std::span<const Filter> value_filters();
std::span<const Filter> list_filters();

bool is_filter(std::string_view name);
/// args.positional.front() is the filtered value. Throws RenderError for an unknown name.
Value apply_filter(Budget& budget, std::string_view name, const Arguments& args);

bool is_test(std::string_view name);
/// args.positional.front() is the tested value. Throws RenderError for an unknown name.
bool apply_test(Budget& budget, std::string_view name, const Arguments& args);

}  // namespace tenon::jinja
