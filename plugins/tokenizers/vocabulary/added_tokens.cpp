#include "added_tokens.hpp"

#include <cstring>

namespace tenon::vocabulary {

void AddedTokens::FirstBytes::add(char byte) {
  bool& known = starts[static_cast<uint8_t>(byte)];
  if (!known) ++count;
  known = true;
  only = byte;
}

size_t AddedTokens::FirstBytes::find(std::string_view text, size_t begin, size_t end) const {
  if (count == 0) return end;
  if (count == 1) {
    const void* found = std::memchr(text.data() + begin, only, end - begin);
    return found == nullptr ? end : static_cast<size_t>(static_cast<const char*>(found) - text.data());
  }
  while (begin < end && !starts[static_cast<uint8_t>(text[begin])]) ++begin;
  return begin;
}

uint32_t AddedTokens::child(uint32_t node, char byte) const {
  uint32_t at = nodes_[node].first_child;
  while (at != 0 && nodes_[at].byte != byte) at = nodes_[at].next_sibling;
  return at;
}

void AddedTokens::add(std::string_view bytes, int32_t id, bool is_user) {
  if (bytes.empty()) return;
  all_.add(bytes[0]);
  if (is_user) user_.add(bytes[0]);
  uint32_t& root = roots_[static_cast<uint8_t>(bytes[0])];
  if (root == 0) {
    root = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back({.byte = bytes[0]});
  }
  uint32_t node = root;
  for (const char byte : bytes.substr(1)) {
    uint32_t at = child(node, byte);
    if (at == 0) {
      at = static_cast<uint32_t>(nodes_.size());
      nodes_.push_back({.next_sibling = nodes_[node].first_child, .byte = byte});
      nodes_[node].first_child = at;
    }
    node = at;
  }
  if (nodes_[node].id >= 0) return;
  nodes_[node].id = id;
  nodes_[node].is_user = is_user;
}

AddedTokens::Match AddedTokens::longest_at(std::string_view text, size_t begin, size_t control_end) const {
  Match match{begin, begin, -1};
  uint32_t node = roots_[static_cast<uint8_t>(text[begin])];
  for (size_t end = begin + 1; node != 0; ++end) {
    const Node& at = nodes_[node];
    if (at.id >= 0 && (at.is_user || end <= control_end)) match = {begin, end, at.id};
    if (end == text.size()) break;
    node = child(node, text[end]);
  }
  return match;
}

AddedTokens::Match AddedTokens::next(std::string_view text, size_t begin,
                                     std::span<const tenon_range>& special_ranges) const {
  while (begin < text.size()) {
    while (!special_ranges.empty() && special_ranges.front().end <= begin) special_ranges = special_ranges.subspan(1);
    size_t end = text.size();  // up to where the same tokens may start
    bool inside = false;
    if (!special_ranges.empty()) {
      inside = special_ranges.front().begin <= begin;
      end = static_cast<size_t>(inside ? special_ranges.front().end : special_ranges.front().begin);
    }
    begin = (inside ? all_ : user_).find(text, begin, end);
    if (begin == end) continue;
    const Match match = longest_at(text, begin, inside ? end : begin);
    if (match.id >= 0) return match;
    ++begin;
  }
  return {text.size(), text.size(), -1};
}

}  // namespace tenon::vocabulary
