// The files of a model's folder, by name. Nothing outside it is read: names with a path and links that lead out are
// refused.
#pragma once

#include "json.hpp"

#include <files/file.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace tenon::safetensors {

class Folder {
 public:
  /// The folder's real path. Errors: TENON_IO.
  static Result<Folder> open(const std::filesystem::path& path);

  bool has(std::string_view name) const;
  /// Whole path of a file; TENON_INVALID where `name` is a path or leads out of the folder. Links into `../../blobs`
  /// are followed from a folder in `snapshots`: that is how the Hugging Face cache keeps a model.
  Result<std::filesystem::path> path_of(std::string_view name) const;
  /// nullopt where there is no such file. Errors name the file.
  Result<std::optional<std::string>> read_text(std::string_view name, uint64_t max_bytes) const;
  Result<std::optional<Json>> read_json(std::string_view name, uint64_t max_bytes) const;
  /// Names of files with this ending, sorted.
  std::vector<std::string> files_ending_in(std::string_view ending) const;

 private:
  explicit Folder(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;
};

}  // namespace tenon::safetensors
