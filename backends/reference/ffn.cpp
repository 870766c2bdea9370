// ffn: out = down(act(gate(x)) * up(x)) + add. In the classes f32 and int8 the same bits as linear, glu, linear;
// exact64 rounds once at the end. out may be add.
#include "gated.hpp"

namespace tenon::reference {
namespace {

/// T: float, or double for class exact64.
template <class T>
class Ffn final : public FileOrderKernel {
 public:
  explicit Ffn(const OpView& op)
      : FileOrderKernel(op),
        params_(op.params<tenon_ffn_params>()),
        shape_(gated_shape(op.weight(kFfnGate), op.weight(kFfnUp), op.weight(kFfnDown), 1, op.numeric_class(),
                           params_.activation)),
        quantized_(class_of(op.weights().first(2), op.numeric_class()) == TENON_CLASS_INT8) {}

  uint64_t workspace_bytes(int64_t n_rows, uint32_t n_threads, int64_t) const override {
    return static_cast<uint64_t>(layout(nullptr, n_rows).bytes + worker(nullptr, n_rows).bytes * n_threads);
  }

  Result<void> run(const tenon_run& run) const override {
    const Layout at = layout(run.workspace, run.n_rows);
    std::byte* workers = static_cast<std::byte*>(run.workspace) + at.bytes;
    const int64_t worker_bytes = worker(nullptr, run.n_rows).bytes;
    const auto scratch_of = [&](uint32_t w) { return worker(workers + w * worker_bytes, run.n_rows).scratch; };
    const GatedWeights w{bytes_of(run, kFfnGate),      bytes_of(run, kFfnUp),      bytes_of(run, kFfnDown),
                         vector_of(run, kFfnGateBias), vector_of(run, kFfnUpBias), vector_of(run, kFfnDownBias)};
    const auto x = at.x.fill(run, run.in[0], shape_.hidden);
    if (!x) return x.error();
    auto done = for_each_chunk(*run.exec, shape_.inner, kRowsPerTask, [&](int64_t j, uint32_t worker) {
      gated_inner<T>(shape_, w, 0, j, *x, nullptr, scratch_of(worker), at.inner.x);
    });
    if (!done) return done;
    done = at.inner.quantize(shape_, run.n_rows, *run.exec);
    if (!done) return done;
    const Input<T> inner = at.inner.input(shape_, run.n_rows, nullptr);
    return for_each_chunk(*run.exec, shape_.hidden, kRowsPerTask, [&](int64_t i, uint32_t worker) {
      const GatedScratch<T> scratch = scratch_of(worker);
      gated_down<T>(shape_, w, 0, i, inner, scratch);
      for (int64_t r = 0; r < run.n_rows; ++r) {
        const T acc = scratch.first[r];
        row_of(run.out[0], r)[i] = static_cast<float>(params_.has_add != 0 ? T{row_of(run.in[1], r)[i]} + acc : acc);
      }
    });
  }

 private:
  static constexpr int64_t kRowsPerTask = 16;

  struct Layout {
    Prepared<T> x;
    GatedInner<T> inner;
    int64_t bytes;
  };
  Layout layout(void* base, int64_t n_rows) const {
    Carver carver(base);
    Layout at{};
    at.x.carve(carver, n_rows, shape_.hidden, quantized_);
    at.inner.carve(carver, shape_, n_rows);
    at.bytes = carver.bytes();
    return at;
  }

  struct Worker {
    GatedScratch<T> scratch;
    int64_t bytes;
  };
  Worker worker(void* base, int64_t n_rows) const {
    Carver carver(base);
    Worker at{};
    at.scratch.carve(carver, shape_, n_rows);
    at.bytes = carver.bytes();
    return at;
  }

  tenon_ffn_params params_;
  GatedShape shape_;
  bool quantized_;
};

tenon_support supports(const OpView& op) {
  const std::string problem = check_ffn(op);
  if (!problem.empty()) return no(problem);
  const tenon_tensor gate = op.weight(kFfnGate);
  const uint32_t numeric_class = class_of(op.weights().first(3), op.numeric_class());
  return yes(
      "ffn_" + std::string(find_dtype(gate.dtype)->name) + "_" + std::string(class_name(numeric_class)) + "_reference",
      numeric_class, static_cast<float>(3 * rows_of(gate) * row_width(gate)));
}

std::unique_ptr<Kernel> create(const OpView& op) {
  return is_exact(op) ? make_kernel<Ffn<double>>(op) : make_kernel<Ffn<float>>(op);
}

}  // namespace

OpEntry ffn_entry() { return {"ffn", supports, create}; }

}  // namespace tenon::reference
