#include <tenon/base/border.hpp>
#include <tenon/model/plan.hpp>

#include <fmt/format.h>

namespace tenon {

Result<void> Plan::load(const ModelSource& model, const tenon_exec& exec, const Progress& progress) {
  values_ = Buffer(memory_.activations);
  workspace_ = Buffer(memory_.workspace);
  uint64_t total = 0, done = 0;
  std::vector<std::vector<size_t>> by_tensor(graph_.tensors.size());
  for (size_t i = 0; i < packs_.size(); ++i) {
    std::vector<size_t>& packs = by_tensor[static_cast<size_t>(packs_[i].tensor)];
    if (packs.empty()) total += graph_.tensors[static_cast<size_t>(packs_[i].tensor)]->bytes;
    packs.push_back(i);
  }
  Buffer staging(memory_.staging);
  for (size_t t = 0; t < by_tensor.size(); ++t) {
    if (by_tensor[t].empty()) continue;
    const ModelSource::Tensor& tensor = *graph_.tensors[t];
    auto read = model.read(tensor, {staging.data(), static_cast<size_t>(tensor.bytes)});
    if (!read) return read;
    for (const size_t index : by_tensor[t]) {
      Pack& pack = packs_[index];
      const BoundOp& op = ops_[pack.op];
      pack.bytes = Buffer(pack.plan.bytes);
      tenon_status status = empty_status();
      const tenon_code code = call_plugin(status, [&] {
        return op.kernel.get_deleter().api->pack(op.kernel.get(), pack.weight, staging.data(), pack.bytes.data(), &exec,
                                                 &status);
      });
      if (code != TENON_OK) {
        return Error{code, fmt::format("packing '{}' by plug-in '{}': {}", tensor.name, op.backend,
                                       from_status(code, status).error().message)};
      }
    }
    done += tensor.bytes;
    if (progress) progress(done, total);
    if (exec.cancelled(exec.self) != 0) return Error{TENON_CANCELLED, "loading was interrupted"};
  }
  return {};
}

}  // namespace tenon
