// The gguf plug-in as a host sees it, and a folder for its files.
#pragma once

#include <tenon/result.hpp>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gguf_test {

/// A new folder under the system's folder for temporary files; removed at the end.
class Folder {
 public:
  Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();
  /// Writes the file and returns its path.
  std::string write(std::string_view name, std::string_view bytes) const;
  std::string path(std::string_view name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

class OpenedModel {
 public:
  OpenedModel(const tenon_format_api& api, const std::string& path);
  OpenedModel(const OpenedModel&) = delete;
  OpenedModel& operator=(const OpenedModel&) = delete;
  ~OpenedModel();

  tenon_code code() const { return code_; }
  const std::string& message() const { return message_; }
  uint64_t n_values() const { return api_.n_values(model_); }
  uint64_t n_tensors() const { return api_.n_tensors(model_); }
  std::pair<std::string, tenon_value> value(uint64_t index) const;
  /// Of type TENON_VALUE_NONE where the key is absent.
  tenon_value value(std::string_view key) const;
  tenon_tensor_info tensor(uint64_t index) const;
  uint64_t index_of(std::string_view tensor) const;
  tenon::Result<void> read(uint64_t index, uint64_t offset, void* destination, uint64_t n_bytes) const;
  std::string bytes(uint64_t index) const;

 private:
  const tenon_format_api& api_;
  void* model_ = nullptr;
  tenon_code code_;
  std::string message_;
};

/// Loaded once, never unloaded.
const tenon_format_api& gguf_format();

/// The message of a refused file, which the caller expects to start with its path: without "PATH: ". Otherwise the
/// whole message, "" where the file was accepted.
std::string refusal(const std::string& path);
/// Of a file with these bytes.
std::string refusal_of(std::string_view bytes);

}  // namespace gguf_test
