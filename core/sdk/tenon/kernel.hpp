// tenon.kernel/1 for C++ authors: a Backend answers and makes Kernels, a Kernel packs and runs one op.
#pragma once

#include <tenon/dtype.hpp>
#include <tenon/result.hpp>

#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

namespace tenon {

/// The asked op with typed access. Lives for the length of the call only.
class OpView {
 public:
  explicit OpView(const tenon_op& op) : op_(op) {}

  std::string_view name() const { return op_.name; }
  uint32_t revision() const { return op_.revision; }
  uint32_t numeric_class() const { return op_.numeric_class; }
  int64_t max_rows() const { return op_.max_rows; }
  std::span<const tenon_tensor> weights() const { return {op_.weights, op_.n_weights}; }
  /// Weight `i`, or an absent tensor (rank 0) where the list is shorter.
  tenon_tensor weight(uint32_t i) const { return i < op_.n_weights ? op_.weights[i] : tenon_tensor{}; }
  /// The parameter struct of this op's contract, copied.
  template <class Params>
  Params params() const {
    Params params{};
    uint32_t size = 0;
    std::memcpy(&size, op_.params, sizeof size);
    std::memcpy(&params, op_.params, size < sizeof params ? size : sizeof params);
    return params;
  }

 private:
  const tenon_op& op_;
};

/// Threads lent for one call. The callable takes (int64_t task, uint32_t worker) and must not throw.
template <class F>
Result<void> parallel_for(const tenon_exec& exec, int64_t n_tasks, F&& f) {
  tenon_status status = empty_status();
  using Callable = std::remove_reference_t<F>;
  const auto task = [](void* context, int64_t index, uint32_t worker, tenon_status*) -> tenon_code {
    (*static_cast<Callable*>(context))(index, worker);
    return TENON_OK;
  };
  const tenon_code code =
      exec.parallel_for(exec.self, n_tasks, task, const_cast<void*>(static_cast<const void*>(&f)), &status);
  if (code == TENON_OK) return {};
  return from_status(code, status);
}

/// One bound op. Thread rules are those of tenon_kernel_api.
class Kernel {
 public:
  virtual ~Kernel() = default;

  virtual Result<tenon_pack_plan> pack_plan(uint32_t index) const = 0;
  virtual Result<void> pack(uint32_t index, const void* source, void* packed, const tenon_exec& exec) const = 0;
  virtual Result<void> unpack_rows(uint32_t, const void*, std::span<const int32_t>, float*, int64_t) const {
    return unsupported("this kernel's packed weights cannot give rows back");
  }
  virtual Result<tenon_kv_plan> kv_plan() const { return unsupported("this op keeps no kv pages"); }
  virtual uint64_t workspace_bytes(int64_t n_rows, uint32_t n_threads, int64_t n_context) const {
    static_cast<void>(n_rows), static_cast<void>(n_threads), static_cast<void>(n_context);
    return 0;
  }
  /// Only for weights whose plan has dense_bytes.
  virtual Result<void> expand(uint32_t, uint32_t, const void*, void*, const tenon_exec&) const {
    return unsupported("this kernel keeps no expanded weights");
  }
  /// Once a step and op. Allocates nothing.
  virtual Result<void> run(const tenon_run& run) const = 0;
};

/// What a plug-in offers as "tenon.kernel/1".
class Backend {
 public:
  static constexpr std::string_view kInterface = TENON_KERNEL_INTERFACE;

  virtual ~Backend() = default;
  virtual tenon_support supports(const OpView& op) const = 0;
  virtual Result<std::unique_ptr<Kernel>> create(const OpView& op) const = 0;

  const tenon_kernel_api* table() {
    table_.self = this;
    return &table_;
  }

 private:
  static const Kernel& kernel(void* k) { return *static_cast<const Kernel*>(k); }

  tenon_kernel_api table_{sizeof(tenon_kernel_api),
                          0,
                          nullptr,
                          [](void* self, const tenon_op* op, tenon_support* answer) noexcept {
                            try {
                              *answer = static_cast<Backend*>(self)->supports(OpView(*op));
                            } catch (...) {
                              *answer = {};
                              answer->size = sizeof *answer;
                              copy_text(answer->reason, sizeof answer->reason, "supports() threw an exception");
                            }
                          },
                          [](void* self, const tenon_op* op, void** kernel, tenon_status* status) noexcept {
                            return guarded(status, [&]() -> Result<void> {
                              auto made = static_cast<Backend*>(self)->create(OpView(*op));
                              if (!made) return made.error();
                              *kernel = made->release();
                              return {};
                            });
                          },
                          [](void* k) noexcept { delete static_cast<Kernel*>(k); },
                          [](void* k, uint32_t index, tenon_pack_plan* plan, tenon_status* status) noexcept {
                            return guarded(status, [&]() -> Result<void> {
                              auto made = kernel(k).pack_plan(index);
                              if (!made) return made.error();
                              *plan = *made;
                              return {};
                            });
                          },
                          [](void* k, uint32_t index, const void* source, void* packed, const tenon_exec* exec,
                             tenon_status* status) noexcept {
                            return guarded(status, [&] { return kernel(k).pack(index, source, packed, *exec); });
                          },
                          [](void* k, uint32_t index, const void* packed, const int32_t* rows, int64_t n_rows,
                             float* out, int64_t ld, tenon_status* status) noexcept {
                            return guarded(status, [&] {
                              return kernel(k).unpack_rows(index, packed, {rows, static_cast<size_t>(n_rows)}, out, ld);
                            });
                          },
                          [](void* k, tenon_kv_plan* plan, tenon_status* status) noexcept {
                            return guarded(status, [&]() -> Result<void> {
                              auto made = kernel(k).kv_plan();
                              if (!made) return made.error();
                              *plan = *made;
                              return {};
                            });
                          },
                          [](void* k, int64_t n_rows, uint32_t n_threads, int64_t n_context, uint64_t* bytes,
                             tenon_status* status) noexcept {
                            return guarded(status, [&]() -> Result<void> {
                              *bytes = kernel(k).workspace_bytes(n_rows, n_threads, n_context);
                              return {};
                            });
                          },
                          [](void* k, const tenon_run* run, tenon_status* status) noexcept {
                            return guarded(status, [&] { return kernel(k).run(*run); });
                          },
                          [](void* k, uint32_t index, uint32_t part, const void* packed, void* dense,
                             const tenon_exec* exec, tenon_status* status) noexcept {
                            return guarded(status, [&] { return kernel(k).expand(index, part, packed, dense, *exec); });
                          }};
};

// ---- answers

inline tenon_support no(std::string_view reason) {
  tenon_support answer{};
  answer.size = sizeof answer;
  copy_text(answer.reason, sizeof answer.reason, reason);
  return answer;
}

/// `kernel`: the name to show; `cost`: nanoseconds for one row on one thread, roughly.
inline tenon_support yes(std::string_view kernel, uint32_t numeric_class, float cost) {
  tenon_support answer{};
  answer.size = sizeof answer;
  answer.supported = 1;
  answer.numeric_class = numeric_class;
  answer.row_invariant = 1;
  answer.thread_invariant = 1;
  answer.cost = cost;
  copy_text(answer.kernel, sizeof answer.kernel, kernel);
  return answer;
}

inline tenon_pack_plan pack_plan_of(uint64_t bytes, std::string_view layout) {
  tenon_pack_plan plan{};
  plan.size = sizeof plan;
  plan.alignment = 64;
  plan.bytes = bytes;
  copy_text(plan.layout, sizeof plan.layout, layout);
  return plan;
}

}  // namespace tenon
