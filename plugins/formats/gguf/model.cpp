#include "model.hpp"

#include <files/message.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <unordered_map>

namespace tenon::gguf {

using formats::in_context;
using formats::quoted;
using formats::shown;

Result<std::unique_ptr<ModelFile>> Model::open(const std::string& path) {
  std::unique_ptr<Model> model(new Model(path));
  auto read = model->read_files();
  if (!read) return in_context(shown(path), read.error());
  return std::unique_ptr<ModelFile>(std::move(model));
}

Result<void> Model::read_files() {
  auto first = read_shard(path_, arena_);
  if (!first) return first.error();
  shards_.push_back(*std::move(first));
  names_.emplace_back(file_name(path_));
  auto split = split_of(shards_.front().values);
  if (!split) return split.error();
  if (split->count > 1) {
    auto read = read_other_files(*split);
    if (!read) return read;
  }
  return list_tensors(*split);
}

Result<void> Model::read_other_files(const Split& split) {
  auto first = shard_path(path_, split, 0);
  if (!first) return first.error();
  if (split.number != 0) {
    return invalid(fmt::format("file {} of {} of a split model: open the first, {}", split.number + 1, split.count,
                               shown(file_name(*first))));
  }
  for (uint64_t i = 1; i < split.count; ++i) {
    auto path = shard_path(path_, split, i);
    if (!path) return path.error();
    const std::string context = fmt::format("file {} of {}, {}", i + 1, split.count, shown(file_name(*path)));
    auto shard = read_shard(*path, arena_);
    if (!shard && !std::filesystem::exists(*path)) {
      return invalid(fmt::format("{} is missing: all files of a split model must be in one folder", context));
    }
    if (!shard) return in_context(context, shard.error());
    auto own = split_of(shard->values);
    if (!own) return in_context(context, own.error());
    if (own->number != i || own->count != split.count) {
      return in_context(context, invalid(fmt::format("its keys say 'split.no' {} and 'split.count' {}, expected {} and "
                                                     "{}: it belongs to another model or place",
                                                     own->number, own->count, i, split.count)));
    }
    shards_.push_back(*std::move(shard));
    names_.emplace_back(file_name(*path));
  }
  return {};
}

Result<void> Model::list_tensors(const Split& split) {
  std::unordered_map<std::string_view, uint32_t> seen;
  for (uint32_t s = 0; s < shards_.size(); ++s) {
    for (uint32_t t = 0; t < shards_[s].tensors.size(); ++t) {
      const std::string_view name = shards_[s].tensors[t].name;
      const auto [first, is_new] = shards_.size() > 1 ? seen.emplace(name, s) : std::pair{seen.end(), true};
      if (!is_new) {
        return invalid(
            fmt::format("tensor {} is in {} and in {}", quoted(name), shown(names_[first->second]), shown(names_[s])));
      }
      places_.push_back({s, t});
    }
  }
  if (split.n_tensors != 0 && split.n_tensors != places_.size()) {
    return invalid(fmt::format("key 'split.tensors.count' is {}, but the {} files have {} tensors", split.n_tensors,
                               split.count, places_.size()));
  }
  return {};
}

std::pair<std::string_view, tenon_value> Model::value(uint64_t index) const {
  const KeyValue& pair = shards_.front().values[static_cast<size_t>(index)];
  return {pair.key, pair.value};
}

tenon_tensor_info Model::tensor(uint64_t index) const {
  const TensorEntry& e = entry(places_[static_cast<size_t>(index)]);
  return {sizeof(tenon_tensor_info), 0, str(e.name), e.tensor, e.bytes};
}

Result<void> Model::read(uint64_t index, uint64_t offset, std::span<std::byte> destination) const {
  const Place place = places_[static_cast<size_t>(index)];
  const TensorEntry& e = entry(place);
  if (offset > e.bytes || destination.size() > e.bytes - offset) {
    return invalid(fmt::format("tensor {}: bytes {} + {} asked for, it has {}", quoted(e.name), offset,
                               destination.size(), e.bytes));
  }
  const Shard& shard = shards_[place.shard];
  auto read = shard.file.read(shard.data_start + e.offset + offset, destination);
  if (!read) {
    return in_context(fmt::format("{}: tensor {}", shown(names_[place.shard]), quoted(e.name)), read.error());
  }
  return {};
}

}  // namespace tenon::gguf
