// A model file opened through whichever format plug-in recognises it.
#pragma once

#include <tenon/dtype.hpp>
#include <tenon/registry/registry.hpp>
#include <tenon/result.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tenon {

/// Metadata and the list of tensors in memory; tensor data stays in the file until read. Immutable.
class ModelSource {
 public:
  struct Tensor {
    std::string name;
    tenon_tensor shape;
    uint64_t bytes;
    uint64_t index;  // for the format plug-in
  };

  /// Errors: the file cannot be opened, no loaded format recognises it (they are listed), or the format refuses it.
  static Result<ModelSource> open(std::span<const Offer<tenon_format_api>> formats, const std::filesystem::path& path);

  const std::string& format() const { return format_; }
  const std::filesystem::path& path() const { return path_; }

  /// nullptr where the key is absent.
  const tenon_value* find(std::string_view key) const;
  std::optional<std::string_view> text(std::string_view key) const;
  std::span<const std::pair<std::string, tenon_value>> values() const { return values_; }
  std::span<const Tensor> tensors() const { return tensors_; }
  const Tensor* tensor(std::string_view name) const;
  /// `destination` has tensor.bytes bytes.
  Result<void> read(const Tensor& tensor, std::span<std::byte> destination) const;
  /// Lent to tokenizers; valid as long as this object stays where it is.
  tenon_meta meta() const;

 private:
  struct Close {
    const tenon_format_api* api;
    void operator()(void* model) const { api->close(model); }
  };

  ModelSource(const tenon_format_api& api, std::filesystem::path path, void* model);
  Result<void> take_contents();

  const tenon_format_api* api_;
  std::filesystem::path path_;
  std::string format_;
  std::unique_ptr<void, Close> model_;
  std::vector<std::pair<std::string, tenon_value>> values_;
  std::vector<Tensor> tensors_;
  std::unordered_map<std::string_view, size_t> value_index_;
  std::unordered_map<std::string_view, size_t> tensor_index_;
};

}  // namespace tenon
