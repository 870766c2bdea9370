#include "token_list.hpp"

#include <fmt/format.h>

namespace tenon::vocabulary {

Result<tenon_value> read_tokens(const Meta& meta, uint64_t most) {
  const auto tokens = meta.array(kTokensKey, TENON_VALUE_STRING);
  if (!tokens) return invalid(fmt::format("{} is missing or no array of strings", kTokensKey));
  if (tokens->count == 0 || tokens->count > most) {
    return invalid(fmt::format("{} has {} tokens; expected 1 to {}", kTokensKey, tokens->count, most));
  }
  return *tokens;
}

Result<std::vector<uint8_t>> read_types(const Meta& meta, size_t n_tokens) {
  std::vector<uint8_t> result(n_tokens, TENON_TOKEN_NORMAL);
  if (!meta.find(kTypesKey)) return result;
  const auto signed_types = meta.array(kTypesKey, TENON_VALUE_INT);
  const auto types = signed_types ? signed_types : meta.array(kTypesKey, TENON_VALUE_UINT);
  if (!types) return invalid(fmt::format("{} is no array of whole numbers", kTypesKey));
  if (types->count != n_tokens) {
    return invalid(
        fmt::format("{} has {} elements, {} has {}: expected as many", kTypesKey, types->count, kTokensKey, n_tokens));
  }
  const auto* numbers = static_cast<const int64_t*>(types->numbers);
  for (size_t i = 0; i < n_tokens; ++i) {
    if (numbers[i] < 0 || numbers[i] > TENON_TOKEN_BYTE) {
      return invalid(fmt::format("{}[{}] is {}; expected 1 to {}", kTypesKey, i, numbers[i], +TENON_TOKEN_BYTE));
    }
    if (numbers[i] != 0) result[i] = static_cast<uint8_t>(numbers[i]);  // 0: undefined, in old files
  }
  return result;
}

}  // namespace tenon::vocabulary
