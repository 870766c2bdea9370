#include "text.hpp"

#include <algorithm>
#include <cstring>

namespace tenon::jinja {

Text::Text(std::string_view bytes, bool trusted) {
  TextBuilder builder(nullptr);
  builder.append(bytes, trusted);
  *this = builder.finish();
}

const std::vector<Text::Run>& Text::runs() const {
  static const std::vector<Run> none;
  return body_ == nullptr ? none : body_->runs;
}

void TextBuilder::append(std::string_view bytes, bool trusted) {
  if (bytes.empty()) return;
  if (charge_.budget() != nullptr) charge_.budget()->work(bytes.size());
  const bool joins = !runs_.empty() && runs_.back().trusted == trusted;
  charge_.grow(bytes.size() + (joins ? 0 : sizeof(Text::Run)));
  bytes_ += bytes;
  if (joins)
    runs_.back().end = bytes_.size();
  else
    runs_.push_back({bytes_.size(), trusted});
}

void TextBuilder::append(const Text& text, size_t first, size_t n) {
  const std::vector<Text::Run>& runs = text.runs();
  const size_t last = first + n;
  auto run = std::ranges::upper_bound(runs, first, {}, &Text::Run::end);
  for (; first < last; ++run) {
    const size_t end = std::min(run->end, last);
    append(text.bytes().substr(first, end - first), run->trusted);
    first = end;
  }
}

Text TextBuilder::finish(bool markup) {
  Text text;
  if (bytes_.empty() && !markup) return text;
  text.body_ =
      std::make_shared<const Text::Body>(Text::Body{std::move(bytes_), std::move(runs_), markup, std::move(charge_)});
  return text;
}

Text part(Budget& budget, const Text& text, size_t first, size_t n) {
  if (first == 0 && n >= text.size()) return text;
  TextBuilder out(&budget);
  out.append(text, first, std::min(n, text.size() - first));
  return out.finish(text.is_markup());
}

Text joined(Budget& budget, const Text& a, const Text& b) {
  TextBuilder out(&budget);
  out.append(a);
  out.append(b);
  return out.finish();
}

size_t find_bytes(Budget& budget, std::string_view text, std::string_view part, size_t from) {
  if (from > text.size()) return std::string_view::npos;
  if (part.empty()) return from;
  if (part.size() > text.size() - from) return std::string_view::npos;
  // memmem takes linear time whatever the two hold; std::string::find does not.
  const void* hit = memmem(text.data() + from, text.size() - from, part.data(), part.size());
  const size_t at =
      hit == nullptr ? std::string_view::npos : static_cast<size_t>(static_cast<const char*>(hit) - text.data());
  budget.work((hit == nullptr ? text.size() : at) - from + part.size());
  return at;
}

std::vector<size_t> occurrences(Budget& budget, std::string_view text, std::string_view part, int64_t most,
                                bool from_right) {
  std::vector<size_t> hits;
  const auto collect = [&](std::string_view in, std::string_view of) {
    Charge charge(&budget, 0);
    for (size_t at = 0; most < 0 || static_cast<int64_t>(hits.size()) < most; at = hits.back() + of.size()) {
      const size_t hit = find_bytes(budget, in, of, at);
      if (hit == std::string_view::npos) break;
      budget.step();
      charge.grow(sizeof(size_t));
      hits.push_back(hit);
    }
  };
  if (!from_right) {
    collect(text, part);
    return hits;
  }
  const Charge charge(&budget, text.size() + part.size());
  budget.work(text.size());
  const std::string reversed_text(text.rbegin(), text.rend()), reversed_part(part.rbegin(), part.rend());
  collect(reversed_text, reversed_part);
  for (size_t& hit : hits) hit = text.size() - hit - part.size();
  std::ranges::reverse(hits);
  return hits;
}

}  // namespace tenon::jinja
