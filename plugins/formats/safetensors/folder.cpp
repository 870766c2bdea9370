#include "folder.hpp"

#include <files/message.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace tenon::safetensors {
namespace {

using formats::in_context;

bool is_inside(const std::filesystem::path& path, const std::filesystem::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

}  // namespace

Result<Folder> Folder::open(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::path real = std::filesystem::canonical(path.empty() ? "." : path, error);
  if (error) return Error{TENON_IO, fmt::format("cannot open the folder: {}", error.message())};
  return Folder(std::move(real));
}

bool Folder::has(std::string_view name) const {
  std::error_code ignored;
  return std::filesystem::exists(path_ / name, ignored);
}

Result<std::filesystem::path> Folder::path_of(std::string_view name) const {
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string_view::npos ||
      name.find('\0') != std::string_view::npos) {
    return invalid(
        fmt::format("{} is no name of a file in the model's folder: paths are refused", formats::quoted(name)));
  }
  std::error_code error;
  const std::filesystem::path path = path_ / name;
  const std::filesystem::path real = std::filesystem::weakly_canonical(path, error);
  if (error) return Error{TENON_IO, fmt::format("{}: {}", formats::quoted(name), error.message())};
  const bool in_cache =
      path_.parent_path().filename() == "snapshots" && is_inside(real, path_.parent_path().parent_path() / "blobs");
  if (is_inside(real, path_) || in_cache) return path;
  return invalid(fmt::format("{} leads out of the model's folder, to {}: links that leave it are refused",
                             formats::quoted(name), formats::shown(real.native())));
}

Result<std::optional<std::string>> Folder::read_text(std::string_view name, uint64_t max_bytes) const {
  if (!has(name)) return std::optional<std::string>();
  auto path = path_of(name);
  if (!path) return path.error();
  auto file = formats::File::open(path->native(), "a text file");
  if (!file) return in_context(name, file.error());
  if (file->size() > max_bytes) {
    return invalid(fmt::format("{}: {} bytes, at most {} are taken", name, file->size(), max_bytes));
  }
  std::string text(static_cast<size_t>(file->size()), '\0');
  auto read = file->read(0, std::as_writable_bytes(std::span(text)));
  if (!read) return in_context(name, read.error());
  return std::optional(std::move(text));
}

Result<std::optional<Json>> Folder::read_json(std::string_view name, uint64_t max_bytes) const {
  auto text = read_text(name, max_bytes);
  if (!text) return text.error();
  if (!*text) return std::optional<Json>();
  auto json = parse_json(**text);
  if (!json) return in_context(name, json.error());
  if (!json->is(Json::Kind::map)) return invalid(fmt::format("{}: expected a JSON object", name));
  return std::optional(*std::move(json));
}

std::vector<std::string> Folder::files_ending_in(std::string_view ending) const {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(path_, ignored)) {
    std::string name = entry.path().filename().native();
    if (name.ends_with(ending)) names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace tenon::safetensors
