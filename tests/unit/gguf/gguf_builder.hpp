// Writes GGUF files for tests, right ones and wrong ones: every count, length and offset can be set to a lie.
// Layout from the GGUF specification: magic, version, n_tensors, n_kv, pairs, tensor list, padding, data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gguf_test {

// Value types and tensor types by their numbers in the specification.
enum : uint32_t { kU8, kI8, kU16, kI16, kU32, kI32, kF32, kBool, kString, kArray, kU64, kI64, kF64 };
enum : uint32_t { kTensorF32 = 0, kTensorQ4_0 = 2, kTensorQ4_1 = 3, kTensorQ8_0 = 8 };

template <class T>
void put(std::string& to, T value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

inline void put_string(std::string& to, std::string_view text) {
  put<uint64_t>(to, text.size());
  to.append(text);
}

class GgufBuilder {
 public:
  uint32_t version = 3;
  uint64_t alignment = 32;                      // of the layout; the key is up to the test
  std::optional<uint64_t> n_values, n_tensors;  // claimed instead of the true numbers

  /// A key, its type, and the bytes of the value as they come.
  GgufBuilder& raw(std::string_view key, uint32_t type, std::string_view bytes) {
    put_string(values_, key);
    put(values_, type);
    values_.append(bytes);
    ++value_count_;
    return *this;
  }
  template <class T>
  GgufBuilder& number(std::string_view key, uint32_t type, T value) {
    std::string bytes;
    put(bytes, value);
    return raw(key, type, bytes);
  }
  GgufBuilder& u32(std::string_view key, uint32_t value) { return number(key, kU32, value); }
  GgufBuilder& text(std::string_view key, std::string_view value) {
    std::string bytes;
    put_string(bytes, value);
    return raw(key, kString, bytes);
  }
  template <class T>
  GgufBuilder& array(std::string_view key, uint32_t element_type, const std::vector<T>& elements) {
    std::string bytes;
    put(bytes, element_type);
    put<uint64_t>(bytes, elements.size());
    for (const T& element : elements) {
      if constexpr (std::is_convertible_v<T, std::string_view>) {
        put_string(bytes, element);
      } else {
        put(bytes, element);
      }
    }
    return raw(key, kArray, bytes);
  }

  /// `dims` as the file has them, fastest first. The data follows the tensor before, `n_bytes` of a pattern.
  GgufBuilder& tensor(std::string_view name, const std::vector<uint64_t>& dims, uint32_t type, uint64_t n_bytes) {
    const uint64_t offset = pad(data_.size());
    data_.resize(offset, '\0');
    for (uint64_t i = 0; i < n_bytes; ++i) data_.push_back(static_cast<char>(i * 7 + tensor_count_));
    return entry(name, dims, type, offset);
  }
  /// An entry of the tensor list only.
  GgufBuilder& entry(std::string_view name, const std::vector<uint64_t>& dims, uint32_t type, uint64_t offset) {
    put_string(entries_, name);
    put<uint32_t>(entries_, static_cast<uint32_t>(dims.size()));
    for (const uint64_t dim : dims) put(entries_, dim);
    put(entries_, type);
    put(entries_, offset);
    ++tensor_count_;
    return *this;
  }

  std::string header() const {
    std::string file = "GGUF";
    put(file, version);
    put(file, n_tensors.value_or(tensor_count_));
    put(file, n_values.value_or(value_count_));
    return file + values_ + entries_;
  }
  /// The file without padding after the last tensor.
  std::string build() const {
    std::string file = header();
    if (tensor_count_ > 0) file.resize(pad(file.size()), '\0');
    return file + data_;
  }
  /// Where the tensor data starts.
  uint64_t data_start() const { return pad(header().size()); }

 private:
  uint64_t pad(uint64_t n) const { return (n + alignment - 1) / alignment * alignment; }

  std::string values_, entries_, data_;
  uint64_t value_count_ = 0, tensor_count_ = 0;
};

/// Two tensors, some metadata: right in every respect.
inline GgufBuilder small_model() {
  GgufBuilder builder;
  builder.text("general.architecture", "llama").u32("llama.block_count", 1);
  builder.array<std::string>("tokenizer.ggml.tokens", kString,
                             {"a", "b",
                              "\xC4\xA0"
                              "c",
                              ""});
  builder.array<float>("tokenizer.ggml.scores", kF32, {0.5F, -1.0F, 0.0F, 2.0F});
  builder.tensor("token_embd.weight", {32, 4}, kTensorQ8_0, 4 * 34);
  builder.tensor("output_norm.weight", {3}, kTensorF32, 12);
  return builder;
}

}  // namespace gguf_test
