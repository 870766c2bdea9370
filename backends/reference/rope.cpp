// rope: rotates pairs (a, b) of the first n_dims of each head by the table's (c, s), in place: a' = fma(a, c, -(b *
// s)), b' = fma(a, s, b * c). exact64: in f64. Pairs are (2i, 2i + 1), or (i, i + n_dims / 2) with pairing halves.
#include "elementwise.hpp"

namespace tenon::reference {
namespace {

class Rope final : public FileOrderKernel {
 public:
  explicit Rope(const OpView& op)
      : FileOrderKernel(op), params_(op.params<tenon_rope_params>()), exact_(is_exact(op)) {}

  Result<void> run(const tenon_run& run) const override {
    return for_each_row(run, [&](int64_t r) {
      const float* table = row_of(run.in[params_.n_in], r);
      for (uint32_t v = 0; v < params_.n_in; ++v) {
        for (int64_t head = 0; head < params_.n_heads[v]; ++head) {
          rotate(row_of(run.out[v], r) + head * params_.head_dim, table);
        }
      }
    });
  }

 private:
  void rotate(float* x, const float* table) const {
    const bool halves = params_.pairing == TENON_PAIRING_HALVES;
    const int64_t n_pairs = params_.n_dims / 2;
    for (int64_t i = 0; i < n_pairs; ++i) {
      float& first = x[halves ? i : 2 * i];
      float& second = x[halves ? i + n_pairs : 2 * i + 1];
      const float a = first, b = second, c = table[2 * i], s = table[2 * i + 1];
      if (exact_) {
        first = static_cast<float>(double{a} * double{c} - double{b} * double{s});
        second = static_cast<float>(double{a} * double{s} + double{b} * double{c});
      } else {
        first = std::fma(a, c, -(b * s));
        second = std::fma(a, s, b * c);
      }
    }
  }

  tenon_rope_params params_;
  bool exact_;
};

tenon_support supports(const OpView& op) {
  const auto params = op.params<tenon_rope_params>();
  const std::string problem = check_rope(op);
  return elementwise_answer(op, problem, problem.empty() ? params.n_dims * params.n_in * params.n_heads[0] : 0);
}

}  // namespace

OpEntry rope_entry() { return {"rope", supports, make_kernel<Rope>}; }

}  // namespace tenon::reference
