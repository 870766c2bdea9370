#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "reading.hpp"

namespace tenon {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Letters to insert, remove, change or swap with their neighbour (optimal string alignment), case ignored.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0u : 1u)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

/// The largest distance at which one can be meant for the other: a third of the longer text.
size_t near_enough(std::string_view a, std::string_view b) { return (std::max(a.size(), b.size()) + 2) / 3; }

}  // namespace

std::string_view did_you_mean(std::string_view text, std::span<const std::string_view> candidates) {
  std::string_view best;
  size_t best_distance = SIZE_MAX;
  for (const std::string_view candidate : candidates) {
    const size_t limit = near_enough(text, candidate);
    const size_t gap = std::max(text.size(), candidate.size()) - std::min(text.size(), candidate.size());
    if (gap > limit || candidate.empty()) continue;  // also keeps a huge text from costing anything
    const size_t distance = edit_distance(text, candidate);
    // Changing every letter is no likeness.
    if (distance > limit || distance >= std::max(text.size(), candidate.size())) continue;
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string hint(std::string_view text, std::span<const std::string_view> candidates) {
  const std::string_view near = did_you_mean(text, candidates);
  return near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near);
}

}  // namespace tenon
