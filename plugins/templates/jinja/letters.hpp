// Strings character by character, as Python's str and jinja2's filters treat them. Marks go along with the characters.
#pragma once

#include "text.hpp"

#include <optional>
#include <vector>

namespace tenon::jinja {

Text upper(Budget& budget, const Text& text);
Text lower(Budget& budget, const Text& text);
Text swap_case(Budget& budget, const Text& text);
Text capitalize(Budget& budget, const Text& text);
/// str.title(): a letter after a letter becomes small.
Text title(Budget& budget, const Text& text);
/// The filter `title`: a letter after a blank, hyphen or opening bracket becomes great, all others small.
Text title_words(Budget& budget, const Text& text);

/// Without the characters of `set` (blanks where there is none) at its ends.
Text strip(Budget& budget, const Text& text, const Text* set, bool left, bool right);

/// Characters first..last of a text that has them; bytes where one character is one byte.
Text characters(Budget& budget, const Text& text, int64_t first, int64_t last);
Text reversed(Budget& budget, const Text& text);

Text replace(Budget& budget, const Text& text, const Text& from, const Text& to, int64_t most);
/// At blanks, or at `separator`, which is not empty; at most `most` times where that is not negative.
std::vector<Text> split(Budget& budget, const Text& text, const Text* separator, int64_t most, bool from_right);
std::vector<Text> split_lines(Budget& budget, const Text& text, bool keep_ends);
/// The filter `indent`.
Text indent(Budget& budget, const Text& text, const Text& by, bool first, bool blank);
Text escape(Budget& budget, const Text& text);
/// Blanks, or `fill`, on the left and right up to `width` characters.
enum class Align { left, right, center };
Text padded(Budget& budget, const Text& text, int64_t width, Align align, std::string_view fill);

/// isupper, islower, istitle, isspace, isalpha, isalnum, isdigit, ...; none where that is no such method.
std::optional<bool> is_of(Budget& budget, const Text& text, std::string_view method);

}  // namespace tenon::jinja
