// tenon.format/1 for C++ authors: a Format opens a ModelFile.
#pragma once

#include <tenon/dtype.hpp>
#include <tenon/result.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tenon {

/// One opened, fully checked model. Everything it hands out lives as long as it does.
class ModelFile {
 public:
  virtual ~ModelFile() = default;
  virtual uint64_t n_values() const = 0;
  virtual std::pair<std::string_view, tenon_value> value(uint64_t index) const = 0;
  virtual uint64_t n_tensors() const = 0;
  virtual tenon_tensor_info tensor(uint64_t index) const = 0;
  virtual Result<void> read(uint64_t index, uint64_t offset, std::span<std::byte> destination) const = 0;
};

class Format {
 public:
  static constexpr std::string_view kInterface = TENON_FORMAT_INTERFACE;

  virtual ~Format() = default;
  virtual const char* name() const = 0;
  virtual bool recognizes(std::string_view path, std::span<const std::byte> first_bytes) const = 0;
  virtual Result<std::unique_ptr<ModelFile>> open(const std::string& path) const = 0;

  const tenon_format_api* table() {
    table_.self = this;
    table_.name = name();
    return &table_;
  }

 private:
  static const ModelFile& file(void* m) { return *static_cast<const ModelFile*>(m); }

  tenon_format_api table_{
      sizeof(tenon_format_api),
      0,
      nullptr,
      nullptr,
      [](void* self, tenon_str path, const void* bytes, size_t n) noexcept -> int32_t {
        try {
          return static_cast<Format*>(self)->recognizes(view(path), {static_cast<const std::byte*>(bytes), n}) ? 1 : 0;
        } catch (...) {
          return 0;
        }
      },
      [](void* self, tenon_str path, void** model, tenon_status* status) noexcept {
        return guarded(status, [&]() -> Result<void> {
          auto opened = static_cast<Format*>(self)->open(std::string(view(path)));
          if (!opened) return opened.error();
          *model = opened->release();
          return {};
        });
      },
      [](void* m) noexcept { delete static_cast<ModelFile*>(m); },
      [](void* m) noexcept { return file(m).n_values(); },
      [](void* m, uint64_t index, tenon_str* key, tenon_value* value, tenon_status* status) noexcept {
        return guarded(status, [&]() -> Result<void> {
          if (index >= file(m).n_values()) return invalid("value index out of range");
          auto [k, v] = file(m).value(index);
          *key = str(k);
          *value = v;
          return {};
        });
      },
      [](void* m) noexcept { return file(m).n_tensors(); },
      [](void* m, uint64_t index, tenon_tensor_info* info, tenon_status* status) noexcept {
        return guarded(status, [&]() -> Result<void> {
          if (index >= file(m).n_tensors()) return invalid("tensor index out of range");
          *info = file(m).tensor(index);
          return {};
        });
      },
      [](void* m, uint64_t index, uint64_t offset, void* destination, uint64_t n, tenon_status* status) noexcept {
        return guarded(status, [&]() -> Result<void> {
          if (index >= file(m).n_tensors()) return invalid("tensor index out of range");
          return file(m).read(index, offset, {static_cast<std::byte*>(destination), static_cast<size_t>(n)});
        });
      }};
};

}  // namespace tenon
