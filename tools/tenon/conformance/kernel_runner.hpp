// Runs one op of one backend from plain vectors, as the host does: supports, create, pack, workspace, run. Every buffer
// has what the contract promises and no byte more, and is guarded; what left its buffer is an Error with
// PLUGIN_OVERRUN.
#pragma once

#include <conformance/guarded_buffer.hpp>
#include <conformance/op_case.hpp>
#include <conformance/row_buffer.hpp>
#include <tenon/base/thread_pool.hpp>
#include <tenon/result.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tenon::conformance {

/// kv pages of one layer, filled with 0xFF: NaN in f32 and f16, so that a read of what was never written shows.
class KvStore {
 public:
  KvStore(const tenon_kv_plan& plan, int64_t n_pages)
      : bytes_(static_cast<size_t>(n_pages) * plan.page_bytes, std::byte{0xFF}, "the kv pages") {}
  void* data() { return bytes_.data(); }
  std::string overrun() const { return bytes_.overrun(); }

 private:
  GuardedBuffer bytes_;
};

/// An op bound to a kernel, its weights packed.
class BoundKernel {
 public:
  /// Errors: what the backend answered; PLUGIN_CONTRACT for packs that cannot be; TENON_UNSUPPORTED where it refuses.
  /// `n_threads`: packs with that many.
  static Result<std::unique_ptr<BoundKernel>> make(const tenon_kernel_api& api, const OpCase& made,
                                                   uint32_t n_threads = 2);
  static tenon_support ask(const tenon_kernel_api& api, const OpCase& made);

  ~BoundKernel();
  BoundKernel(const BoundKernel&) = delete;
  BoundKernel& operator=(const BoundKernel&) = delete;

  const tenon_support& support() const { return support_; }
  std::span<const tenon_pack_plan> pack_plans() const { return pack_plans_; }
  std::span<const std::byte> pack(uint32_t index) const { return {packs_[index].data(), packs_[index].size()}; }

  Result<tenon_kv_plan> kv_plan() const;
  /// TENON_UNSUPPORTED where the kernel cannot.
  Result<Rows> unpack_rows(uint32_t index, const std::vector<int32_t>& rows, int64_t width) const;

  /// Whether any weight asked for an expanded copy.
  bool wants_dense() const;
  /// Expands every part of every weight that asked for it; before a run with Dense::first_part or Dense::all.
  Result<void> expand();

  Result<std::vector<Rows>> run(const RunInput& input) const;

 private:
  explicit BoundKernel(const tenon_kernel_api& api) : api_(api) {}
  Result<void> bind(const OpCase& made);
  Result<void> pack(const Weight& weight, uint32_t index, ThreadPool& pool);
  Result<void> run_views(const RunInput& input, int64_t n_rows, std::span<const tenon_buffer> in,
                         std::span<const tenon_buffer> out) const;
  Result<void> call(const RunInput& input, tenon_run run) const;

  const tenon_kernel_api& api_;
  tenon_support support_{};
  void* kernel_ = nullptr;
  std::vector<GuardedBuffer> packs_, dense_;
  std::vector<tenon_pack_plan> pack_plans_;
};

}  // namespace tenon::conformance
