#include "letters.hpp"

#include "unicode.hpp"

#include <algorithm>

namespace tenon::jinja {
namespace {

bool is_blank(char32_t c) { return (properties(c) & kSpace) != 0; }

bool is_line_end(char32_t c) {
  return (c >= '\n' && c <= '\r') || (c >= 0x1C && c <= 0x1E) || c == 0x85 || c == 0x2028 || c == 0x2029;
}

/// Byte ranges of the words between blanks; the last holds the rest once `most` cuts are made.
std::vector<std::pair<size_t, size_t>> words(std::string_view s, int64_t most) {
  std::vector<std::pair<size_t, size_t>> found;
  for (size_t i = 0; i < s.size();) {
    if (is_blank(character_at(s, i))) {
      i += character_size(s[i]);
      continue;
    }
    size_t end = i;
    if (most >= 0 && static_cast<int64_t>(found.size()) >= most) {
      found.emplace_back(i, s.size());
      break;
    }
    while (end < s.size() && !is_blank(character_at(s, end))) end += character_size(s[end]);
    found.emplace_back(i, end);
    i = end;
  }
  return found;
}

/// The same from the right.
std::vector<std::pair<size_t, size_t>> words_from_right(std::string_view s, int64_t most) {
  std::vector<std::pair<size_t, size_t>> found;
  for (size_t end = s.size(); end > 0;) {
    const size_t last = before(s, end);
    if (is_blank(character_at(s, last))) {
      end = last;
      continue;
    }
    size_t first = last;
    if (most >= 0 && static_cast<int64_t>(found.size()) >= most) {
      found.emplace_back(0, end);
      break;
    }
    while (first > 0 && !is_blank(character_at(s, before(s, first)))) first = before(s, first);
    found.emplace_back(first, end);
    end = first;
  }
  std::ranges::reverse(found);
  return found;
}

}  // namespace

Text strip(Budget& budget, const Text& text, const Text* set, bool left, bool right) {
  const std::string_view s = text.bytes();
  const auto goes = [&](size_t at) {
    if (set == nullptr) return is_blank(character_at(s, at));
    budget.work(set->size());
    return set->bytes().find(s.substr(at, character_size(s[at]))) != std::string_view::npos;
  };
  size_t first = 0, last = s.size();
  while (left && first < last && goes(first)) first += character_size(s[first]);
  while (right && last > first && goes(before(s, last))) last = before(s, last);
  budget.work(s.size() - (last - first));
  return part(budget, text, first, last - first);
}

Text characters(Budget& budget, const Text& text, int64_t first, int64_t last) {
  const std::string_view s = text.bytes();
  size_t at = 0;
  const auto skip = [&](int64_t n) {
    for (; n > 0 && at < s.size(); --n) at += character_size(s[at]);
    return at;
  };
  const size_t from = skip(first), to = skip(last - first);
  budget.work(to);
  return part(budget, text, from, to - from);
}

Text reversed(Budget& budget, const Text& text) {
  TextBuilder out(&budget);
  for (size_t end = text.size(); end > 0;) {
    const size_t first = before(text.bytes(), end);
    out.append(text, first, end - first);
    end = first;
  }
  budget.work(8 * text.size());
  return out.finish(text.is_markup());
}

Text replace(Budget& budget, const Text& text, const Text& from, const Text& to, int64_t most) {
  TextBuilder out(&budget);
  size_t at = 0;
  if (from.empty()) {  // before each character and at the end
    for (int64_t n = 0; most < 0 || n < most; ++n) {
      budget.step();
      out.append(to);
      if (at >= text.size()) break;
      const size_t size = character_size(text.bytes()[at]);
      out.append(text, at, size);
      at += size;
    }
  } else {
    for (const size_t hit : occurrences(budget, text.bytes(), from.bytes(), most, false)) {
      out.append(text, at, hit - at);
      out.append(to);
      at = hit + from.size();
    }
  }
  out.append(text, at, text.size() - at);
  return out.finish(text.is_markup());
}

std::vector<Text> split(Budget& budget, const Text& text, const Text* separator, int64_t most, bool from_right) {
  std::vector<Text> parts;
  if (separator == nullptr) {
    budget.work(16 * text.size());
    const Charge charge(&budget, 16 * text.size());
    for (const auto& [first, last] : from_right ? words_from_right(text.bytes(), most) : words(text.bytes(), most))
      parts.push_back(part(budget, text, first, last - first));
    return parts;
  }
  size_t at = 0;
  for (const size_t hit : occurrences(budget, text.bytes(), separator->bytes(), most, from_right)) {
    parts.push_back(part(budget, text, at, hit - at));
    at = hit + separator->size();
  }
  parts.push_back(part(budget, text, at, text.size() - at));
  return parts;
}

std::vector<Text> split_lines(Budget& budget, const Text& text, bool keep_ends) {
  const std::string_view s = text.bytes();
  budget.work(s.size());
  std::vector<Text> lines;
  size_t start = 0;
  for (size_t i = 0; i < s.size();) {
    const size_t n = character_size(s[i]);
    if (!is_line_end(character_at(s, i))) {
      i += n;
      continue;
    }
    const size_t end = s.substr(i).starts_with("\r\n") ? i + 2 : i + n;
    lines.push_back(part(budget, text, start, (keep_ends ? end : i) - start));
    start = i = end;
  }
  if (start < s.size()) lines.push_back(part(budget, text, start, s.size() - start));
  return lines;
}

Text indent(Budget& budget, const Text& text, const Text& by, bool first, bool blank) {
  const Text ended = joined(budget, text, Text("\n", true));  // so that a last line end opens a last line
  const std::vector<Text> lines = split_lines(budget, ended, false);
  TextBuilder out(&budget);
  if (first) out.append(by);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) out.append("\n", false);
    if (i > 0 && (blank || !lines[i].empty())) out.append(by);
    out.append(lines[i]);
  }
  return out.finish(text.is_markup());
}

Text escape(Budget& budget, const Text& text) {
  if (text.is_markup()) return text;
  budget.work(text.size());
  TextBuilder out(&budget);
  const std::string_view s = text.bytes();
  size_t kept = 0;
  for (size_t i = 0; i < s.size(); ++i) {
    const size_t which = std::string_view("&<>'\"").find(s[i]);
    if (which == std::string_view::npos) continue;
    constexpr std::string_view kEntities[] = {"&amp;", "&lt;", "&gt;", "&#39;", "&#34;"};
    out.append(text, kept, i - kept);
    out.append(kEntities[which], false);
    kept = i + 1;
  }
  out.append(text, kept, s.size() - kept);
  return out.finish(true);
}

Text padded(Budget& budget, const Text& text, int64_t width, Align align, std::string_view fill) {
  const int64_t missing = width - static_cast<int64_t>(count_characters(text.bytes()));
  budget.work(text.size());
  if (missing <= 0) return text;
  // str.center() puts the odd blank left where the width is odd too.
  const int64_t left = align == Align::left ? 0 : align == Align::right ? missing : missing / 2 + (missing & width & 1);
  const Charge charge(&budget, static_cast<size_t>(missing));  // ends it before the loop does
  TextBuilder out(&budget);
  for (int64_t i = 0; i < left; ++i) out.append(fill, false);
  out.append(text);
  for (int64_t i = left; i < missing; ++i) out.append(fill, false);
  return out.finish(text.is_markup());
}

}  // namespace tenon::jinja
