// The arguments of one call, under the names of the parameters of what is called.
#pragma once

#include "value.hpp"

#include <initializer_list>
#include <optional>

namespace tenon::jinja {

/// Names of parameters with the number of those that must be given, as in `{"old new count", 2}`.
struct Parameters {
  std::string_view names;
  size_t required = 0;
};

class Given {
 public:
  /// Throws RenderError for arguments that are missing, too many or unknown. `function` is for messages.
  Given(std::string_view function, Parameters parameters, const Arguments& args);

  std::string_view function() const { return function_; }
  /// nullptr where left out.
  const Value* find(size_t parameter) const { return values_[parameter]; }
  /// nullptr where left out or none.
  const Value* set(size_t parameter) const;
  const Value& at(size_t parameter) const { return *values_[parameter]; }
  /// Throw RenderError where the argument has another type.
  const Text& text(size_t parameter) const;
  int64_t integer(size_t parameter, int64_t fallback) const;
  bool flag(size_t parameter, bool fallback) const;

 private:
  std::string message(size_t parameter, std::string_view needed) const;

  std::string_view function_;
  std::vector<std::string_view> names_;
  std::vector<const Value*> values_;
};

}  // namespace tenon::jinja
