// The answers of a batch: JSON lines, appended one by one, so that a run that was cut off can go on.
#pragma once

#include <tenon/result.hpp>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace tenon::cli {

class AnswerFile {
 public:
  /// Opens or makes the file and reads the ids of its lines. An incomplete last line is dropped. Errors: a line that is
  /// no answer (so that no other file is written into), or another run that writes to it.
  static Result<AnswerFile> open(const std::filesystem::path& path);

  AnswerFile(AnswerFile&& other) noexcept;
  AnswerFile& operator=(AnswerFile&&) = delete;
  ~AnswerFile();

  /// Whether the id has an answer; what failed has none and is tried again.
  bool has(const nlohmann::json& id) const { return ids_.contains(id.dump()); }
  /// Whether the last line of the id says this error already.
  bool has_error(const nlohmann::json& id, const std::string& message) const {
    const auto found = errors_.find(id.dump());
    return found != errors_.end() && found->second == message;
  }
  size_t size() const { return ids_.size(); }
  /// Writes the line at once and whole.
  Result<void> append(const nlohmann::json& answer);

 private:
  AnswerFile(int descriptor, std::filesystem::path path) : descriptor_(descriptor), path_(std::move(path)) {}
  Result<void> read_ids();
  void remember(const nlohmann::json& answer);

  int descriptor_;
  std::filesystem::path path_;
  std::unordered_set<std::string> ids_;
  std::unordered_map<std::string, std::string> errors_;  // by id, of those without an answer
};

}  // namespace tenon::cli
