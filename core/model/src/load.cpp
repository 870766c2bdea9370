#include <tenon/base/border.hpp>
#include <tenon/model/plan.hpp>

#include <fmt/format.h>

namespace tenon {

Result<void> Plan::fill(Pack& pack, std::span<const std::byte> source, const tenon_exec& exec) {
  const BoundOp& op = ops_[pack.op];
  const tenon_kernel_api& api = *op.kernel.get_deleter().api;
  const auto failed = [&](tenon_code code, const tenon_status& status) {
    return Error{code,
                 fmt::format("packing '{}' by plug-in '{}': {}", graph_.tensors[static_cast<size_t>(pack.tensor)].name,
                             op.backend, from_status(code, status).error().message)};
  };
  pack.bytes = Buffer(pack.plan.bytes);
  tenon_status status = empty_status();
  tenon_code code = call_plugin(
      status, [&] { return api.pack(op.kernel.get(), pack.weight, source.data(), pack.bytes.data(), &exec, &status); });
  if (code != TENON_OK) return failed(code, status);
  if (pack.dense_parts == 0) return {};
  const uint64_t part_bytes = (pack.plan.dense_bytes + 63) / 64 * 64;
  pack.dense = Buffer(part_bytes * pack.dense_parts);
  for (uint32_t part = 0; part < pack.dense_parts; ++part) {
    code = call_plugin(status, [&] {
      return api.expand(op.kernel.get(), pack.weight, part, pack.bytes.data(), pack.dense.data() + part * part_bytes,
                        &exec, &status);
    });
    if (code != TENON_OK) return failed(code, status);
  }
  return {};
}

Result<void> Plan::load(const ModelSource& model, const tenon_exec& exec, const Progress& progress) {
  uint64_t total = 0, done = 0;
  std::vector<std::vector<size_t>> by_tensor(graph_.tensors.size());
  for (size_t i = 0; i < packs_.size(); ++i) {
    std::vector<size_t>& packs = by_tensor[static_cast<size_t>(packs_[i].tensor)];
    if (packs.empty()) total += graph_.tensors[static_cast<size_t>(packs_[i].tensor)].bytes;
    packs.push_back(i);
  }
  Buffer staging(memory_.staging);
  for (size_t t = 0; t < by_tensor.size(); ++t) {
    if (by_tensor[t].empty()) continue;
    const Weight& weight = graph_.tensors[t];
    const std::span<std::byte> bytes(staging.data(), static_cast<size_t>(weight.bytes));
    auto read = read_weight(model, weight, bytes, {bytes.data() + bytes.size(), weight.scratch_bytes});
    if (!read) return read;
    for (const size_t index : by_tensor[t]) {
      auto filled = fill(packs_[index], bytes, exec);
      if (!filled) return filled;
    }
    done += weight.bytes;
    if (progress) progress(done, total);
    if (exec.cancelled(exec.self) != 0) return Error{TENON_CANCELLED, "loading was interrupted"};
  }
  staging = Buffer();
  values_ = Buffer(memory_.activations);
  workspace_ = Buffer(memory_.workspace);
  return {};
}

}  // namespace tenon
