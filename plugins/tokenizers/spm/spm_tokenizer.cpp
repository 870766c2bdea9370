#include "spm_tokenizer.hpp"

#include <fmt/format.h>
#include <vocabulary/id_writer.hpp>
#include <vocabulary/piece_cache.hpp>

namespace tenon::spm {
namespace {

using vocabulary::PieceCache;

/// A text whose spaces became U+2581 is at most three times as long; its symbols are counted in 32 bits.
constexpr size_t kMostBytes = UINT32_MAX / 3 - 1;

void append_escaped(std::string_view text, std::string& out) {
  for (const char c : text) {
    if (c == ' ') {
      out += kSpace;
    } else {
      out += c;
    }
  }
}

std::string unescaped(std::string_view written) {
  std::string out;
  while (!written.empty()) {
    const size_t at = std::min(written.find(kSpace), written.size());
    out += written.substr(0, at);
    written.remove_prefix(at);
    if (written.empty()) break;
    out += ' ';
    written.remove_prefix(kSpace.size());
  }
  return out;
}

}  // namespace

/// What one call of encode holds.
struct SpmTokenizer::Work {
  Work(std::string_view text, const tenon_sink& sink)
      : ids(sink), cache(text.size() < PieceCache::kMinText ? nullptr : std::make_unique<PieceCache>()) {}
  vocabulary::IdWriter ids;
  Merger::Scratch scratch;
  std::string escaped;
  std::unique_ptr<PieceCache> cache;
};

Result<std::unique_ptr<Tokenizer>> SpmTokenizer::create(const Meta& meta) {
  auto vocabulary = Vocabulary::read(meta);
  if (!vocabulary) return vocabulary.error();
  return std::make_unique<SpmTokenizer>(*std::move(vocabulary));
}

SpmTokenizer::SpmTokenizer(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)), merger_(vocabulary_) {
  for (int32_t id = 0; id < vocabulary_.size(); ++id) {
    const int32_t type = vocabulary_.type(id);
    const bool is_user = type == TENON_TOKEN_USER;
    if (is_user || type == TENON_TOKEN_CONTROL || type == TENON_TOKEN_UNKNOWN) {
      added_.add(vocabulary_.written(id), id, is_user);
    }
  }
}

Result<void> SpmTokenizer::encode(std::string_view text, std::span<const tenon_range> special_ranges,
                                  const tenon_sink& ids) const {
  if (auto checked = vocabulary::check_ranges(text, special_ranges); !checked) return checked;
  if (text.size() > kMostBytes) return Error{TENON_LIMIT, "a text of more than 1.4 GB: encode it in parts"};
  Work work(text, ids);
  for (size_t begin = 0; begin < text.size() && !work.ids.failed();) {
    const vocabulary::AddedTokens::Match match = added_.next(text, begin, special_ranges);
    if (match.begin > begin) encode_plain(text.substr(begin, match.begin - begin), work);
    if (match.id >= 0) work.ids.put(match.id);
    begin = match.end;
  }
  return work.ids.finish();
}

/// Words are merged apart where no piece reaches over the space between them: the queue stays short.
void SpmTokenizer::encode_plain(std::string_view text, Work& work) const {
  std::string& escaped = work.escaped;
  escaped.clear();
  if (vocabulary_.adds_space()) escaped += kSpace;
  append_escaped(text, escaped);
  const std::string_view whole = escaped;
  size_t begin = 0;
  size_t before = 0;  // where the symbol before `at` begins
  for (size_t at = 0; at < whole.size() && !work.ids.failed(); at += symbol_bytes(whole.substr(at))) {
    const bool starts_word = at > begin && whole.substr(at).starts_with(kSpace) &&
                             whole.substr(before, at - before) != kSpace && !vocabulary_.joins_space(whole[at - 1]);
    if (starts_word) {
      merge(whole.substr(begin, at - begin), work);
      begin = at;
    }
    before = at;
  }
  merge(whole.substr(begin), work);
}

void SpmTokenizer::merge(std::string_view word, Work& work) const {
  if (work.cache == nullptr || word.empty() || word.size() > PieceCache::kMaxBytes) {
    merger_.merge(word, work.scratch);
    return work.ids.put(work.scratch.ids);
  }
  PieceCache::Entry key;
  size_t slot = 0;
  if (const auto* entry = work.cache->find(word, key, slot)) return work.ids.put(entry->result());
  merger_.merge(word, work.scratch);
  work.ids.put(work.scratch.ids);
  work.cache->keep(key, slot, work.scratch.ids);
}

Result<void> SpmTokenizer::token_bytes(int32_t id, uint64_t position, bool with_special, const tenon_sink& text) const {
  if (!vocabulary_.contains(id)) {
    return invalid(fmt::format("token id {}, but the vocabulary has ids 0 to {}", id, vocabulary_.size() - 1));
  }
  const std::string_view written = vocabulary_.written(id);
  switch (vocabulary_.type(id)) {
    case TENON_TOKEN_CONTROL:
    case TENON_TOKEN_UNKNOWN: return with_special ? append(text, written.data(), written.size()) : Result<void>{};
    case TENON_TOKEN_USER: return append(text, written.data(), written.size());
    case TENON_TOKEN_BYTE: {
      const char byte = vocabulary_.byte_of(id);
      return append(text, &byte, 1);
    }
    default: break;
  }
  const std::string plain = unescaped(written);
  const size_t dropped = position == 0 && vocabulary_.adds_space() && plain.starts_with(' ') ? 1 : 0;
  return append(text, plain.data() + dropped, plain.size() - dropped);
}

int32_t SpmTokenizer::token_type(int32_t id) const { return vocabulary_.contains(id) ? vocabulary_.type(id) : 0; }

int32_t SpmTokenizer::find(std::string_view text) const {
  const int32_t id = vocabulary_.find_written(text);
  if (id >= 0 && vocabulary_.type(id) != TENON_TOKEN_NORMAL && vocabulary_.type(id) != TENON_TOKEN_BYTE) return id;
  std::string escaped;
  append_escaped(text, escaped);
  const int32_t piece = vocabulary_.find_piece(escaped).id;
  if (piece >= 0) return piece;
  // A byte of its own token, where no piece is that character.
  if (text.size() == 1 && vocabulary_.type(vocabulary_.byte_id(text[0])) == TENON_TOKEN_BYTE) {
    return vocabulary_.byte_id(text[0]);
  }
  return -1;
}

}  // namespace tenon::spm
