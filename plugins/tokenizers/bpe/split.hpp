// Splitting a text into the pieces that are merged apart. One function a family of patterns; each is exactly the
// regular expression written above it, applied again and again, every piece starting where the one before ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tenon::bpe {

/// Writes the ends (byte offsets in `text`, ascending) of the pieces that follow each other from `begin` on and returns
/// how many: less than ends.size() only where the last one is text.size(). Any bytes are split; those that are not
/// UTF-8 count as one symbol each. Time is linear in the bytes covered plus the length of the last piece's run.
using SplitFunction = size_t (*)(std::string_view text, size_t begin, std::span<size_t> ends);

/// 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
size_t split_gpt2(std::string_view text, size_t begin, std::span<size_t> ends);
/// Every number character (Unicode 17) is cut out first, then gpt2 on what lies between.
size_t split_digits_gpt2(std::string_view text, size_t begin, std::span<size_t> ends);

/// (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
size_t split_cl100k(std::string_view text, size_t begin, std::span<size_t> ends);
/// cl100k with \p{N} for \p{N}{1,3}.
size_t split_qwen2(std::string_view text, size_t begin, std::span<size_t> ends);
/// qwen2 with [\p{L}\p{M}]+ for \p{L}+ and ` ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*`.
size_t split_qwen35(std::string_view text, size_t begin, std::span<size_t> ends);
/// qwen2 without the [\r\n]* behind symbols.
size_t split_seed_coder(std::string_view text, size_t begin, std::span<size_t> ends);

/// With W1 = [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}] and W2 = [\p{Ll}\p{Lm}\p{Lo}\p{M}] and C = (?i:'s|'t|'re|'ve|'m|'ll|'d)?
/// [^\r\n\p{L}\p{N}]?W1*W2+C|[^\r\n\p{L}\p{N}]?W1+W2*C|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
size_t split_o200k(std::string_view text, size_t begin, std::span<size_t> ends);
/// o200k with C empty and \p{N} for \p{N}{1,3}.
size_t split_tekken(std::string_view text, size_t begin, std::span<size_t> ends);

/// Three passes, each on the pieces of the one before: \p{N}{1,3}; [一-龥぀-ゟ゠-ヿ]+; and with A the ASCII
/// punctuation A[A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+ What
/// nothing matches stays together.
size_t split_deepseek_v3(std::string_view text, size_t begin, std::span<size_t> ends);

}  // namespace tenon::bpe
