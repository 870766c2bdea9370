// Arithmetic as in Python, with integers of 64 bits: what does not fit them ends with a message.
#pragma once

#include "value.hpp"

#include <optional>

namespace tenon::jinja {

/// value.is_integer() must hold.
int64_t integer_of(const Value& value);
/// value.is_number() must hold.
double real_of(const Value& value);

/// `op` is one of + - * / // % ** over numbers, strings, lists and tuples. Throws where Python does.
Value calculate(Budget& budget, std::string_view op, const Value& a, const Value& b);
Value negative(const Value& value);
Value absolute(const Value& value);

/// int("12") and float("1.5"): blanks around, signs and underscores as Python reads them.
std::optional<int64_t> parse_integer(std::string_view text, int base);
std::optional<double> parse_real(std::string_view text);
/// A double cut to an integer. Throws RenderError beyond 64 bits and for what is no number.
int64_t truncated(double value);
/// round(value, digits): to even where the value stands exactly between.
double rounded(double value, int64_t digits);
/// As Python writes a float.
std::string real_text(double value);

}  // namespace tenon::jinja
