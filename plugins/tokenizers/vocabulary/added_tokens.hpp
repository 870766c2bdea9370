// Tokens that are matched in the text itself, before it is split: control tokens and user-defined ones.
#pragma once

#include <tenon.h>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tenon::vocabulary {

class AddedTokens {
 public:
  struct Match {
    size_t begin, end;
    int32_t id;  // -1: none; then begin and end are the text's size
  };

  /// Before the first search. Of equal tokens the one that was added first counts; an empty one is passed over.
  void add(std::string_view bytes, int32_t id, bool is_user);

  /// The leftmost match from `begin` on, the longest there is at its place. Control tokens count only where they lie
  /// wholly inside one of special_ranges (ascending, disjoint); ranges that end before `begin` are dropped from the
  /// span. At most the longest token's length in steps for each byte.
  Match next(std::string_view text, size_t begin, std::span<const tenon_range>& special_ranges) const;

 private:
  struct Node {
    int32_t id = -1;                             // of the token that ends here
    uint32_t first_child = 0, next_sibling = 0;  // 0: none
    char byte = 0;
    bool is_user = false;
  };
  /// First bytes of tokens.
  struct FirstBytes {
    std::array<bool, 256> starts{};
    int count = 0;
    char only = 0;  // where count is 1
    void add(char byte);
    size_t find(std::string_view text, size_t begin, size_t end) const;
  };

  uint32_t child(uint32_t node, char byte) const;
  Match longest_at(std::string_view text, size_t begin, size_t control_end) const;

  std::vector<Node> nodes_{1};  // 0 is the root, whose children are in roots_
  std::array<uint32_t, 256> roots_{};
  FirstBytes all_, user_;
};

}  // namespace tenon::vocabulary
