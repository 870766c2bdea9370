// Filters, tests and methods of values.
#pragma once

#include "value.hpp"

#include <string>

namespace tenon::jinja {

/// args.positional.front() is the filtered value. Throws RenderError for an unknown name.
Value apply_filter(const std::string& name, const Arguments& args);
bool apply_test(const std::string& name, const Arguments& args);
/// The function behind `object.name(...)`, or undefined.
Value method_of(const Value& object, const std::string& name);

}  // namespace tenon::jinja
