// Loads a backend's shared object and runs one op from plain vectors, as the host does: supports, create, pack,
// workspace, run. For tests: what goes wrong is thrown. Buffers get exactly what the contract promises, with marks
// around them that are checked after the run.
#pragma once

#include <support/op_case.hpp>
#include <support/test_buffer.hpp>
#include <tenon/base/buffer.hpp>
#include <tenon/base/thread_pool.hpp>
#include <tenon/dtype.hpp>
#include <tenon/result.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tenon::test {

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
  BoundOp(const LoadedBackend& backend, const OpCase& made) : api_(backend.api()) {
    std::vector<tenon_tensor> tensors;
    const tenon_op op = describe(made, tensors);
    support_ = ask(backend, made);
    if (support_.supported == 0) throw std::runtime_error(support_.reason);
    tenon_status status = empty_status();
    LoadedBackend::check(api_.create(api_.self, &op, &kernel_, &status), status);
    ThreadPool pool(2);
    const tenon_exec exec = pool.exec(nullptr);
    for (uint32_t i = 0; i < made.weights.size(); ++i) pack(made.weights[i], i, exec);
  }
  ~BoundOp() { api_.destroy(kernel_); }
  BoundOp(const BoundOp&) = delete;
  BoundOp& operator=(const BoundOp&) = delete;

  static tenon_support ask(const LoadedBackend& backend, const OpCase& made) {
    std::vector<tenon_tensor> tensors;
    const tenon_op op = describe(made, tensors);
    tenon_support answer{};
    answer.size = sizeof answer;
    backend.api().supports(backend.api().self, &op, &answer);
    return answer;
  }

  const tenon_support& support() const { return support_; }
  const std::vector<tenon_pack_plan>& pack_plans() const { return pack_plans_; }

  tenon_kv_plan kv_plan() const {
    tenon_kv_plan plan{};
    plan.size = sizeof plan;
    tenon_status status = empty_status();
    LoadedBackend::check(api_.kv_plan(kernel_, &plan, &status), status);
    return plan;
  }

  Rows unpack_rows(uint32_t index, const std::vector<int32_t>& rows, int64_t width) const {
    Rows out = Rows::zeros(static_cast<int64_t>(rows.size()), width);
    tenon_status status = empty_status();
    LoadedBackend::check(
        api_.unpack_rows(kernel_, index, packs_[index].data(), rows.data(), out.n, out.values.data(), width, &status),
        status);
    return out;
  }

  std::vector<Rows> run(const RunInput& input) const {
    int64_t n_rows = input.n_rows;
    if (n_rows < 0) n_rows = input.in.empty() ? static_cast<int64_t>(input.tokens.size()) : input.in[0].n;
    std::vector<TestBuffer> in, own;
    for (const Rows& rows : input.in) in.emplace_back(rows.n, rows.width, input.dtype).set(rows);
    for (const int64_t width : input.out_widths) own.emplace_back(n_rows, width, input.dtype);
    const auto output = [&](size_t i) -> TestBuffer& {
      const int shared = input.same_as.empty() ? -1 : input.same_as[i];
      return shared < 0 ? own[i] : in[static_cast<size_t>(shared)];
    };
    std::vector<tenon_buffer> in_views, out_views;
    for (TestBuffer& buffer : in) in_views.push_back(buffer.view());
    for (size_t i = 0; i < own.size(); ++i) out_views.push_back(output(i).view());
    run_views(input, n_rows, in_views, out_views);
    std::vector<Rows> results;
    for (const TestBuffer& buffer : in) buffer.check_marks();
    for (size_t i = 0; i < own.size(); ++i) {
      output(i).check_marks();
      results.push_back(output(i).get());
    }
    return results;
  }

 private:
  static tenon_op describe(const OpCase& made, std::vector<tenon_tensor>& tensors) {
    for (const Weight& w : made.weights) tensors.push_back(w.tensor);
    tenon_op op{};
    op.size = sizeof op;
    op.revision = 1;
    op.name = made.name.c_str();
    op.numeric_class = made.numeric_class;
    op.n_weights = static_cast<uint32_t>(tensors.size());
    op.weights = tensors.data();
    op.params = made.params.data();
    op.max_rows = made.max_rows;
    return op;
  }

  void pack(const Weight& weight, uint32_t index, const tenon_exec& exec) {
    packs_.emplace_back();
    pack_plans_.emplace_back();
    if (is_absent(weight.tensor)) return;
    tenon_pack_plan& plan = pack_plans_.back();
    plan.size = sizeof plan;
    tenon_status status = empty_status();
    LoadedBackend::check(api_.pack_plan(kernel_, index, &plan, &status), status);
    packs_.back() = Buffer(plan.bytes);
    LoadedBackend::check(api_.pack(kernel_, index, weight.bytes.data(), packs_.back().data(), &exec, &status), status);
  }

  void run_views(const RunInput& input, int64_t n_rows, std::span<const tenon_buffer> in,
                 std::span<const tenon_buffer> out) const {
    std::vector<const void*> weights;
    for (size_t i = 0; i < packs_.size(); ++i)
      weights.push_back(pack_plans_[i].bytes == 0 ? nullptr : packs_[i].data());
    std::vector<int32_t> positions(static_cast<size_t>(n_rows));
    std::vector<tenon_batch_sequence> sequences;
    int64_t row = 0, longest = 0;
    for (const SequenceRows& s : input.sequences) {
      sequences.push_back({row, s.n_rows, s.first_position, s.pages.data(), static_cast<int64_t>(s.pages.size())});
      for (int64_t i = 0; i < s.n_rows; ++i)
        positions[static_cast<size_t>(row + i)] = static_cast<int32_t>(s.first_position + i);
      row += s.n_rows;
      longest = std::max(longest, s.first_position + s.n_rows);
    }
    const tenon_batch batch{sizeof batch,
                            0,
                            n_rows,
                            input.tokens.data(),
                            positions.data(),
                            sequences.data(),
                            static_cast<int64_t>(sequences.size())};
    ThreadPool pool(input.n_threads);
    const tenon_exec exec = pool.exec(nullptr);
    uint64_t bytes = 0;
    tenon_status status = empty_status();
    LoadedBackend::check(api_.workspace_bytes(kernel_, n_rows, input.n_threads, longest, &bytes, &status), status);
    // Exactly what was asked for, with undefined contents and a mark behind it.
    constexpr size_t kMarkBytes = 64;
    Buffer workspace(bytes + kMarkBytes);
    std::memset(workspace.data(), 0xC3, workspace.size());
    tenon_run run{};
    run.size = sizeof run;
    run.n_in = static_cast<uint32_t>(in.size());
    run.n_out = static_cast<uint32_t>(out.size());
    run.n_weights = static_cast<uint32_t>(weights.size());
    run.n_rows = n_rows;
    run.in = in.data();
    run.out = out.data();
    run.weights = weights.data();
    run.workspace = workspace.data();
    run.workspace_bytes = bytes;
    run.batch = &batch;
    run.kv = input.kv == nullptr ? nullptr : input.kv->data();
    run.exec = &exec;
    const int64_t before = input.allocations == nullptr ? 0 : input.allocations();
    const auto start = std::chrono::steady_clock::now();
    tenon_code code = TENON_OK;
    for (int i = 0; i < input.repeat && code == TENON_OK; ++i) code = api_.run(kernel_, &run, &status);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (input.seconds != nullptr) *input.seconds = taken.count();
    if (input.allocations != nullptr) *input.allocated = input.allocations() - before;
    LoadedBackend::check(code, status);
    const std::byte* mark = workspace.data() + bytes;
    if (std::any_of(mark, mark + kMarkBytes, [](std::byte b) { return b != std::byte{0xC3}; })) {
      throw std::runtime_error("the op wrote behind the end of its workspace");
    }
  }

  const tenon_kernel_api& api_;
  tenon_support support_{};
  void* kernel_ = nullptr;
  std::vector<Buffer> packs_;
  std::vector<tenon_pack_plan> pack_plans_;
};

}  // namespace tenon::test
