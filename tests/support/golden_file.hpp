// Golden data by name: entries of u32 name length, name, u32 kind (0 f32, 1 bytes, 2 i32), u32 count, the elements,
// little endian, as tests/support/golden_file.py writes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace tenon::test {

class GoldenFile {
 public:
  explicit GoldenFile(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path);
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    size_t at = 0;
    const auto number = [&] {
      uint32_t value = 0;
      std::memcpy(&value, all.data() + at, sizeof value);
      at += sizeof value;
      return value;
    };
    while (at < all.size()) {
      const size_t name_size = number();
      const std::string name = all.substr(at, name_size);
      at += name_size;
      constexpr uint32_t kBytes = 1;
      const size_t element = number() == kBytes ? 1 : 4;
      const size_t size = number() * element;
      const auto* first = reinterpret_cast<const std::byte*>(all.data()) + at;
      entries_[name].assign(first, first + size);
      at += size;
    }
  }

  const std::map<std::string, std::vector<std::byte>>& entries() const { return entries_; }
  bool contains(const std::string& name) const { return entries_.contains(name); }
  /// Throws std::out_of_range where the name is not in the file.
  const std::vector<std::byte>& bytes(const std::string& name) const { return entries_.at(name); }
  std::vector<float> floats(const std::string& name) const { return elements<float>(name); }
  std::vector<int32_t> ints(const std::string& name) const { return elements<int32_t>(name); }

 private:
  template <class T>
  std::vector<T> elements(const std::string& name) const {
    const std::vector<std::byte>& raw = entries_.at(name);
    std::vector<T> values(raw.size() / sizeof(T));
    std::memcpy(values.data(), raw.data(), raw.size());
    return values;
  }

  std::map<std::string, std::vector<std::byte>> entries_;
};

}  // namespace tenon::test
