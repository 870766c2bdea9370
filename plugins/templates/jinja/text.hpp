// Text that remembers which of its bytes the template wrote itself. Only there may control tokens be recognised.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tenon::jinja {

class Text {
 public:
  Text() = default;
  Text(std::string_view bytes, bool trusted) { append(bytes, trusted); }

  const std::string& bytes() const { return bytes_; }
  bool trusted_at(size_t i) const { return trusted_[i]; }
  void append(std::string_view bytes, bool trusted) {
    bytes_ += bytes;
    trusted_.insert(trusted_.end(), bytes.size(), trusted);
  }
  void append(const Text& other) {
    bytes_ += other.bytes_;
    trusted_.insert(trusted_.end(), other.trusted_.begin(), other.trusted_.end());
  }
  Text part(size_t first, size_t n) const {
    Text text;
    text.bytes_ = bytes_.substr(first, n);
    const auto from = trusted_.begin() + static_cast<std::ptrdiff_t>(first);
    text.trusted_.assign(from, from + static_cast<std::ptrdiff_t>(text.bytes_.size()));
    return text;
  }
  bool all_trusted() const {
    for (const bool t : trusted_) {
      if (!t) return false;
    }
    return true;
  }

 private:
  std::string bytes_;
  std::vector<bool> trusted_;  // one a byte
};

}  // namespace tenon::jinja
