// A tokenizer plug-in as a host sees it, and metadata to load a vocabulary from. TENON_TEST_TOKENIZER names the
// plug-in.
#pragma once

#include <tenon/result.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tokenizer_test {

/// Model metadata that a test builds: owns all it gives out.
class Metadata {
 public:
  void set(const std::string& key, std::string_view text);
  void set(const std::string& key, const char* text) { set(key, std::string_view(text)); }
  void set(const std::string& key, int64_t number);
  void set(const std::string& key, int number) { set(key, int64_t{number}); }
  void set(const std::string& key, bool flag);
  void set(const std::string& key, std::vector<std::string> texts);
  void set(const std::string& key, std::vector<int64_t> numbers);
  void set(const std::string& key, std::vector<double> numbers);
  void erase(const std::string& key) { values_.erase(key); }
  tenon_meta view() const;

 private:
  struct Value {
    tenon_value value{};
    std::vector<std::string> texts;
    std::vector<tenon_str> strings;
    std::vector<int64_t> numbers;
    std::vector<double> floats;
  };
  Value& fresh(const std::string& key, uint32_t type);
  std::map<std::string, std::unique_ptr<Value>, std::less<>> values_;
};

/// A GGUF file read through the gguf plug-in; throws std::runtime_error.
class GgufMetadata {
 public:
  explicit GgufMetadata(const std::string& path);
  GgufMetadata(const GgufMetadata&) = delete;
  GgufMetadata& operator=(const GgufMetadata&) = delete;
  ~GgufMetadata();
  tenon_meta view() const;

 private:
  const tenon_format_api& api_;
  void* model_ = nullptr;
  std::map<std::string, tenon_value, std::less<>> values_;
};

/// Loaded once, never unloaded; throws std::runtime_error.
const tenon_tokenizer_api& tokenizer_plugin();

/// A vocabulary that is expected to load; throws std::runtime_error with the message where it does not.
class Loaded {
 public:
  explicit Loaded(const tenon_meta& meta);
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
  ~Loaded() { tokenizer_plugin().destroy(tokenizer_); }

  /// No control tokens.
  std::vector<int32_t> encode(std::string_view text) const { return encode(text, {}); }
  std::vector<int32_t> encode(std::string_view text, const std::vector<tenon_range>& special_ranges) const;
  std::string decode(const std::vector<int32_t>& ids, bool with_special = false) const;
  tenon_vocab_info info() const;
  std::vector<int32_t> stop_ids() const;
  int32_t find(std::string_view text) const { return tokenizer_plugin().find(tokenizer_, tenon::str(text)); }
  int32_t token_type(int32_t id) const { return tokenizer_plugin().token_type(tokenizer_, id); }
  void* handle() const { return tokenizer_; }

 private:
  void* tokenizer_ = nullptr;
};

/// The message with which a vocabulary is refused; "" where it loads.
std::string refusal(const Metadata& metadata);

}  // namespace tokenizer_test
