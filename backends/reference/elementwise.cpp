// gather, add, mul, reduce_mean, softmax, rope, glu: one row at a time, as core/README.md writes them.
#include "op.hpp"

#include "sums.hpp"

#include <tenon/dequantize.hpp>
#include <tenon/math.hpp>

#include <cmath>

namespace tenon::reference {
namespace {

class Gather final : public FileOrderKernel {
 public:
  explicit Gather(const OpView& op) : FileOrderKernel(op), scale_(op.params<tenon_gather_params>().scale) {}
  Result<void> run(const tenon_run& run) const override {
    const int64_t width = row_width(tensor(0));
    for (int64_t r = 0; r < run.n_rows; ++r) {
      float* out = row_of(run.out[0], r);
      const auto done = unpack_rows(0, run.weights[0], {run.batch->tokens + r, 1}, out, run.out[0].ld);
      if (!done) return done;
      if (scale_ == 1.0f) continue;
      for (int64_t i = 0; i < width; ++i) out[i] *= scale_;
    }
    return {};
  }

 private:
  float scale_;
};

template <bool kMultiply>
class Binary final : public FileOrderKernel {
 public:
  explicit Binary(const OpView& op) : FileOrderKernel(op), params_(op.params<tenon_binary_params>()) {}
  Result<void> run(const tenon_run& run) const override {
    for (int64_t r = 0; r < run.n_rows; ++r) {
      const float* a = row_of(run.in[0], r);
      const float* b = run.n_weights > 0 ? vector_of(run, 0) : row_of(run.in[1], params_.broadcast_b != 0 ? 0 : r);
      float* out = row_of(run.out[0], r);
      for (int64_t i = 0; i < params_.width; ++i) out[i] = kMultiply ? a[i] * b[i] : a[i] + b[i];
    }
    return {};
  }

 private:
  tenon_binary_params params_;
};

class ReduceMean final : public FileOrderKernel {
 public:
  explicit ReduceMean(const OpView& op) : FileOrderKernel(op), width_(op.params<tenon_rowwise_params>().width) {}
  Result<void> run(const tenon_run& run) const override {
    for (int64_t r = 0; r < run.n_rows; ++r) {
      const float* x = row_of(run.in[0], r);
      const double sum = eight_way_sum<double>(width_, [&](int64_t i) { return static_cast<double>(x[i]); });
      *row_of(run.out[0], r) = static_cast<float>(sum / static_cast<double>(width_));
    }
    return {};
  }

 private:
  int64_t width_;
};

class Softmax final : public FileOrderKernel {
 public:
  explicit Softmax(const OpView& op)
      : FileOrderKernel(op),
        params_(op.params<tenon_rowwise_params>()),
        exact_(elementwise_class(op) == TENON_CLASS_EXACT64) {}
  Result<void> run(const tenon_run& run) const override {
    for (int64_t r = 0; r < run.n_rows; ++r) {
      const float* x = row_of(run.in[0], r);
      float* out = row_of(run.out[0], r);
      for (int64_t i = 0; i < params_.width; ++i) out[i] = x[i] * params_.scale;
      softmax(out, params_.width, exact_);
    }
    return {};
  }

 private:
  tenon_rowwise_params params_;
  bool exact_;
};

class Rope final : public FileOrderKernel {
 public:
  explicit Rope(const OpView& op)
      : FileOrderKernel(op),
        params_(op.params<tenon_rope_params>()),
        exact_(elementwise_class(op) == TENON_CLASS_EXACT64) {}
  Result<void> run(const tenon_run& run) const override {
    for (int64_t r = 0; r < run.n_rows; ++r) {
      const float* table = row_of(run.in[params_.n_in], r);
      for (uint32_t v = 0; v < params_.n_in; ++v) {
        for (int64_t head = 0; head < params_.n_heads[v]; ++head)
          rotate(row_of(run.out[v], r) + head * params_.head_dim, table);
      }
    }
    return {};
  }

 private:
  void rotate(float* x, const float* table) const {
    const int64_t half = params_.n_dims / 2;
    for (int64_t i = 0; i < half; ++i) {
      const bool halves = params_.pairing == TENON_PAIRING_HALVES;
      float& a = x[halves ? i : 2 * i];
      float& b = x[halves ? i + half : 2 * i + 1];
      const float c = table[2 * i], s = table[2 * i + 1], a0 = a, b0 = b;
      if (exact_) {
        a = static_cast<float>(double{a0} * c - double{b0} * s);
        b = static_cast<float>(double{a0} * s + double{b0} * c);
      } else {
        a = std::fma(a0, c, -(b0 * s));
        b = std::fma(a0, s, b0 * c);
      }
    }
  }

  tenon_rope_params params_;
  bool exact_;
};

class Glu final : public FileOrderKernel {
 public:
  explicit Glu(const OpView& op)
      : FileOrderKernel(op),
        params_(op.params<tenon_glu_params>()),
        exact_(elementwise_class(op) == TENON_CLASS_EXACT64) {}
  Result<void> run(const tenon_run& run) const override {
    for (int64_t r = 0; r < run.n_rows; ++r) {
      const float* gate = row_of(run.in[0], r);
      const float* up = row_of(run.in[1], r);
      float* out = row_of(run.out[0], r);
      for (int64_t i = 0; i < params_.width; ++i) out[i] = activate(params_.activation, gate[i], up[i], exact_);
    }
    return {};
  }

 private:
  tenon_glu_params params_;
  bool exact_;
};

template <class K>
std::unique_ptr<Kernel> make(const OpView& op) {
  return std::make_unique<K>(op);
}

std::string kernel_name(const OpView& op) {
  return std::string(op.name()) + (elementwise_class(op) == TENON_CLASS_EXACT64 ? "_f64_reference" : "_f32_reference");
}

tenon_support always(const OpView& op) { return yes(kernel_name(op), elementwise_class(op), 1000); }

tenon_support gather_supports(const OpView& op) {
  const std::string problem = check_matrix(op.weight(0), "the table", TENON_CLASS_F32);
  return problem.empty() ? always(op) : no(problem);
}

tenon_support binary_supports(const OpView& op) {
  const std::string problem = check_vector(op.weight(0), "b", op.params<tenon_binary_params>().width, true);
  return problem.empty() ? always(op) : no(problem);
}

}  // namespace

OpEntry gather_entry() { return {"gather", gather_supports, make<Gather>}; }
OpEntry add_entry() { return {"add", binary_supports, make<Binary<false>>}; }
OpEntry mul_entry() { return {"mul", binary_supports, make<Binary<true>>}; }
OpEntry reduce_mean_entry() { return {"reduce_mean", always, make<ReduceMean>}; }
OpEntry softmax_entry() { return {"softmax", always, make<Softmax>}; }
OpEntry rope_entry() { return {"rope", always, make<Rope>}; }
OpEntry glu_entry() { return {"glu", always, make<Glu>}; }

}  // namespace tenon::reference
