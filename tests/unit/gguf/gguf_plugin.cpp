#include "gguf_plugin.hpp"

#include <dlfcn.h>
#include <stdlib.h>
#include <catch2/catch.hpp>

#include <fstream>
#include <stdexcept>

namespace gguf_test {
namespace {

class LoadedPlugin {
 public:
  LoadedPlugin() {
    void* library = ::dlopen(TENON_TEST_PLUGINS "/gguf.so", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(::dlerror());
    plugin_ = static_cast<const tenon_plugin*>(::dlsym(library, TENON_PLUGIN_SYMBOL));
    if (plugin_ == nullptr) throw std::runtime_error("gguf.so exports no plug-in");
    tenon_host host{};
    host.size = sizeof host;
    host.abi_major = TENON_ABI_MAJOR;
    host.abi_minor = TENON_ABI_MINOR;
    const tenon_options options{};
    tenon_status status = tenon::empty_status();
    if (plugin_->init(&host, &options, &instance_, &status) != TENON_OK ||
        plugin_->get_interface(instance_, TENON_FORMAT_INTERFACE, &table_, &status) != TENON_OK) {
      throw std::runtime_error(status.message);
    }
  }
  LoadedPlugin(const LoadedPlugin&) = delete;
  LoadedPlugin& operator=(const LoadedPlugin&) = delete;
  ~LoadedPlugin() { plugin_->shutdown(instance_); }

  const tenon_format_api& format() const { return *static_cast<const tenon_format_api*>(table_); }

 private:
  const tenon_plugin* plugin_ = nullptr;
  void* instance_ = nullptr;
  const void* table_ = nullptr;
};

}  // namespace

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "tenon-gguf-XXXXXX").string();
  REQUIRE(::mkdtemp(name.data()) != nullptr);
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Folder::write(std::string_view name, std::string_view bytes) const {
  const std::string file = path(name);
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  REQUIRE(out.good());
  return file;
}

OpenedModel::OpenedModel(const tenon_format_api& api, const std::string& path) : api_(api) {
  tenon_status status = tenon::empty_status();
  code_ = api.open(api.self, tenon::str(path), &model_, &status);
  if (code_ != TENON_OK) message_ = status.message;
}

OpenedModel::~OpenedModel() {
  if (code_ == TENON_OK) api_.close(model_);
}

std::pair<std::string, tenon_value> OpenedModel::value(uint64_t index) const {
  tenon_status status = tenon::empty_status();
  tenon_str key{};
  tenon_value value{};
  REQUIRE(api_.value(model_, index, &key, &value, &status) == TENON_OK);
  return {std::string(tenon::view(key)), value};
}

tenon_value OpenedModel::value(std::string_view key) const {
  for (uint64_t i = 0; i < n_values(); ++i) {
    const auto [name, found] = value(i);
    if (name == key) return found;
  }
  return {};
}

tenon_tensor_info OpenedModel::tensor(uint64_t index) const {
  tenon_status status = tenon::empty_status();
  tenon_tensor_info info{};
  info.size = sizeof info;
  REQUIRE(api_.tensor(model_, index, &info, &status) == TENON_OK);
  return info;
}

uint64_t OpenedModel::index_of(std::string_view name) const {
  for (uint64_t i = 0; i < n_tensors(); ++i) {
    if (tenon::view(tensor(i).name) == name) return i;
  }
  FAIL("no tensor " << name);
  return 0;
}

tenon::Result<void> OpenedModel::read(uint64_t index, uint64_t offset, void* destination, uint64_t n_bytes) const {
  tenon_status status = tenon::empty_status();
  const tenon_code code = api_.read(model_, index, offset, destination, n_bytes, &status);
  return tenon::from_status(code, status);
}

std::string OpenedModel::bytes(uint64_t index) const {
  std::string data(static_cast<size_t>(tensor(index).bytes), '\0');
  auto result = read(index, 0, data.data(), data.size());
  INFO(result.error().message);
  REQUIRE(result);
  return data;
}

const tenon_format_api& gguf_format() {
  static const LoadedPlugin plugin;
  return plugin.format();
}

std::string refusal(const std::string& path) {
  const OpenedModel model(gguf_format(), path);
  const std::string& message = model.message();
  const std::string prefix = path + ": ";
  return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
}

std::string refusal_of(std::string_view bytes) {
  const Folder folder;
  return refusal(folder.write("m.gguf", bytes));
}

}  // namespace gguf_test
