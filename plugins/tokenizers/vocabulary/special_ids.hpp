// Tokens with a meaning: where a text begins and ends, what stands for the unknown, what ends a turn.
#pragma once

#include <tenon/meta.hpp>

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace tenon::vocabulary {

struct SpecialIds {
  tenon_vocab_info info{};
  /// Ascending: eos, eot and eom of the metadata, and control tokens with a well-known name.
  std::vector<int32_t> stop_ids;
};

/// What counts where the metadata is silent; -1: none.
struct SpecialDefaults {
  int32_t bos = -1, eos = -1, unknown = -1;
  bool add_bos = false;  // where there is a bos
};

/// The id of the control token with this name, or -1.
using FindControl = std::function<int32_t(std::string_view name)>;

/// TENON_INVALID with the key, its value and the range of ids.
Result<SpecialIds> read_special_ids(const Meta& meta, int32_t n_tokens, const SpecialDefaults& defaults,
                                    const FindControl& find_control);

/// A key that may be absent; an error where it is no bool.
Result<bool> read_flag(const Meta& meta, std::string_view key, bool otherwise);

}  // namespace tenon::vocabulary
