// Python's two ways to format: "%s" % x and "{}".format(x).
#pragma once

#include "value.hpp"

namespace tenon::jinja {

/// Conversions s r d i f e g x X o and %%, with flags, width and precision. `all` refuses arguments that are left over.
Text format_percent(Budget& budget, const Text& pattern, const Arguments& args, bool all);
/// {} {0} {name} with a fill, alignment, width, precision and one of d f e g x X o b s %.
Text format_braces(Budget& budget, const Text& pattern, const Arguments& args);

}  // namespace tenon::jinja
