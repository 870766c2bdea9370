// The forms that a scalar's text can have: YAML 1.2's core schema.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tenon {

struct IntegerText {
  bool valid = false;     // is a whole number at all: decimal, 0x hexadecimal or 0o octal, with an optional sign
  bool overflow = false;  // its magnitude needs more than 64 bits
  bool negative = false;
  uint64_t magnitude = 0;
};
IntegerText parse_integer(std::string_view text);

struct NumberText {
  bool valid = false;         // is a number, .inf or .nan (also without the dot)
  bool out_of_range = false;  // no double can hold it
  double value = 0;
};
NumberText parse_number(std::string_view text);

/// true, True, TRUE, false, False, FALSE.
bool is_boolean(std::string_view text);
bool is_true(std::string_view text);

/// Whether the text may carry the tag !!KIND (str, null, bool, int, float).
bool fits_tag(std::string_view text, std::string_view kind);

/// 'text', cut where it is long; quotes and line ends inside do not break the message.
std::string in_quotes(std::string_view text);

}  // namespace tenon
