// Loads a backend's shared object and runs one op from plain vectors, in guarded memory. For tests: what goes wrong is
// thrown.
#pragma once

#include <conformance/kernel_runner.hpp>
#include <conformance/op_case.hpp>
#include <tenon/convert.hpp>

#include <dlfcn.h>

#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tenon::test {

using namespace tenon::conformance;

/// The plug-in stays mapped; the instance lives as long as the object.
class LoadedBackend {
 public:
  /// `options`: texts of the plug-in's string options by name; the others get their defaults.
  explicit LoadedBackend(const std::string& path, const std::map<std::string, std::string>& options = {}) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(dlerror());
    plugin_ = static_cast<const tenon_plugin*>(dlsym(library, TENON_PLUGIN_SYMBOL));
    if (plugin_ == nullptr) throw std::runtime_error(path + " exports no " TENON_PLUGIN_SYMBOL);
    const tenon_host host{sizeof host, TENON_ABI_MAJOR, TENON_ABI_MINOR, nullptr, nullptr};
    const std::vector<tenon_option> items = options_of(*plugin_, options);
    const tenon_options handed{items.data(), items.size()};
    tenon_status status = empty_status();
    check(plugin_->init(&host, &handed, &instance_, &status), status);
    const void* table = nullptr;
    check(plugin_->get_interface(instance_, TENON_KERNEL_INTERFACE, &table, &status), status);
    api_ = static_cast<const tenon_kernel_api*>(table);
  }
  ~LoadedBackend() { plugin_->shutdown(instance_); }
  LoadedBackend(const LoadedBackend&) = delete;
  LoadedBackend& operator=(const LoadedBackend&) = delete;

  const tenon_kernel_api& api() const { return *api_; }

  static void check(tenon_code code, const tenon_status& status) {
    if (code != TENON_OK) throw std::runtime_error(from_status(code, status).error().message);
  }

 private:
  static std::vector<tenon_option> options_of(const tenon_plugin& plugin,
                                              const std::map<std::string, std::string>& texts) {
    std::vector<tenon_option> items;
    for (const tenon_option_spec& spec : std::span(plugin.option_specs, plugin.n_option_specs)) {
      const auto given = texts.find(spec.name);
      const std::string_view text = given != texts.end()             ? std::string_view(given->second)
                                    : spec.default_string == nullptr ? std::string_view()
                                                                     : std::string_view(spec.default_string);
      items.push_back({spec.name, spec.type, given == texts.end() ? 1u : 0u, spec.default_number, str(text)});
    }
    return items;
  }

  const tenon_plugin* plugin_ = nullptr;
  void* instance_ = nullptr;
  const tenon_kernel_api* api_ = nullptr;
};

/// One op of one backend, bound and packed.
class BoundOp {
 public:
  /// Throws with the backend's reason where it refuses. The case may go after this.
  BoundOp(const LoadedBackend& backend, const OpCase& made) : kernel_(taken(BoundKernel::make(backend.api(), made))) {}

  static tenon_support ask(const LoadedBackend& backend, const OpCase& made) {
    return BoundKernel::ask(backend.api(), made);
  }
  const tenon_support& support() const { return kernel_->support(); }
  std::span<const tenon_pack_plan> pack_plans() const { return kernel_->pack_plans(); }
  tenon_kv_plan kv_plan() const { return taken(kernel_->kv_plan()); }
  Rows unpack_rows(uint32_t index, const std::vector<int32_t>& rows, int64_t width) const {
    return taken(kernel_->unpack_rows(index, rows, width));
  }
  std::vector<Rows> run(const RunInput& input) const { return taken(kernel_->run(input)); }

 private:
  template <class T>
  static T taken(Result<T> result) {
    if (!result) throw std::runtime_error(result.error().message);
    return std::move(*result);
  }

  std::unique_ptr<BoundKernel> kernel_;
};

}  // namespace tenon::test
