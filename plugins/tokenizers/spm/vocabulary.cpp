#include "vocabulary.hpp"

#include <fmt/format.h>
#include <vocabulary/message.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace tenon::spm {
namespace {

using vocabulary::kTokensKey;
using vocabulary::kTypesKey;
using vocabulary::quoted;

std::optional<int> hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return std::nullopt;
}

/// The value of "<0x41>"; nothing where the name is another.
std::optional<uint8_t> byte_named(std::string_view name) {
  if (name.size() != 6 || !name.starts_with("<0x") || name[5] != '>') return std::nullopt;
  const auto high = hex_digit(name[3]), low = hex_digit(name[4]);
  if (!high || !low) return std::nullopt;
  return static_cast<uint8_t>(*high * 16 + *low);
}

bool is_piece(int32_t type) {
  return type == TENON_TOKEN_NORMAL || type == TENON_TOKEN_USER || type == TENON_TOKEN_UNUSED;
}

}  // namespace

Result<Vocabulary> Vocabulary::read(const Meta& meta) {
  Vocabulary vocabulary;
  if (auto done = vocabulary.read_tokens(meta); !done) return done.error();
  if (auto done = vocabulary.read_ranks(meta); !done) return done.error();
  if (auto done = vocabulary.index_tokens(); !done) return done.error();
  if (auto done = vocabulary.read_special_ids(meta); !done) return done.error();
  if (auto done = vocabulary.index_bytes(); !done) return done.error();
  return vocabulary;
}

Result<void> Vocabulary::read_tokens(const Meta& meta) {
  const auto tokens = vocabulary::read_tokens(meta, kMaxTokens);
  if (!tokens) return tokens.error();
  auto types = vocabulary::read_types(meta, static_cast<size_t>(tokens->count));
  if (!types) return types.error();
  types_ = *std::move(types);
  tokens_.reserve(types_.size());
  const bool untyped = !meta.find(kTypesKey);
  for (size_t i = 0; i < types_.size(); ++i) {
    const std::string_view written = view(tokens->strings[i]);
    if (untyped && byte_named(written)) types_[i] = TENON_TOKEN_BYTE;
    tokens_.append(written);
  }
  return {};
}

Result<void> Vocabulary::read_ranks(const Meta& meta) {
  const auto scores = meta.array(kScoresKey, TENON_VALUE_FLOAT);
  if (!scores) {
    return invalid(
        fmt::format("{} is missing or no array of numbers; without scores the order of merges is unknown", kScoresKey));
  }
  if (scores->count != types_.size()) {
    return invalid(fmt::format("{} has {} elements, {} has {}: expected as many", kScoresKey, scores->count, kTokensKey,
                               types_.size()));
  }
  const auto* values = static_cast<const double*>(scores->numbers);
  for (size_t i = 0; i < types_.size(); ++i) {
    if (std::isnan(values[i])) return invalid(fmt::format("{}[{}] is NaN, expected a number", kScoresKey, i));
  }
  std::vector<uint32_t> order(types_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [&](uint32_t a, uint32_t b) { return values[a] > values[b]; });
  ranks_.assign(types_.size(), kNoRank);
  uint32_t rank = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && values[order[i]] != values[order[i - 1]]) ++rank;
    if (is_piece(types_[order[i]])) ranks_[order[i]] = rank;
  }
  return {};
}

Result<void> Vocabulary::index_tokens() {
  tokens_.start_index();
  for (int32_t id = 0; id < size(); ++id) {
    const std::string_view text = written(id);
    if (text.empty()) continue;  // a place that is not used
    if (const int32_t other = tokens_.find(text); other >= 0) {
      return invalid(fmt::format("{0}[{1}] and {0}[{2}] are both {3}; expected every piece once", kTokensKey, other, id,
                                 quoted(text)));
    }
    tokens_.insert(id);
    if (is_piece(type(id))) note_spaces(text);
  }
  return {};
}

void Vocabulary::note_spaces(std::string_view piece) {
  for (size_t at = piece.find(kSpace); at != std::string_view::npos; at = piece.find(kSpace, at + 1)) {
    if (at > 0 && !piece.substr(0, at).ends_with(kSpace)) joins_space_[static_cast<uint8_t>(piece[at - 1])] = true;
  }
}

Result<void> Vocabulary::read_special_ids(const Meta& meta) {
  // What the format counts as given where a file is silent, if the tokens are such.
  const auto standard = [&](int32_t id, int32_t kind) { return contains(id) && type(id) == kind ? id : -1; };
  const vocabulary::SpecialDefaults defaults{standard(1, TENON_TOKEN_CONTROL), standard(2, TENON_TOKEN_CONTROL),
                                             standard(0, TENON_TOKEN_UNKNOWN), true};
  auto special = vocabulary::read_special_ids(meta, size(), defaults, [&](std::string_view name) {
    const int32_t id = tokens_.find(name);
    return id >= 0 && type(id) == TENON_TOKEN_CONTROL ? id : -1;
  });
  if (!special) return special.error();
  special_ = *std::move(special);
  auto adds_space = vocabulary::read_flag(meta, "tokenizer.ggml.add_space_prefix", true);
  if (!adds_space) return adds_space.error();
  adds_space_ = *adds_space;
  return {};
}

Result<void> Vocabulary::index_bytes() {
  byte_ids_.fill(-1);
  for (int32_t id = 0; id < size(); ++id) {
    if (type(id) != TENON_TOKEN_BYTE) continue;
    const auto value = byte_named(written(id));
    if (!value) {
      return invalid(fmt::format("{}[{}] is {} and of type byte: expected a name from <0x00> to <0xFF>", kTokensKey, id,
                                 quoted(written(id))));
    }
    int32_t& known = byte_ids_[*value];
    if (known >= 0) {
      return invalid(fmt::format("{0}[{1}] and {0}[{2}] are both the byte <0x{3:02X}>", kTokensKey, known, id, *value));
    }
    known = id;
  }
  for (size_t b = 0; b < 256; ++b) {
    if (byte_ids_[b] >= 0) continue;
    const char byte = static_cast<char>(b);
    const Piece piece = find_piece({&byte, 1});
    byte_ids_[b] = piece.id >= 0 ? piece.id : info().unknown;
    if (byte_ids_[b] < 0) {
      return invalid(
          fmt::format("{} has no token for the byte <0x{:02X}>, and there is no "
                      "tokenizer.ggml.unknown_token_id to stand for it",
                      kTokensKey, b));
    }
  }
  return {};
}

char Vocabulary::byte_of(int32_t id) const { return static_cast<char>(byte_named(written(id)).value_or(0)); }

}  // namespace tenon::spm
