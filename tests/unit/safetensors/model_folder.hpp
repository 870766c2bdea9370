// A model's folder in the temporary folder of the machine, and what the safetensors plug-in says of it.
#pragma once

#include <tenon/model/source.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace safetensors_test {

/// One file: `header` as JSON, then `data`. The length in front is the header's own unless given.
std::string safetensors(std::string_view header, std::string_view data, std::optional<uint64_t> length = std::nullopt);

class ModelFolder {
 public:
  ModelFolder();
  ~ModelFolder();
  ModelFolder(const ModelFolder&) = delete;
  ModelFolder& operator=(const ModelFolder&) = delete;

  std::filesystem::path path(std::string_view name = "") const { return name.empty() ? path_ : path_ / name; }
  /// With a config.json where there is none.
  ModelFolder& write(std::string_view name, std::string_view bytes);
  tenon::Result<tenon::ModelSource> open(std::string_view name = "") const;
  /// The refusal without the path in front; "" where it opens.
  std::string refusal(std::string_view name = "") const;

 private:
  std::filesystem::path path_;
};

/// The refusal of a folder with this one file.
std::string refusal_of(std::string_view file);

}  // namespace safetensors_test
