// A model made in memory: metadata and tensors of f32, f16 or bf16, opened through a format of the test's own.
#pragma once

#include <tenon/convert.hpp>
#include <tenon/format.hpp>
#include <tenon/model/graph.hpp>
#include <tenon/model/recipe.hpp>
#include <tenon/model/source.hpp>

#include <catch2/catch.hpp>

#include <cstring>
#include <map>

namespace tenon::test {

struct FakeTensor {
  std::string name;
  std::vector<int64_t> dims;
  std::vector<float> values = {};  // counts up from 0 where there are none
  uint32_t dtype = TENON_F32;
};

struct FakeContents {
  std::map<std::string, double> numbers;
  std::map<std::string, std::string> texts;
  std::map<std::string, std::vector<double>> lists;
  std::map<std::string, std::vector<std::string>> text_lists;
  std::vector<FakeTensor> tensors;
};

class FakeFile final : public ModelFile {
 public:
  explicit FakeFile(const FakeContents& contents) {
    tenon_value value{};
    value.type = TENON_VALUE_FLOAT;
    for (const auto& [key, number] : contents.numbers) {
      value.f = number;
      values_.emplace_back(key, value);
    }
    value.type = TENON_VALUE_STRING;
    for (const auto& [key, text] : contents.texts) {
      value.s = str(text);
      values_.emplace_back(key, value);
    }
    value.type = TENON_VALUE_ARRAY;
    value.element_type = TENON_VALUE_FLOAT;
    for (const auto& [key, list] : contents.lists) {
      value.count = list.size();
      value.numbers = list.data();
      values_.emplace_back(key, value);
    }
    value.element_type = TENON_VALUE_STRING;
    for (const auto& [key, list] : contents.text_lists) {
      auto& strings = strings_.emplace_back();
      for (const std::string& text : list) strings.push_back(str(text));
      value.count = strings.size();
      value.strings = strings.data();
      values_.emplace_back(key, value);
    }
    for (const FakeTensor& tensor : contents.tensors) add(tensor);
  }
  uint64_t n_values() const override { return values_.size(); }
  std::pair<std::string_view, tenon_value> value(uint64_t i) const override { return values_[i]; }
  uint64_t n_tensors() const override { return tensors_.size(); }
  tenon_tensor_info tensor(uint64_t i) const override {
    return {sizeof(tenon_tensor_info), 0, str(tensors_[i].name), tensors_[i].shape, tensors_[i].data.size()};
  }
  Result<void> read(uint64_t i, uint64_t offset, std::span<std::byte> destination) const override {
    std::memcpy(destination.data(), tensors_[i].data.data() + offset, destination.size());
    return {};
  }

 private:
  struct Tensor {
    std::string name;
    tenon_tensor shape{};
    std::string data = {};
  };

  void add(const FakeTensor& from) {
    Tensor tensor{from.name};
    tensor.shape.dtype = from.dtype;
    tensor.shape.rank = static_cast<uint32_t>(from.dims.size());
    int64_t n = 1;
    for (size_t i = 0; i < from.dims.size(); ++i) n *= tensor.shape.dims[i] = from.dims[i];
    for (int64_t i = 0; i < n; ++i) {
      const float x = from.values.empty() ? static_cast<float>(i) : from.values[static_cast<size_t>(i)];
      const uint16_t half = from.dtype == TENON_F16 ? f32_to_f16(x) : f32_to_bf16(x);
      if (from.dtype == TENON_F32) {
        tensor.data.append(reinterpret_cast<const char*>(&x), sizeof x);
      } else {
        tensor.data.append(reinterpret_cast<const char*>(&half), sizeof half);
      }
    }
    tensors_.push_back(std::move(tensor));
  }

  std::vector<std::pair<std::string, tenon_value>> values_;
  std::vector<std::vector<tenon_str>> strings_;
  std::vector<Tensor> tensors_;
};

class FakeFormat final : public Format {
 public:
  explicit FakeFormat(FakeContents contents) : contents_(std::move(contents)) {}
  const char* name() const override { return "fake"; }
  bool recognizes(std::string_view, std::span<const std::byte>) const override { return true; }
  Result<std::unique_ptr<ModelFile>> open(const std::string&) const override {
    return std::unique_ptr<ModelFile>(std::make_unique<FakeFile>(contents_));
  }

 private:
  FakeContents contents_;
};

/// A format with one model, and that model opened.
class FakeModel {
 public:
  explicit FakeModel(FakeContents contents) : format_(std::move(contents)), source_(opened(format_)) {}
  const ModelSource& source() const { return source_; }

 private:
  static ModelSource opened(FakeFormat& format) {
    const std::vector<Offer<tenon_format_api>> offers{{"fake", format.table()}};
    auto source = ModelSource::open(offers, std::filesystem::temp_directory_path());
    if (!source) FAIL(source.error().message);
    return std::move(*source);
  }
  FakeFormat format_;
  ModelSource source_;
};

}  // namespace tenon::test
