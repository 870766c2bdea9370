#include "model.hpp"

#include "mxfp4.hpp"
#include "tokenizer_json.hpp"

#include <files/message.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tenon::safetensors {
namespace {

using formats::in_context;
using formats::shown;

constexpr uint64_t kMaxConfigBytes = uint64_t{1} << 24;
constexpr uint64_t kMaxIndexBytes = uint64_t{1} << 27;
constexpr size_t kMaxShards = 65535;
constexpr std::string_view kIndex = "model.safetensors.index.json";
constexpr std::string_view kWhole = "model.safetensors";
constexpr std::string_view kEnding = ".safetensors";
constexpr std::string_view kCodes = "_blocks", kScales = "_scales";
constexpr uint64_t kBlockBytes = sizeof(BlockMXFP4);

}  // namespace

Result<std::unique_ptr<ModelFile>> Model::open(const std::string& path) {
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(path, ignored);
  const std::filesystem::path whole(path);
  auto folder = Folder::open(is_folder ? whole : whole.parent_path());
  if (!folder) return in_context(shown(path), folder.error());
  std::unique_ptr<Model> model(new Model(*std::move(folder)));
  const std::string name = is_folder || !path.ends_with(kEnding) ? "" : whole.filename().native();
  auto read = model->read_files(name);
  if (!read) return in_context(shown(path), read.error());
  return std::unique_ptr<ModelFile>(std::move(model));
}

Result<void> Model::read_files(const std::string& single_file) {
  auto config = folder_.read_json("config.json", kMaxConfigBytes);
  if (!config) return config.error();
  if (!*config) return invalid("config.json is missing beside the tensors: download the whole folder of the model");
  auto index = folder_.read_json(kIndex, kMaxIndexBytes);
  if (!index) return index.error();
  if (*index) {
    auto read = read_index(**index);
    if (!read) return in_context(kIndex, read.error());
  } else {
    std::string name = single_file;
    if (name.empty()) {
      const std::vector<std::string> names = folder_.files_ending_in(kEnding);
      const bool has_whole = std::ranges::find(names, kWhole) != names.end();
      if (!has_whole && names.size() != 1) {
        return invalid(fmt::format("{} is missing, and there are {} other files that end in {}: name one of them",
                                   kWhole, names.size(), kEnding));
      }
      name = has_whole ? std::string(kWhole) : names.front();
    }
    auto read = read_shard(name);
    if (!read) return read;
  }
  auto listed = list_tensors();
  if (!listed) return listed;
  auto tokenizer = add_tokenizer(folder_, **config, values_);
  if (!tokenizer) return tokenizer;
  values_.add("", **config);  // behind the tokenizer's: the first of two equal keys counts
  return {};
}

Result<void> Model::read_shard(const std::string& name) {
  auto path = folder_.path_of(name);
  if (!path) return path.error();
  if (!folder_.has(name))
    return invalid(fmt::format("{} is missing: all files of a model must be in one folder", formats::quoted(name)));
  auto file = formats::File::open(path->native(), "a safetensors file");
  if (!file) return in_context(name, file.error());
  auto entries = read_header(*file);
  if (!entries) return in_context(name, entries.error());
  shards_.push_back({name, *std::move(file), *std::move(entries)});
  return {};
}

Result<void> Model::read_index(const Json& index) {
  const Json* map = index.find("weight_map");
  if (map == nullptr || !map->is(Json::Kind::map)) return invalid("'weight_map' must be a map of tensor: file");
  std::vector<std::string> names;
  for (const auto& [tensor, file] : map->entries) {
    if (!file.is(Json::Kind::text))
      return invalid(fmt::format("the file of tensor {} must be a text", formats::quoted(tensor)));
    names.push_back(file.text);
  }
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  if (names.size() > kMaxShards) {
    return invalid(fmt::format("{} files, at most {} are taken", names.size(), kMaxShards));
  }
  for (const std::string& name : names) {
    auto read = read_shard(name);
    if (!read) return read;
  }
  std::unordered_map<std::string_view, std::string_view> found;
  for (const Shard& shard : shards_) {
    for (const Entry& entry : shard.entries) {
      const auto [first, is_new] = found.emplace(entry.name, shard.name);
      if (!is_new)
        return invalid(
            fmt::format("tensor {} is in {} and in {}", formats::quoted(entry.name), first->second, shard.name));
    }
  }
  for (const auto& [tensor, file] : map->entries) {
    const auto it = found.find(tensor);
    if (it == found.end())
      return invalid(fmt::format("tensor {} is not in {}, where it should be", formats::quoted(tensor),
                                 formats::quoted(file.text)));
    if (it->second != file.text) {
      return invalid(fmt::format("tensor {} is in {}, not in {}", formats::quoted(tensor), it->second,
                                 formats::quoted(file.text)));
    }
    found.erase(it);
  }
  if (found.empty()) return {};
  return invalid(fmt::format("tensor {} of {} is not in 'weight_map'", formats::quoted(found.begin()->first),
                             found.begin()->second));
}

Result<void> Model::list_tensors() {
  for (size_t s = 0; s < shards_.size(); ++s) {
    for (const Entry& entry : shards_[s].entries) by_name_.emplace(entry.name, Found{s, &entry});
  }
  for (size_t s = 0; s < shards_.size(); ++s) {
    for (const Entry& entry : shards_[s].entries) {
      auto added = add_place(entry, s);
      if (!added)
        return in_context(fmt::format("{}: tensor {}", shards_[s].name, formats::quoted(entry.name)), added.error());
    }
  }
  return {};
}

Result<void> Model::add_place(const Entry& entry, size_t shard) {
  if (entry.type->dtype < 0) {
    const std::string_view name = entry.name;
    if (name.ends_with(kCodes)) return add_pair(entry, shard, name.substr(0, name.size() - kCodes.size()));
    const std::string codes =
        std::string(name.substr(0, name.size() - std::min(name.size(), kScales.size()))) + std::string(kCodes);
    if (name.ends_with(kScales) && by_name_.contains(codes)) return {};  // taken with its codes
    return unsupported(fmt::format("dtype {} is read only as MXFP4, in a pair of tensors ending in {} and {}",
                                   entry.type->name, kCodes, kScales));
  }
  Place place{entry.name, {}, entry.end - entry.begin, shard, entry.begin};
  place.tensor.dtype = static_cast<uint32_t>(entry.type->dtype);
  place.tensor.rank = static_cast<uint32_t>(std::max<size_t>(entry.shape.size(), 1));
  place.tensor.dims[0] = 1;  // of a scalar
  std::ranges::transform(entry.shape, place.tensor.dims, [](uint64_t dim) { return static_cast<int64_t>(dim); });
  tensors_.push_back(std::move(place));
  return {};
}

/// codes [.., G, 16] and scales [.., G] are a tensor [.., 32 G].
Result<void> Model::add_pair(const Entry& codes, size_t shard, std::string_view name) {
  const auto found = by_name_.find(std::string(name) + std::string(kScales));
  if (found == by_name_.end()) return invalid(fmt::format("there is no tensor '{}{}' with its scales", name, kScales));
  const Entry& scales = *found->second.entry;
  const std::vector<uint64_t>& shape = codes.shape;
  const bool fits = shape.size() >= 2 && shape.back() == kCodeBytes && scales.type->dtype < 0 &&
                    scales.shape.size() + 1 == shape.size() &&
                    std::equal(scales.shape.begin(), scales.shape.end(), shape.begin());
  if (!fits) {
    return invalid(fmt::format("shape [{}] and scales [{}] of {}, expected [.., G, {}] and [.., G] of U8",
                               fmt::join(shape, ", "), fmt::join(scales.shape, ", "), scales.type->name, kCodeBytes));
  }
  if (by_name_.contains(name)) return invalid(fmt::format("tensor {} is there as well", formats::quoted(name)));
  Place place{std::string(name),   {},          (scales.end - scales.begin) * kBlockBytes, shard, codes.begin,
              found->second.shard, scales.begin};
  place.tensor.dtype = TENON_MXFP4;
  place.tensor.rank = static_cast<uint32_t>(scales.shape.size());
  std::ranges::transform(scales.shape, place.tensor.dims, [](uint64_t dim) { return static_cast<int64_t>(dim); });
  place.tensor.dims[place.tensor.rank - 1] *= 32;
  tensors_.push_back(std::move(place));
  return {};
}

tenon_tensor_info Model::tensor(uint64_t index) const {
  const Place& place = tensors_[static_cast<size_t>(index)];
  return {sizeof(tenon_tensor_info), 0, str(place.name), place.tensor, place.bytes};
}

Result<void> Model::read(uint64_t index, uint64_t offset, std::span<std::byte> destination) const {
  const Place& place = tensors_[static_cast<size_t>(index)];
  if (offset > place.bytes || destination.size() > place.bytes - offset) {
    return invalid(fmt::format("tensor {}: bytes {} + {} asked for, it has {}", formats::quoted(place.name), offset,
                               destination.size(), place.bytes));
  }
  auto read = place.tensor.dtype == TENON_MXFP4 ? read_joined(place, offset, destination)
                                                : shards_[place.shard].file.read(place.begin + offset, destination);
  if (!read)
    return in_context(fmt::format("{}: tensor {}", shards_[place.shard].name, formats::quoted(place.name)),
                      read.error());
  return {};
}

/// Whole blocks are joined piece by piece and the bytes asked for are taken out of them.
Result<void> Model::read_joined(const Place& place, uint64_t offset, std::span<std::byte> destination) const {
  constexpr uint64_t kBlocksAtOnce = 4096;
  std::vector<std::byte> codes, scales, blocks;
  const uint64_t end = offset + destination.size();
  for (uint64_t first = offset / kBlockBytes; first * kBlockBytes < end; first += kBlocksAtOnce) {
    const uint64_t n = std::min(kBlocksAtOnce, (end + kBlockBytes - 1) / kBlockBytes - first);
    codes.resize(n * kCodeBytes);
    scales.resize(n);
    blocks.resize(n * kBlockBytes);
    auto read = shards_[place.shard].file.read(place.begin + first * kCodeBytes, codes);
    if (!read) return read;
    read = shards_[place.scales_shard].file.read(place.scales_begin + first, scales);
    if (!read) return read;
    join_blocks(codes, scales, blocks);
    const uint64_t from = std::max(offset, first * kBlockBytes), to = std::min(end, (first + n) * kBlockBytes);
    std::memcpy(destination.data() + (from - offset), blocks.data() + (from - first * kBlockBytes), to - from);
  }
  return {};
}

}  // namespace tenon::safetensors
