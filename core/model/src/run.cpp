#include <tenon/base/border.hpp>
#include <tenon/model/plan.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace tenon {

void Plan::fill_rope_tables(const tenon_batch& batch) {
  for (const RopeFrequencies& rope : graph_.ropes) {
    const int64_t ld = stride(rope.value);
    float* table = data(rope.value);
    for (int64_t row = 0; row < batch.n_rows; ++row) {
      const double position = batch.positions[row];
      for (size_t i = 0; i < rope.inverse.size(); ++i) {
        const double angle = position * rope.inverse[i];
        table[row * ld + static_cast<int64_t>(2 * i)] = static_cast<float>(std::cos(angle) * rope.magnitude);
        table[row * ld + static_cast<int64_t>(2 * i + 1)] = static_cast<float>(std::sin(angle) * rope.magnitude);
      }
    }
  }
}

Result<void> Plan::run_shared_gather(const BoundOp& op, int64_t n_rows, const tenon_batch& batch) {
  const Pack& pack = packs_[static_cast<size_t>(op.shared_pack)];
  const BoundOp& owner = ops_[pack.op];
  const int out = op.spec.out[0];
  float* rows = data(out);
  const int64_t ld = stride(out), width = graph_.values[static_cast<size_t>(out)].width;
  tenon_status status = empty_status();
  const tenon_code code = call_plugin(status, [&] {
    return owner.kernel.get_deleter().api->unpack_rows(owner.kernel.get(), pack.weight, pack.bytes.data(), batch.tokens,
                                                       n_rows, rows, ld, &status);
  });
  if (code != TENON_OK) return from_status(code, status);
  const float scale = std::get<tenon_gather_params>(op.spec.params).scale;
  if (scale == 1.0f) return {};
  for (int64_t row = 0; row < n_rows; ++row) {
    for (int64_t i = 0; i < width; ++i) rows[row * ld + i] *= scale;
  }
  return {};
}

Result<void> Plan::run_op(BoundOp& op, int64_t n_rows, const tenon_batch& batch, std::span<std::byte* const> kv,
                          const tenon_exec& exec) {
  if (op.shared_pack != kAbsent) return run_shared_gather(op, n_rows, batch);
  constexpr size_t kMost = 8;  // buffers of one op: four inputs and a table, or four outputs
  std::array<tenon_buffer, kMost> in, out;
  std::array<const void*, TENON_MOE_N_WEIGHTS> weights{}, dense{};
  std::array<uint32_t, TENON_MOE_N_WEIGHTS> dense_parts{};
  for (size_t i = 0; i < op.spec.in.size(); ++i) in[i] = {data(op.spec.in[i]), stride(op.spec.in[i])};
  for (size_t i = 0; i < op.spec.out.size(); ++i) out[i] = {data(op.spec.out[i]), stride(op.spec.out[i])};
  for (size_t i = 0; i < op.packs.size(); ++i) {
    if (op.packs[i] == kAbsent) continue;
    const Pack& pack = packs_[static_cast<size_t>(op.packs[i])];
    weights[i] = pack.bytes.data();
    if (pack.dense_parts == 0) continue;
    dense[i] = pack.dense.data();
    dense_parts[i] = pack.dense_parts;
  }
  tenon_run run{};
  run.size = sizeof run;
  run.n_in = static_cast<uint32_t>(op.spec.in.size());
  run.n_out = static_cast<uint32_t>(op.spec.out.size());
  run.n_weights = static_cast<uint32_t>(op.packs.size());
  run.n_rows = n_rows;
  run.in = in.data();
  run.out = out.data();
  run.weights = weights.data();
  run.workspace = workspace_.data();
  run.workspace_bytes = memory_.workspace;
  run.batch = &batch;
  run.kv = op.spec.kv_layer == kAbsent ? nullptr : kv[static_cast<size_t>(op.spec.kv_layer)];
  run.exec = &exec;
  run.dense = dense.data();
  run.dense_parts = dense_parts.data();
  tenon_status status = empty_status();
  const tenon_code code =
      call_plugin(status, [&] { return op.kernel.get_deleter().api->run(op.kernel.get(), &run, &status); });
  if (code == TENON_OK) return {};
  return Error{code, fmt::format("{} of {} by plug-in '{}': {}", op.spec.name, op.spec.label, op.backend,
                                 from_status(code, status).error().message)};
}

Result<void> Plan::run_layers(const tenon_batch& batch, std::span<std::byte* const> kv, const tenon_exec& exec) {
  fill_rope_tables(batch);
  for (BoundOp& op : ops_) {
    if (op.spec.stage == Stage::head) break;
    if (exec.cancelled(exec.self) != 0) return Error{TENON_CANCELLED, "interrupted"};
    auto ran = run_op(op, batch.n_rows, batch, kv, exec);
    if (!ran) return ran;
  }
  return {};
}

Result<std::span<float>> Plan::run_head(std::span<const int64_t> rows, const tenon_batch& batch,
                                        const tenon_exec& exec) {
  const float* hidden = data(graph_.hidden);
  float* selected = data(graph_.head_input);
  const int64_t from_ld = stride(graph_.hidden), to_ld = stride(graph_.head_input);
  const auto width = static_cast<size_t>(graph_.values[static_cast<size_t>(graph_.hidden)].width);
  for (size_t i = 0; i < rows.size(); ++i) {
    std::copy_n(hidden + rows[i] * from_ld, width, selected + static_cast<int64_t>(i) * to_ld);
  }
  for (BoundOp& op : ops_) {
    if (op.spec.stage != Stage::head) continue;
    auto ran = run_op(op, static_cast<int64_t>(rows.size()), batch, {}, exec);
    if (!ran) return ran.error();
  }
  return std::span(data(graph_.logits), rows.size() * static_cast<size_t>(logits_stride()));
}

}  // namespace tenon
