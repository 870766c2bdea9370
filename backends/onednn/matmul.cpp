// matmul: out [M, N] = a [M, K] * b [K, N] in f32, in slices of 64 columns.
#include "dense_op.hpp"
#include "gemm.hpp"

namespace tenon::onednn {
namespace {

class Matmul final : public DenseOp {
 public:
  explicit Matmul(const OpView& op) : DenseOp(op), k_(op.weight(0).dims[0]), n_(op.weight(0).dims[1]) {}

  Result<void> run(const tenon_run& run) const override {
    return parallel_for(*run.exec, (n_ + kSlice - 1) / kSlice, [&](int64_t task, uint32_t) {
      const int64_t first = task * kSlice, n = std::min(kSlice, n_ - first);
      multiply(run.n_rows, n, k_, row_of(run.in[0], 0), run.in[0].ld, vector_of(run, 0) + first, n_, false,
               row_of(run.out[0], 0) + first, run.out[0].ld);
    });
  }

 private:
  int64_t k_, n_;
};

tenon_support supports(const OpView& op) {
  std::string problem = check_matmul(op);
  if (!problem.empty()) return no(problem);
  const tenon_tensor b = op.weight(0);
  if (b.dtype != TENON_F32) {
    problem = "a and b are " + std::string(find_dtype(b.dtype)->name) + ", expected f32: oneDNN's gemm has no other";
  }
  return answer(op, problem, static_cast<DType>(b.dtype), b.dims[0] * b.dims[1]);
}

}  // namespace

OpEntry matmul_entry() { return {"matmul", supports, make_kernel<Matmul>}; }

}  // namespace tenon::onednn
