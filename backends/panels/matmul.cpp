// matmul: out [M, N] = a [M, K] * b [K, N] of one dtype, f32, f16 or bf16. b is packed into panels of eight columns; a
// of 16 bits is widened first, and each output is rounded once at the end.
#include "ops.hpp"
#include "products.hpp"

#include <tenon/op_contract.hpp>

#include <cstring>

namespace tenon::panels {
namespace {

class Matmul final : public PanelOp {
 public:
  explicit Matmul(const OpView& op) : PanelOp(op), dtype_(static_cast<DType>(op.weight(0).dtype)) {
    b_ = {find_panel_format(op.weight(0).dtype), 1, op.weight(0).dims[1], op.weight(0).dims[0]};
  }

  Result<tenon_pack_plan> pack_plan(uint32_t) const override {
    return pack_plan_of(static_cast<uint64_t>(b_.group_bytes()),
                        "columns8/" + std::string(info_of(dtype_).name) + "/1");
  }

  /// b is [K][N] already: a unit of a panel is eight neighbours of a row.
  Result<void> pack(uint32_t, const void* source, void* packed, const tenon_exec& exec) const override {
    const int64_t element = info_of(dtype_).block_bytes;
    return parallel_for(exec, b_.n_panels(), [&](int64_t panel, uint32_t) {
      const int64_t n_lanes = std::min(kPanel, b_.rows - panel * kPanel);
      auto* unit = static_cast<std::byte*>(packed) + panel * b_.panel_bytes();
      std::memset(unit, 0, static_cast<size_t>(b_.panel_bytes()));
      for (int64_t k = 0; k < b_.k; ++k, unit += kPanel * element) {
        const auto* from = static_cast<const std::byte*>(source) + (k * b_.rows + panel * kPanel) * element;
        std::memcpy(unit, from, static_cast<size_t>(n_lanes * element));
      }
    });
  }

  Result<void> unpack_rows(uint32_t, const void*, std::span<const int32_t>, float*, int64_t) const override {
    return unsupported("b is packed by columns, it cannot give rows back");
  }

  uint64_t workspace_bytes(int64_t n_rows, uint32_t, int64_t) const override {
    return static_cast<uint64_t>(layout(nullptr, n_rows).bytes);
  }

  Result<void> run(const tenon_run& run) const override {
    const Layout at = layout(run.workspace, run.n_rows);
    for (int64_t r = 0; r < run.n_rows; ++r) {
      at.a[r] = dtype_ == DType::f32 ? row_of(run.in[0], r) : widened_row(run, at, r);
      at.out[r] = dtype_ == DType::f32 ? row_of(run.out[0], r) : at.results + r * b_.rows;
    }
    const int64_t grain = panels_per_task(b_, run.exec->n_threads);
    return parallel_for(*run.exec, (b_.n_panels() + grain - 1) / grain, [&](int64_t task, uint32_t) {
      const PanelRange range{task * grain, std::min((task + 1) * grain, b_.n_panels())};
      PanelCall call{};
      call.panels = b_.group(bytes_of(run, 0), 0);
      call.n_rows = run.n_rows;
      call.x = at.a;
      call.out = at.out;
      call.scale = 1.0f;
      multiply(b_, call, range);
      if (dtype_ != DType::f32) narrow(run, at, range);
    });
  }

 private:
  struct Layout {
    const void** a;  // [n_rows]
    float** out;
    float *widened, *results;  // [n_rows, K], [n_rows, N], for 16-bit types
    int64_t bytes;
  };
  Layout layout(void* base, int64_t n_rows) const {
    const int64_t n = dtype_ == DType::f32 ? 0 : n_rows;
    Carver carver(base);
    Layout at{};
    at.a = carver.take<const void*>(n_rows);
    at.out = carver.take<float*>(n_rows);
    at.widened = carver.take<float>(n * b_.k);
    at.results = carver.take<float>(n * b_.rows);
    at.bytes = carver.bytes();
    return at;
  }

  const float* widened_row(const tenon_run& run, const Layout& at, int64_t r) const {
    const uint16_t* from = static_cast<const uint16_t*>(run.in[0].data) + r * run.in[0].ld;
    float* to = at.widened + r * b_.k;
    dtype_ == DType::f16 ? widen_f16(from, b_.k, to) : widen_bf16(from, b_.k, to);
    return to;
  }

  void narrow(const tenon_run& run, const Layout& at, PanelRange range) const {
    const int64_t first = range.first * kPanel, n = std::min(range.last * kPanel, b_.rows) - first;
    for (int64_t r = 0; r < run.n_rows; ++r) {
      uint16_t* to = static_cast<uint16_t*>(run.out[0].data) + r * run.out[0].ld + first;
      dtype_ == DType::f16 ? narrow_f16(at.out[r] + first, n, to) : narrow_bf16(at.out[r] + first, n, to);
    }
  }

  DType dtype_;
  Matrix b_;  // its rows are the columns of b
};

tenon_support supports(const OpView& op) {
  const std::string problem = check_matmul(op);
  if (!problem.empty()) return no(problem);
  const tenon_tensor b = op.weight(0);
  return answer(op, problem, find_dtype(b.dtype)->name, false, b.dims[0] * b.dims[1]);
}

}  // namespace

OpEntry matmul_entry() { return {"matmul", supports, make_kernel<Matmul>}; }

}  // namespace tenon::panels
