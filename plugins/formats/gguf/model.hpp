// An opened GGUF model: the metadata of its first file, the tensors of all its files.
#pragma once

#include "shard.hpp"
#include "split.hpp"

#include <tenon/format.hpp>

#include <memory>
#include <string>
#include <vector>

namespace tenon::gguf {

class Model final : public ModelFile {
 public:
  /// `path`: the only or the first file. Errors name the file.
  static Result<std::unique_ptr<ModelFile>> open(const std::string& path);

  uint64_t n_values() const override { return shards_.front().values.size(); }
  std::pair<std::string_view, tenon_value> value(uint64_t index) const override;
  uint64_t n_tensors() const override { return places_.size(); }
  tenon_tensor_info tensor(uint64_t index) const override;
  /// Any thread, any number at a time.
  Result<void> read(uint64_t index, uint64_t offset, std::span<std::byte> destination) const override;

 private:
  struct Place {
    uint32_t shard, entry;  // indices
  };

  explicit Model(std::string path) : path_(std::move(path)) {}
  Result<void> read_files();
  Result<void> read_other_files(const Split& split);
  Result<void> list_tensors(const Split& split);
  const TensorEntry& entry(const Place& place) const { return shards_[place.shard].tensors[place.entry]; }

  std::string path_;
  Arena arena_{uint64_t{1} << 30};  // 1 GiB: a vocabulary of 256k tokens with its merges takes about 30 MB
  std::vector<Shard> shards_;
  std::vector<std::string> names_;  // file names of the shards
  std::vector<Place> places_;       // in the order of the files
};

}  // namespace tenon::gguf
