// A model as a folder: config.json, tokenizer.json, and one or more safetensors files.
#pragma once

#include "folder.hpp"
#include "header.hpp"
#include "values.hpp"

#include <tenon/format.hpp>

#include <memory>
#include <unordered_map>

namespace tenon::safetensors {

class Model final : public ModelFile {
 public:
  /// `path`: the folder, one of its safetensors files, or their index.
  static Result<std::unique_ptr<ModelFile>> open(const std::string& path);

  uint64_t n_values() const override { return values_.size(); }
  std::pair<std::string_view, tenon_value> value(uint64_t index) const override { return values_.at(index); }
  uint64_t n_tensors() const override { return tensors_.size(); }
  tenon_tensor_info tensor(uint64_t index) const override;
  Result<void> read(uint64_t index, uint64_t offset, std::span<std::byte> destination) const override;

 private:
  /// A tensor of the files, or two that are the codes and scales of one in MXFP4.
  struct Place {
    std::string name;
    tenon_tensor tensor;
    uint64_t bytes;
    size_t shard;
    uint64_t begin;  // in its file
    size_t scales_shard = 0;
    uint64_t scales_begin = 0;
  };
  struct Shard {
    std::string name;
    formats::File file;
    std::vector<Entry> entries;
  };

  explicit Model(Folder folder) : folder_(std::move(folder)) {}
  Result<void> read_files(const std::string& single_file);
  Result<void> read_shard(const std::string& name);
  Result<void> read_index(const Json& index);
  Result<void> list_tensors();
  Result<void> add_place(const Entry& entry, size_t shard);
  Result<void> add_pair(const Entry& codes, size_t shard, std::string_view name);
  Result<void> read_joined(const Place& place, uint64_t offset, std::span<std::byte> destination) const;

  struct Found {
    size_t shard;
    const Entry* entry;
  };

  Folder folder_;
  Values values_;
  std::vector<Shard> shards_;
  std::unordered_map<std::string_view, Found> by_name_;
  std::vector<Place> tensors_;
};

}  // namespace tenon::safetensors
