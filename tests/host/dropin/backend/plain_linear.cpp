// A backend that multiplies by one matrix of f32 or q8_0: linear of one weight, with bias, scale and residual. Its sums
// are the chains of the numeric classes f32 and int8 (core/README.md), so it writes the same text as `reference`.
#include <tenon/blocks.hpp>
#include <tenon/convert.hpp>
#include <tenon/kernel.hpp>
#include <tenon/plugin.hpp>
#include <tenon/run_view.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace {

using namespace tenon;

/// 32 activations as integers and what one of them is worth.
struct ActBlock {
  float d;
  int8_t q[32];
};

/// dx = amax / 127; q = rint(x * (127 / amax)), half to even; all zero where 127 / amax is not finite, d NaN where an
/// element is not.
ActBlock quantize(const float* x) {
  ActBlock block{};
  float amax = 0;
  bool is_finite = true;
  for (int i = 0; i < 32; ++i) {
    amax = std::max(amax, std::fabs(x[i]));
    is_finite &= std::isfinite(x[i]);
  }
  const float inverse = 127.0f / amax;
  if (!is_finite || !std::isfinite(inverse)) {
    block.d = is_finite ? 0.0f : std::nanf("");
    return block;
  }
  block.d = amax / 127.0f;
  for (int i = 0; i < 32; ++i) block.q[i] = static_cast<int8_t>(std::nearbyint(x[i] * inverse));
  return block;
}

float chain_f32(const float* x, const float* w, int64_t k) {
  float acc = 0;
  for (int64_t i = 0; i < k; ++i) acc = std::fma(x[i], w[i], acc);
  return acc;
}

float chain_int8(const ActBlock* x, const BlockQ8_0* w, int64_t k) {
  float acc = 0;
  for (int64_t b = 0; b < k / 32; ++b) {
    int32_t sum = 0;
    for (int i = 0; i < 32; ++i) sum += x[b].q[i] * w[b].qs[i];
    acc = std::fma(f16_to_f32(w[b].d) * x[b].d, static_cast<float>(sum), acc);
  }
  return acc;
}

class LinearKernel final : public Kernel {
 public:
  explicit LinearKernel(const OpView& op)
      : params_(op.params<tenon_linear_params>()),
        quantized_(op.weight(0).dtype == TENON_Q8_0),
        n_(rows_of(op.weight(0))),
        k_(row_width(op.weight(0))) {}

  Result<tenon_pack_plan> pack_plan(uint32_t index) const override {
    return pack_plan_of(size_of(index), index == 0 && quantized_ ? "q8_0 rows" : "f32 rows");
  }
  Result<void> pack(uint32_t index, const void* source, void* packed, const tenon_exec&) const override {
    std::memcpy(packed, source, size_of(index));
    return {};
  }
  uint64_t workspace_bytes(int64_t n_rows, uint32_t, int64_t) const override {
    return quantized_ ? static_cast<uint64_t>(n_rows * (k_ / 32)) * sizeof(ActBlock) : 0;
  }
  Result<void> run(const tenon_run& run) const override {
    auto* blocks = static_cast<ActBlock*>(run.workspace);
    for (int64_t r = 0; quantized_ && r < run.n_rows; ++r) {
      for (int64_t b = 0; b < k_ / 32; ++b) blocks[r * (k_ / 32) + b] = quantize(row_of(run.in[0], r) + 32 * b);
    }
    return parallel_for(*run.exec, n_, [&](int64_t row, uint32_t) {
      for (int64_t r = 0; r < run.n_rows; ++r) {
        const float acc = quantized_
                              ? chain_int8(blocks + r * (k_ / 32),
                                           reinterpret_cast<const BlockQ8_0*>(bytes_of(run, 0)) + row * (k_ / 32), k_)
                              : chain_f32(row_of(run.in[0], r), vector_of(run, 0) + row * k_, k_);
        store(run, r, row, acc);
      }
    });
  }

 private:
  uint64_t size_of(uint32_t index) const {
    if (index != 0) return static_cast<uint64_t>(n_) * sizeof(float);
    return static_cast<uint64_t>(n_ * row_bytes(quantized_ ? DType::q8_0 : DType::f32, k_));
  }

  void store(const tenon_run& run, int64_t r, int64_t row, float acc) const {
    // The list of weights may end before an optional one: vector_of gives nullptr there as for an absent one.
    if (const float* bias = vector_of(run, 1); bias != nullptr) acc = acc + bias[row];
    if (params_.scale != 1.0f) acc = acc * params_.scale;
    if (params_.has_add != 0) acc = row_of(run.in[1], r)[row] + acc;
    row_of(run.out[0], r)[row] = acc;
  }

  tenon_linear_params params_;
  bool quantized_;
  int64_t n_, k_;
};

class PlainBackend final : public Backend {
 public:
  tenon_support supports(const OpView& op) const override {
    if (op.name() != "linear") return no("op " + std::string(op.name()) + " is asked, it only has linear");
    if (op.params<tenon_linear_params>().n_weights != 1) return no("several weights are asked, it takes one");
    const tenon_tensor weight = op.weight(0);
    const bool f32 = weight.dtype == TENON_F32, q8_0 = weight.dtype == TENON_Q8_0;
    if (!f32 && !q8_0) return no("it takes weights of f32 and q8_0");
    const uint32_t own = f32 ? TENON_CLASS_F32 : TENON_CLASS_INT8;
    if (op.numeric_class() != TENON_CLASS_DEFAULT && op.numeric_class() != own)
      return no("another numeric class is asked");
    return yes(f32 ? "plain_f32" : "plain_q8_0_int8", own, static_cast<float>(rows_of(weight) * row_width(weight)));
  }
  Result<std::unique_ptr<Kernel>> create(const OpView& op) const override {
    return std::unique_ptr<Kernel>(std::make_unique<LinearKernel>(op));
  }
};

Result<std::unique_ptr<Plugin>> make(const Host&, const Options&) {
  return std::unique_ptr<Plugin>(std::make_unique<PluginOf<PlainBackend>>(std::make_unique<PlainBackend>()));
}

constexpr PluginInfo kInfo{.id = "plain_linear", .version = "1.0", .interfaces = TENON_KERNEL_INTERFACE};

}  // namespace

TENON_PLUGIN(kInfo, make);
