#include <tenon/model/plan.hpp>

namespace tenon {
namespace {

/// The part of one weight's pack that one row reads.
double share_of_a_row(const OpSpec& op, uint32_t weight, const tenon_tensor& shape) {
  if (op.name == "gather") return 1.0 / static_cast<double>(shape.dims[0]);
  if (op.name != "moe") return 1.0;
  switch (weight) {
    case TENON_MOE_GATE:
    case TENON_MOE_UP:
    case TENON_MOE_DOWN:
    case TENON_MOE_GATE_BIAS:
    case TENON_MOE_UP_BIAS:
    case TENON_MOE_DOWN_BIAS: {
      const auto& params = std::get<tenon_moe_params>(op.params);
      return static_cast<double>(params.experts_used) / static_cast<double>(params.n_experts);
    }
    default: return 1.0;
  }
}

}  // namespace

uint64_t Plan::decode_bytes() const {
  double bytes = 0;
  for (const BoundOp& op : ops_) {
    for (uint32_t w = 0; w < op.spec.weights.size(); ++w) {
      if (op.spec.weights[w] == kAbsent) continue;
      const int pack = op.packs[w] == kAbsent ? op.shared_pack : op.packs[w];
      if (pack == kAbsent) continue;
      const tenon_tensor& shape = graph_.tensors[static_cast<size_t>(op.spec.weights[w])].shape;
      bytes += static_cast<double>(packs_[static_cast<size_t>(pack)].plan.bytes) * share_of_a_row(op.spec, w, shape);
    }
  }
  return static_cast<uint64_t>(bytes);
}

}  // namespace tenon
