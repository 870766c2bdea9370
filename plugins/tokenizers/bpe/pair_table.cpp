#include "pair_table.hpp"

#include <vocabulary/message.hpp>
#include "byte_alphabet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace tenon::bpe {

Result<PairTable> PairTable::read(const Meta& meta, const Vocabulary& vocabulary) {
  const auto merges = meta.array(kMergesKey, TENON_VALUE_STRING);
  if (!merges) return invalid(fmt::format("{} is missing or no array of strings", kMergesKey));
  if (merges->count > kMaxMerges) {
    return invalid(fmt::format("{} has {} merges; expected at most {}", kMergesKey, merges->count, kMaxMerges));
  }
  const auto n = static_cast<size_t>(merges->count);
  PairTable table;
  const size_t slots = std::bit_ceil(n + n * 2 / 3 + 1);
  table.slots_.assign(slots, kEmpty);
  table.mask_ = slots - 1;
  table.shift_ = slots == 1 ? 63 : 64 - std::countr_zero(slots);
  table.merged_.reserve(n);

  std::vector<int64_t> last_made(static_cast<size_t>(vocabulary.size()), -1);  // the last rank that makes a token
  std::vector<uint64_t> pairs;
  pairs.reserve(n);
  std::string text;
  for (size_t i = 0; i < n; ++i) {
    const std::string_view written = view(merges->strings[i]);
    const auto refuse = [&](std::string_view why) {
      return invalid(fmt::format("{}[{}] is {}: {}", kMergesKey, i, vocabulary::quoted(written), why));
    };
    const size_t space = written.find(' ', 1);
    if (space == std::string_view::npos || space + 1 == written.size()) {
      return refuse("expected two tokens with a space between");
    }
    text.clear();
    append_raw_bytes(written.substr(0, space), text);
    const size_t cut = text.size();
    append_raw_bytes(written.substr(space + 1), text);
    const int32_t left = vocabulary.find(std::string_view(text).substr(0, cut));
    const int32_t right = vocabulary.find(std::string_view(text).substr(cut));
    const int32_t merged = vocabulary.find(text);
    if (left < 0 || right < 0 || merged < 0) {
      const std::string_view which = left < 0 ? "its left part" : right < 0 ? "its right part" : "the merged token";
      return refuse(fmt::format("{} is not in {}", which, kTokensKey));
    }
    table.merged_.push_back(merged);
    pairs.push_back(key(left, right));
    table.insert(pairs.back(), static_cast<uint32_t>(i));
    last_made[static_cast<size_t>(merged)] = static_cast<int64_t>(i);
  }
  for (size_t i = 0; i < n; ++i) {
    const auto left = static_cast<size_t>(pairs[i] >> kIdBits);
    const auto right = static_cast<size_t>(pairs[i] & ((uint64_t{1} << kIdBits) - 1));
    if (std::max(last_made[left], last_made[right]) >= static_cast<int64_t>(i)) table.monotone_ = false;
  }
  return table;
}

void PairTable::insert(uint64_t pair, uint32_t rank) {
  size_t slot = slot_of(pair);
  while (slots_[slot] != kEmpty && slots_[slot] >> kRankBits != pair) slot = (slot + 1) & mask_;
  slots_[slot] = pair << kRankBits | rank;  // of two equal merges the later counts, as in the tokenizers package
}

}  // namespace tenon::bpe
