#include "model_folder.hpp"

#include <tenon/base/log.hpp>

#include <stdlib.h>
#include <catch2/catch.hpp>

#include <cstring>
#include <fstream>

namespace safetensors_test {
namespace {

const tenon::Registry& registry() {
  static const tenon::Registry opened = [] {
    tenon::PluginUse use;
    use.use = TENON_TEST_PLUGINS "/safetensors.so";
    auto result = tenon::Registry::open({{}, {use}, true}, tenon::silent_log());
    if (!result) throw std::runtime_error(result.error().message);
    return std::move(*result);
  }();
  return opened;
}

}  // namespace

std::string safetensors(std::string_view header, std::string_view data, std::optional<uint64_t> length) {
  const uint64_t n = length.value_or(header.size());
  std::string file(sizeof n, '\0');
  std::memcpy(file.data(), &n, sizeof n);
  return file.append(header).append(data);
}

ModelFolder::ModelFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "tenon-safetensors-XXXXXX").string();
  REQUIRE(::mkdtemp(name.data()) != nullptr);
  path_ = name;
  write("config.json", R"({"model_type": "m"})");
}

ModelFolder::~ModelFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

ModelFolder& ModelFolder::write(std::string_view name, std::string_view bytes) {
  std::ofstream out(path_ / name, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  REQUIRE(out.good());
  return *this;
}

tenon::Result<tenon::ModelSource> ModelFolder::open(std::string_view name) const {
  return tenon::ModelSource::open(registry().formats(), path(name));
}

std::string ModelFolder::refusal(std::string_view name) const {
  const auto model = open(name);
  if (model) return "";
  const std::string& message = model.error().message;
  const std::string front = path(name).string() + ": ";
  return message.starts_with(front) ? message.substr(front.size()) : message;
}

std::string refusal_of(std::string_view file) {
  ModelFolder folder;
  folder.write("model.safetensors", file);
  return folder.refusal();
}

}  // namespace safetensors_test
