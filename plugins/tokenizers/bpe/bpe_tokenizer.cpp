#include "bpe_tokenizer.hpp"

#include <fmt/format.h>
#include <vocabulary/id_writer.hpp>
#include <vocabulary/piece_cache.hpp>

namespace tenon::bpe {

using vocabulary::PieceCache;

/// What one call of encode holds.
struct Work {
  Work(std::string_view text, const tenon_sink& sink)
      : readable_end(text.data() + text.size()),
        ids(sink),
        cache(text.size() < PieceCache::kMinText ? nullptr : std::make_unique<PieceCache>()) {}

  const char* readable_end;
  vocabulary::IdWriter ids;
  Merger::Scratch scratch;
  std::array<int32_t, Merger::kMaxShort> merged;
  std::unique_ptr<PieceCache> cache;
};

Result<std::unique_ptr<Tokenizer>> BpeTokenizer::create(const Meta& meta) {
  auto vocabulary = Vocabulary::read(meta);
  if (!vocabulary) return vocabulary.error();
  auto pairs = PairTable::read(meta, *vocabulary);
  if (!pairs) return pairs.error();
  return std::make_unique<BpeTokenizer>(*std::move(vocabulary), *std::move(pairs));
}

BpeTokenizer::BpeTokenizer(Vocabulary vocabulary, PairTable pairs)
    : vocabulary_(std::move(vocabulary)), merger_(vocabulary_, std::move(pairs)) {
  for (int32_t id = 0; id < vocabulary_.size(); ++id) {
    const int32_t type = vocabulary_.type(id);
    const bool is_user = type == TENON_TOKEN_USER;
    if (is_user || type == TENON_TOKEN_CONTROL || type == TENON_TOKEN_UNKNOWN) {
      added_.add(vocabulary_.bytes(id), id, is_user);
    }
  }
  mark_direct_tokens();
}

void BpeTokenizer::mark_direct_tokens() {
  const bool ignore_merges = vocabulary_.pre_tokenizer().ignore_merges;
  Merger::Scratch scratch;
  std::array<int32_t, Merger::kMaxShort> ids;
  const auto merges_to_itself = [&](std::string_view bytes, int32_t id) {
    if (bytes.size() <= Merger::kMaxShort) return merger_.merge_short(bytes, ids) == 1 && ids[0] == id;
    merger_.merge_long(bytes, scratch);
    return scratch.ids.size() == 1 && scratch.ids[0] == id;
  };
  for (int32_t id = 0; id < vocabulary_.size(); ++id) {
    const std::string_view bytes = vocabulary_.bytes(id);
    if (vocabulary_.type(id) != TENON_TOKEN_NORMAL || bytes.empty() || vocabulary_.find(bytes) != id) continue;
    if (ignore_merges || merges_to_itself(bytes, id)) vocabulary_.tokens().mark_direct(id);
  }
}

Result<void> BpeTokenizer::encode(std::string_view text, std::span<const tenon_range> special_ranges,
                                  const tenon_sink& ids) const {
  if (auto checked = vocabulary::check_ranges(text, special_ranges); !checked) return checked;
  if (text.size() >= UINT32_MAX) return Error{TENON_LIMIT, "a text of 4 GiB or more: encode it in parts"};
  Work work(text, ids);
  for (size_t begin = 0; begin < text.size() && !work.ids.failed();) {
    const vocabulary::AddedTokens::Match match = added_.next(text, begin, special_ranges);
    encode_plain(text.substr(begin, match.begin - begin), work);
    if (match.id >= 0) work.ids.put(match.id);
    begin = match.end;
  }
  return work.ids.finish();
}

void BpeTokenizer::encode_plain(std::string_view text, Work& work) const {
  const SplitFunction split = vocabulary_.pre_tokenizer().split;
  std::array<size_t, 256> ends;
  size_t begin = 0;
  while (begin < text.size() && !work.ids.failed()) {
    const size_t n = split(text, begin, ends);
    for (const size_t end : std::span(ends).first(n)) {
      const std::string_view piece = text.substr(begin, end - begin);
      begin = end;
      const int32_t id = vocabulary_.tokens().find_direct(piece, work.readable_end);
      if (id >= 0) {
        work.ids.put(id);
      } else {
        merge(piece, work);
      }
    }
  }
}

void BpeTokenizer::merge(std::string_view piece, Work& work) const {
  if (piece.size() > Merger::kMaxShort) {
    merger_.merge_long(piece, work.scratch);
    work.ids.put(work.scratch.ids);
    return;
  }
  const bool cached = work.cache != nullptr && piece.size() <= PieceCache::kMaxBytes;
  PieceCache::Entry key;
  size_t slot = 0;
  if (cached) {
    if (const auto* entry = work.cache->find(piece, key, slot)) return work.ids.put(entry->result());
  }
  const auto ids = std::span(work.merged).first(merger_.merge_short(piece, work.merged));
  work.ids.put(ids);
  if (cached) work.cache->keep(key, slot, ids);
}

Result<void> BpeTokenizer::token_bytes(int32_t id, uint64_t, bool with_special, const tenon_sink& text) const {
  if (!vocabulary_.contains(id)) {
    return invalid(fmt::format("token id {}, but the vocabulary has ids 0 to {}", id, vocabulary_.size() - 1));
  }
  const int32_t type = vocabulary_.type(id);
  if ((type == TENON_TOKEN_CONTROL || type == TENON_TOKEN_UNKNOWN) && !with_special) return {};
  const std::string_view bytes = vocabulary_.bytes(id);
  return append(text, bytes.data(), bytes.size());
}

int32_t BpeTokenizer::token_type(int32_t id) const { return vocabulary_.contains(id) ? vocabulary_.type(id) : 0; }

}  // namespace tenon::bpe
