// tenon.tokenizer/1 for C++ authors: a TokenizerKind accepts a vocabulary and makes a Tokenizer.
#pragma once

#include <tenon/meta.hpp>
#include <tenon/result.hpp>

#include <memory>
#include <span>
#include <string_view>

namespace tenon {

/// Immutable: every method may be called from any thread at any time.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;
  virtual tenon_vocab_info info() const = 0;
  virtual std::span<const int32_t> stop_ids() const = 0;
  virtual Result<void> encode(std::string_view text, std::span<const tenon_range> special_ranges,
                              const tenon_sink& ids) const = 0;
  virtual Result<void> token_bytes(int32_t id, uint64_t position, bool with_special, const tenon_sink& text) const = 0;
  virtual int32_t token_type(int32_t id) const = 0;
  virtual int32_t find(std::string_view text) const = 0;
};

class TokenizerKind {
 public:
  static constexpr std::string_view kInterface = TENON_TOKENIZER_INTERFACE;

  virtual ~TokenizerKind() = default;
  virtual const char* name() const = 0;
  /// An error with TENON_UNSUPPORTED and the reason where this kind is not meant for the vocabulary.
  virtual Result<void> accepts(const Meta& meta) const = 0;
  virtual Result<std::unique_ptr<Tokenizer>> create(const Meta& meta) const = 0;

  const tenon_tokenizer_api* table() {
    table_.self = this;
    table_.name = name();
    return &table_;
  }

 private:
  static const Tokenizer& tokenizer(void* t) { return *static_cast<const Tokenizer*>(t); }

  tenon_tokenizer_api table_{
      sizeof(tenon_tokenizer_api),
      0,
      nullptr,
      nullptr,
      [](void* self, const tenon_meta* meta, tenon_status* status) noexcept {
        return guarded(status, [&] { return static_cast<TokenizerKind*>(self)->accepts(Meta(*meta)); });
      },
      [](void* self, const tenon_meta* meta, void** made, tenon_status* status) noexcept {
        return guarded(status, [&]() -> Result<void> {
          auto result = static_cast<TokenizerKind*>(self)->create(Meta(*meta));
          if (!result) return result.error();
          *made = result->release();
          return {};
        });
      },
      [](void* t) noexcept { delete static_cast<Tokenizer*>(t); },
      [](void* t, tenon_vocab_info* info, tenon_status*) noexcept -> tenon_code {
        *info = tokenizer(t).info();
        return TENON_OK;
      },
      [](void* t, tenon_sink* sink, tenon_status* status) noexcept {
        return guarded(status, [&] {
          const auto ids = tokenizer(t).stop_ids();
          return append(*sink, ids.data(), ids.size());
        });
      },
      [](void* t, tenon_str text, const tenon_range* ranges, size_t n, tenon_sink* sink,
         tenon_status* status) noexcept {
        return guarded(status, [&] { return tokenizer(t).encode(view(text), {ranges, n}, *sink); });
      },
      [](void* t, int32_t id, uint64_t position, int32_t with_special, tenon_sink* sink,
         tenon_status* status) noexcept {
        return guarded(status, [&] { return tokenizer(t).token_bytes(id, position, with_special != 0, *sink); });
      },
      [](void* t, int32_t id) noexcept { return tokenizer(t).token_type(id); },
      [](void* t, tenon_str text) noexcept { return tokenizer(t).find(view(text)); }};
};

}  // namespace tenon
