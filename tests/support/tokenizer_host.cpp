#include "tokenizer_host.hpp"

#include <dlfcn.h>

#include <stdexcept>

namespace tokenizer_test {
namespace {

/// A loaded plug-in is never shut down; that the instance stays in reach keeps it from counting as a leak.
struct Plugin {
  void* instance = nullptr;
  const void* table = nullptr;
};

Plugin load(const char* path, const char* interface_id) {
  void* library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(::dlerror());
  const auto* plugin = static_cast<const tenon_plugin*>(::dlsym(library, TENON_PLUGIN_SYMBOL));
  tenon_host host{};
  host.size = sizeof host;
  host.abi_major = TENON_ABI_MAJOR;
  host.abi_minor = TENON_ABI_MINOR;
  const tenon_options options{};
  Plugin loaded;
  tenon_status status = tenon::empty_status();
  if (plugin == nullptr || plugin->init(&host, &options, &loaded.instance, &status) != TENON_OK ||
      plugin->get_interface(loaded.instance, interface_id, &loaded.table, &status) != TENON_OK) {
    throw std::runtime_error(std::string(path) + " does not start");
  }
  return loaded;
}

const tenon_format_api& gguf_plugin() {
  static const Plugin plugin = load(TENON_TEST_PLUGINS "/gguf.so", TENON_FORMAT_INTERFACE);
  return *static_cast<const tenon_format_api*>(plugin.table);
}

void require(tenon_code code, const tenon_status& status) {
  if (code != TENON_OK) throw std::runtime_error(status.message);
}

}  // namespace

const tenon_tokenizer_api& tokenizer_plugin() {
  static const Plugin plugin = load(TENON_TEST_PLUGINS "/" TENON_TEST_TOKENIZER ".so", TENON_TOKENIZER_INTERFACE);
  return *static_cast<const tenon_tokenizer_api*>(plugin.table);
}

// ---- Metadata

Metadata::Value& Metadata::fresh(const std::string& key, uint32_t type) {
  auto& slot = values_[key];
  slot = std::make_unique<Value>();
  slot->value.type = type;
  return *slot;
}

void Metadata::set(const std::string& key, std::string_view text) {
  Value& value = fresh(key, TENON_VALUE_STRING);
  value.texts = {std::string(text)};
  value.value.s = tenon::str(value.texts[0]);
}

void Metadata::set(const std::string& key, int64_t number) { fresh(key, TENON_VALUE_INT).value.i = number; }

void Metadata::set(const std::string& key, bool flag) { fresh(key, TENON_VALUE_BOOL).value.u = flag ? 1 : 0; }

void Metadata::set(const std::string& key, std::vector<std::string> texts) {
  Value& value = fresh(key, TENON_VALUE_ARRAY);
  value.texts = std::move(texts);
  for (const std::string& text : value.texts) value.strings.push_back(tenon::str(text));
  value.value.element_type = TENON_VALUE_STRING;
  value.value.count = value.strings.size();
  value.value.strings = value.strings.data();
}

void Metadata::set(const std::string& key, std::vector<double> numbers) {
  Value& value = fresh(key, TENON_VALUE_ARRAY);
  value.floats = std::move(numbers);
  value.value.element_type = TENON_VALUE_FLOAT;
  value.value.count = value.floats.size();
  value.value.numbers = value.floats.data();
}

void Metadata::set(const std::string& key, std::vector<int64_t> numbers) {
  Value& value = fresh(key, TENON_VALUE_ARRAY);
  value.numbers = std::move(numbers);
  value.value.element_type = TENON_VALUE_INT;
  value.value.count = value.numbers.size();
  value.value.numbers = value.numbers.data();
}

tenon_meta Metadata::view() const {
  return {sizeof(tenon_meta), 0, const_cast<Metadata*>(this),
          [](void* self, tenon_str key, tenon_value* value) -> tenon_code {
            const auto& values = static_cast<const Metadata*>(self)->values_;
            const auto found = values.find(tenon::view(key));
            if (found == values.end()) return TENON_UNSUPPORTED;
            *value = found->second->value;
            return TENON_OK;
          }};
}

// ---- GgufMetadata

GgufMetadata::GgufMetadata(const std::string& path) : api_(gguf_plugin()) {
  tenon_status status = tenon::empty_status();
  require(api_.open(api_.self, tenon::str(path), &model_, &status), status);
  for (uint64_t i = 0; i < api_.n_values(model_); ++i) {
    tenon_str key{};
    tenon_value value{};
    require(api_.value(model_, i, &key, &value, &status), status);
    values_[std::string(tenon::view(key))] = value;
  }
}

GgufMetadata::~GgufMetadata() { api_.close(model_); }

tenon_meta GgufMetadata::view() const {
  return {sizeof(tenon_meta), 0, const_cast<GgufMetadata*>(this),
          [](void* self, tenon_str key, tenon_value* value) -> tenon_code {
            const auto& values = static_cast<const GgufMetadata*>(self)->values_;
            const auto found = values.find(tenon::view(key));
            if (found == values.end()) return TENON_UNSUPPORTED;
            *value = found->second;
            return TENON_OK;
          }};
}

// ---- Loaded

Loaded::Loaded(const tenon_meta& meta) {
  tenon_status status = tenon::empty_status();
  require(tokenizer_plugin().create(tokenizer_plugin().self, &meta, &tokenizer_, &status), status);
}

std::vector<int32_t> Loaded::encode(std::string_view text, const std::vector<tenon_range>& special_ranges) const {
  std::vector<int32_t> ids;
  tenon_sink sink = tenon::sink_to(ids);
  tenon_status status = tenon::empty_status();
  require(tokenizer_plugin().encode(tokenizer_, tenon::str(text), special_ranges.data(), special_ranges.size(), &sink,
                                    &status),
          status);
  return ids;
}

std::string Loaded::decode(const std::vector<int32_t>& ids, bool with_special) const {
  std::string text;
  tenon_sink sink = tenon::sink_to(text);
  tenon_status status = tenon::empty_status();
  for (size_t i = 0; i < ids.size(); ++i) {
    require(tokenizer_plugin().token_bytes(tokenizer_, ids[i], i, with_special ? 1 : 0, &sink, &status), status);
  }
  return text;
}

tenon_vocab_info Loaded::info() const {
  tenon_vocab_info info{};
  info.size = sizeof info;
  tenon_status status = tenon::empty_status();
  require(tokenizer_plugin().info(tokenizer_, &info, &status), status);
  return info;
}

std::vector<int32_t> Loaded::stop_ids() const {
  std::vector<int32_t> ids;
  tenon_sink sink = tenon::sink_to(ids);
  tenon_status status = tenon::empty_status();
  require(tokenizer_plugin().stop_ids(tokenizer_, &sink, &status), status);
  return ids;
}

std::string refusal(const Metadata& metadata) {
  const tenon_meta meta = metadata.view();
  void* tokenizer = nullptr;
  tenon_status status = tenon::empty_status();
  const tenon_code code = tokenizer_plugin().create(tokenizer_plugin().self, &meta, &tokenizer, &status);
  if (code != TENON_OK) return status.message;
  tokenizer_plugin().destroy(tokenizer);
  return "";
}

}  // namespace tokenizer_test
