#include "merger.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace tenon::bpe {
namespace {

constexpr uint32_t kNoMerge = PairTable::kNoMerge;
constexpr uint32_t kNoSymbol = UINT32_MAX;

/// A sweep costs one pass over all symbols; it pays where it removes at least one in this many.
constexpr size_t kSweepShare = 16;

}  // namespace

Merger::Merger(const Vocabulary& vocabulary, PairTable pairs) : pairs_(std::move(pairs)) {
  for (size_t b = 0; b < 256; ++b) {
    const char byte = static_cast<char>(b);
    const int32_t id = vocabulary.find({&byte, 1});
    byte_ids_[b] = id >= 0 && vocabulary.type(id) == TENON_TOKEN_NORMAL ? id : -1;
  }
}

size_t Merger::merge_short(std::string_view piece, std::array<int32_t, kMaxShort>& ids) const {
  std::array<uint32_t, kMaxShort> ranks;
  size_t n = 0;
  for (const char c : piece) {
    const int32_t id = byte_ids_[static_cast<uint8_t>(c)];
    if (id >= 0) ids[n++] = id;
  }
  for (size_t i = 0; i + 1 < n; ++i) ranks[i] = pairs_.rank(ids[i], ids[i + 1]);
  while (n > 1) {
    size_t best = 0;
    for (size_t i = 1; i + 1 < n; ++i) {
      if (ranks[i] < ranks[best]) best = i;
    }
    if (ranks[best] == kNoMerge) break;
    ids[best] = pairs_.merged(ranks[best]);
    --n;
    for (size_t i = best + 1; i < n; ++i) {
      ids[i] = ids[i + 1];
      ranks[i - 1] = ranks[i];
    }
    if (best + 1 < n) ranks[best] = pairs_.rank(ids[best], ids[best + 1]);
    if (best > 0) ranks[best - 1] = pairs_.rank(ids[best - 1], ids[best]);
  }
  return n;
}

void Merger::merge_long(std::string_view piece, Scratch& scratch) const {
  auto& ids = scratch.ids;
  auto& ranks = scratch.ranks;
  ids.clear();
  for (const char c : piece) {
    const int32_t id = byte_ids_[static_cast<uint8_t>(c)];
    if (id >= 0) ids.push_back(id);
  }
  if (ids.size() < 2) return;
  ranks.resize(ids.size() - 1);
  for (size_t i = 0; i + 1 < ids.size(); ++i) ranks[i] = pairs_.rank(ids[i], ids[i + 1]);
  // Long runs of few characters merge the same pair all over: whole passes are then cheaper than a queue. In a monotone
  // table no merge of a pass makes a pair that would come before the others of the pass.
  while (pairs_.is_monotone() && !ranks.empty()) {
    const uint32_t lowest = *std::ranges::min_element(ranks);
    if (lowest == kNoMerge) return;
    if (static_cast<size_t>(std::ranges::count(ranks, lowest)) * kSweepShare < ranks.size()) break;
    sweep(lowest, scratch);
  }
  merge_by_queue(scratch);
}

/// Merges every pair of this rank, left to right.
void Merger::sweep(uint32_t rank, Scratch& scratch) const {
  auto& ids = scratch.ids;
  auto& ranks = scratch.ranks;
  const size_t n = ids.size();
  size_t written = 0;
  bool before_is_new = false;
  for (size_t i = 0; i < n; ++i) {
    const bool merges = i + 1 < n && ranks[i] == rank;
    const int32_t id = merges ? pairs_.merged(rank) : ids[i];
    if (written > 0) {
      ranks[written - 1] = merges || before_is_new ? pairs_.rank(ids[written - 1], id) : ranks[i - 1];
    }
    ids[written++] = id;
    before_is_new = merges;
    if (merges) ++i;
  }
  ids.resize(written);
  ranks.resize(written - 1);
}

/// Symbols are a linked list; the queue holds rank << 32 | position, and entries that no longer hold are passed over.
void Merger::merge_by_queue(Scratch& scratch) const {
  auto& [ids, ranks, next, previous, queue] = scratch;
  const size_t n = ids.size();
  next.resize(n);
  previous.resize(n);
  queue.clear();
  ranks.push_back(kNoMerge);
  for (size_t i = 0; i < n; ++i) {
    next[i] = i + 1 < n ? static_cast<uint32_t>(i + 1) : kNoSymbol;
    previous[i] = i > 0 ? static_cast<uint32_t>(i - 1) : kNoSymbol;
    if (ranks[i] != kNoMerge) queue.push_back(uint64_t{ranks[i]} << 32 | i);
  }
  std::ranges::make_heap(queue, std::greater{});
  const auto update = [&](uint32_t at) {
    const uint32_t right = next[at];
    ranks[at] = right == kNoSymbol ? kNoMerge : pairs_.rank(ids[at], ids[right]);
    if (ranks[at] == kNoMerge) return;
    queue.push_back(uint64_t{ranks[at]} << 32 | at);
    std::ranges::push_heap(queue, std::greater{});
  };
  while (!queue.empty()) {
    const uint64_t top = queue.front();
    std::ranges::pop_heap(queue, std::greater{});
    queue.pop_back();
    const auto at = static_cast<uint32_t>(top & UINT32_MAX);
    if (ranks[at] != top >> 32) continue;
    const uint32_t gone = next[at];
    ids[at] = pairs_.merged(ranks[at]);
    ranks[gone] = kNoMerge;
    next[at] = next[gone];
    if (next[at] != kNoSymbol) previous[next[at]] = at;
    update(at);
    if (previous[at] != kNoSymbol) update(previous[at]);
  }
  size_t written = 0;
  for (uint32_t i = 0; i != kNoSymbol; i = next[i]) ids[written++] = ids[i];
  ids.resize(written);
}

}  // namespace tenon::bpe
