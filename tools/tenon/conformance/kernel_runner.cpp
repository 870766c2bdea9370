#include <conformance/kernel_runner.hpp>
#include <tenon/base/border.hpp>

#include <algorithm>
#include <chrono>

namespace tenon::conformance {
namespace {

Error overran(std::string text) { return {TENON_INTERNAL, "PLUGIN_OVERRUN: " + std::move(text)}; }

Error broke_contract(std::string text) { return {TENON_INTERNAL, "PLUGIN_CONTRACT: " + std::move(text)}; }

/// Calls a slot that answers with a code and a status.
template <class F>
Result<void> ask_slot(F&& slot) {
  tenon_status status = empty_status();
  const tenon_code code = call_plugin(status, [&] { return slot(&status); });
  return from_status(code, status);
}

/// The op as it crosses the border; points into `made` and `tensors`.
tenon_op describe(const OpCase& made, std::vector<tenon_tensor>& tensors) {
  for (const Weight& w : made.weights) tensors.push_back(w.tensor);
  tenon_op op{};
  op.size = sizeof op;
  op.revision = made.revision;
  op.name = made.name.c_str();
  op.numeric_class = made.numeric_class;
  op.n_weights = static_cast<uint32_t>(tensors.size());
  op.weights = tensors.data();
  op.params = made.params.data();
  op.max_rows = made.max_rows;
  return op;
}

std::string weight_name(uint32_t index) { return "weight " + std::to_string(index); }

/// Bytes from the start of one expanded part to that of the next.
uint64_t part_stride(const tenon_pack_plan& plan) { return (plan.dense_bytes + 63) / 64 * 64; }

/// The batch of a run, with what it points to.
struct Batch {
  std::vector<int32_t> positions;
  std::vector<tenon_batch_sequence> sequences;
  int64_t longest = 0;  // cached positions of the longest sequence
  tenon_batch view{};

  Batch(const RunInput& input, int64_t n_rows) : positions(static_cast<size_t>(n_rows)) {
    int64_t row = 0;
    for (const SequenceRows& s : input.sequences) {
      sequences.push_back({row, s.n_rows, s.first_position, s.pages.data(), static_cast<int64_t>(s.pages.size())});
      for (int64_t i = 0; i < s.n_rows; ++i) {
        positions[static_cast<size_t>(row + i)] = static_cast<int32_t>(s.first_position + i);
      }
      row += s.n_rows;
      longest = std::max(longest, s.first_position + s.n_rows);
    }
    view = {sizeof view,
            0,
            n_rows,
            input.tokens.data(),
            positions.data(),
            sequences.data(),
            static_cast<int64_t>(sequences.size())};
  }
};

}  // namespace

tenon_support BoundKernel::ask(const tenon_kernel_api& api, const OpCase& made) {
  std::vector<tenon_tensor> tensors;
  const tenon_op op = describe(made, tensors);
  tenon_support answer{};
  answer.size = sizeof answer;
  tenon_status status = empty_status();
  const tenon_code code = call_plugin(status, [&] {
    api.supports(api.self, &op, &answer);
    return TENON_OK;
  });
  answer.kernel[sizeof answer.kernel - 1] = answer.reason[sizeof answer.reason - 1] = '\0';
  if (code == TENON_OK) return answer;
  answer = {};
  copy_text(answer.reason, sizeof answer.reason, std::string("supports() threw: ") + status.message);
  return answer;
}

Result<std::unique_ptr<BoundKernel>> BoundKernel::make(const tenon_kernel_api& api, const OpCase& made,
                                                       uint32_t n_threads) {
  std::unique_ptr<BoundKernel> bound(new BoundKernel(api));
  if (const auto done = bound->bind(made); !done) return done.error();
  ThreadPool pool(n_threads);
  for (uint32_t i = 0; i < made.weights.size(); ++i) {
    if (const auto done = bound->pack(made.weights[i], i, pool); !done) return done.error();
  }
  return bound;
}

BoundKernel::~BoundKernel() {
  if (kernel_ != nullptr) api_.destroy(kernel_);
}

Result<void> BoundKernel::bind(const OpCase& made) {
  std::vector<tenon_tensor> tensors;
  const tenon_op op = describe(made, tensors);
  support_ = ask(api_, made);
  if (support_.supported == 0) return unsupported(support_.reason);
  auto done = ask_slot([&](tenon_status* status) { return api_.create(api_.self, &op, &kernel_, status); });
  if (done && kernel_ == nullptr) return broke_contract("create said OK and gave no kernel");
  return done;
}

Result<void> BoundKernel::pack(const Weight& weight, uint32_t index, ThreadPool& pool) {
  packs_.emplace_back();
  dense_.emplace_back();
  pack_plans_.emplace_back();
  if (is_absent(weight.tensor)) return {};
  tenon_pack_plan& plan = pack_plans_.back();
  plan.size = sizeof plan;
  auto done = ask_slot([&](tenon_status* status) { return api_.pack_plan(kernel_, index, &plan, status); });
  if (!done) return done;
  // An f32 copy of 4-bit weights is eight times as large; more than 64 times is a mistake of units.
  if (plan.bytes == 0 || plan.bytes > 64 * weight.bytes.size() + (uint64_t{1} << 20)) {
    return broke_contract("pack_plan of " + weight_name(index) + " asks for " + std::to_string(plan.bytes) +
                          " bytes, the weight has " + std::to_string(weight.bytes.size()));
  }
  const std::string name = weight_name(index);
  GuardedBuffer source(weight.bytes.size(), std::byte{0}, "the source of " + name, 1);
  std::copy(weight.bytes.begin(), weight.bytes.end(), source.data());
  packs_.back() = GuardedBuffer(plan.bytes, std::byte{0xFF}, "the pack of " + name, std::max(64u, plan.alignment));
  const tenon_exec exec = pool.exec(nullptr);
  done = ask_slot([&](tenon_status* status) {
    return api_.pack(kernel_, index, source.data(), packs_.back().data(), &exec, status);
  });
  if (!done) return done;
  for (const GuardedBuffer* each : {&source, &packs_.back()}) {
    if (const std::string text = each->overrun(); !text.empty()) return overran(text + " in pack");
  }
  return {};
}

Result<tenon_kv_plan> BoundKernel::kv_plan() const {
  tenon_kv_plan plan{};
  plan.size = sizeof plan;
  if (api_.kv_plan == nullptr) return broke_contract("attention is supported and there is no kv_plan");
  const auto done = ask_slot([&](tenon_status* status) { return api_.kv_plan(kernel_, &plan, status); });
  if (!done) return done.error();
  if (plan.page_bytes == 0 || plan.page_bytes % 64 != 0) {
    return broke_contract("kv_plan asks for pages of " + std::to_string(plan.page_bytes) +
                          " bytes, expected a multiple of 64");
  }
  return plan;
}

Result<Rows> BoundKernel::unpack_rows(uint32_t index, const std::vector<int32_t>& rows, int64_t width) const {
  if (api_.unpack_rows == nullptr) return unsupported("there is no unpack_rows");
  RowBuffer out(static_cast<int64_t>(rows.size()), width, DType::f32, "the unpacked rows");
  const tenon_buffer view = out.view();
  const auto done = ask_slot([&](tenon_status* status) {
    return api_.unpack_rows(kernel_, index, packs_[index].data(), rows.data(), static_cast<int64_t>(rows.size()),
                            static_cast<float*>(view.data), view.ld, status);
  });
  if (!done) return done.error();
  if (const std::string text = out.overrun(); !text.empty()) return overran(text);
  return out.get();
}

bool BoundKernel::wants_dense() const {
  return std::ranges::any_of(pack_plans_, [](const tenon_pack_plan& plan) { return plan.dense_bytes > 0; });
}

Result<void> BoundKernel::expand() {
  ThreadPool pool(2);
  const tenon_exec exec = pool.exec(nullptr);
  for (uint32_t i = 0; i < pack_plans_.size(); ++i) {
    const tenon_pack_plan& plan = pack_plans_[i];
    if (plan.dense_bytes == 0) continue;
    if (api_.expand == nullptr) return broke_contract("a pack plan has dense bytes and there is no expand");
    const uint32_t n_parts = std::max(1u, plan.dense_parts);
    dense_[i] = GuardedBuffer((n_parts - 1) * part_stride(plan) + plan.dense_bytes, std::byte{0xFF},
                              "the expanded " + weight_name(i));
    for (uint32_t part = 0; part < n_parts; ++part) {
      const auto done = ask_slot([&](tenon_status* status) {
        return api_.expand(kernel_, i, part, packs_[i].data(), dense_[i].data() + part * part_stride(plan), &exec,
                           status);
      });
      if (!done) return done;
    }
    if (const std::string text = dense_[i].overrun(); !text.empty()) return overran(text + " in expand");
  }
  return {};
}

Result<std::vector<Rows>> BoundKernel::run(const RunInput& input) const {
  int64_t n_rows = input.n_rows;
  if (n_rows < 0) n_rows = input.in.empty() ? static_cast<int64_t>(input.tokens.size()) : input.in[0].n;
  std::vector<RowBuffer> in, own;
  for (const Rows& rows : input.in) {
    in.emplace_back(rows.n, rows.width, input.dtype, "input " + std::to_string(in.size()));
    in.back().set(rows);
  }
  for (const int64_t width : input.out_widths) {
    own.emplace_back(n_rows, width, input.dtype, "output " + std::to_string(own.size()));
  }
  const auto output = [&](size_t i) -> RowBuffer& {
    const int shared = input.same_as.empty() ? -1 : input.same_as[i];
    return shared < 0 ? own[i] : in[static_cast<size_t>(shared)];
  };
  std::vector<tenon_buffer> in_views, out_views;
  for (RowBuffer& buffer : in) in_views.push_back(buffer.view());
  for (size_t i = 0; i < own.size(); ++i) out_views.push_back(output(i).view());
  if (const auto done = run_views(input, n_rows, in_views, out_views); !done) return done.error();
  std::vector<Rows> results;
  for (const RowBuffer& buffer : in) {
    if (const std::string text = buffer.overrun(); !text.empty()) return overran(text);
  }
  for (size_t i = 0; i < own.size(); ++i) {
    if (const std::string text = output(i).overrun(); !text.empty()) return overran(text);
    results.push_back(output(i).get());
  }
  return results;
}

Result<void> BoundKernel::run_views(const RunInput& input, int64_t n_rows, std::span<const tenon_buffer> in,
                                    std::span<const tenon_buffer> out) const {
  std::vector<const void*> weights, dense;
  std::vector<uint32_t> dense_parts;
  for (size_t i = 0; i < packs_.size(); ++i) {
    const tenon_pack_plan& plan = pack_plans_[i];
    weights.push_back(plan.bytes == 0 ? nullptr : packs_[i].data());
    const bool kept = input.dense != Dense::none && dense_[i].size() > 0;
    dense.push_back(kept ? dense_[i].data() : nullptr);
    dense_parts.push_back(!kept ? 0 : (input.dense == Dense::all ? std::max(1u, plan.dense_parts) : 1));
  }
  const Batch batch(input, n_rows);
  ThreadPool pool(input.n_threads);
  const tenon_exec exec = pool.exec(nullptr);
  uint64_t bytes = 0;
  auto done = ask_slot([&](tenon_status* status) {
    return api_.workspace_bytes(kernel_, n_rows, input.n_threads, batch.longest, &bytes, status);
  });
  if (!done) return done;
  if (bytes > uint64_t{1} << 32)
    return broke_contract("a workspace of " + std::to_string(bytes) + " bytes is asked for");
  GuardedBuffer workspace(bytes, input.workspace_fill, "the workspace");
  tenon_run run{};
  run.size = sizeof run;
  run.n_in = static_cast<uint32_t>(in.size());
  run.n_out = static_cast<uint32_t>(out.size());
  run.n_weights = static_cast<uint32_t>(weights.size());
  run.n_rows = n_rows;
  run.in = in.data();
  run.out = out.data();
  run.weights = weights.data();
  run.workspace = workspace.data();
  run.workspace_bytes = bytes;
  run.batch = &batch.view;
  run.kv = input.kv == nullptr ? nullptr : input.kv->data();
  run.exec = &exec;
  run.dense = dense.data();
  run.dense_parts = dense_parts.data();
  done = call(input, run);
  if (!done) return done;
  if (const std::string text = workspace.overrun(); !text.empty()) return overran(text);
  for (size_t i = 0; i < packs_.size(); ++i) {
    for (const GuardedBuffer* each : {&packs_[i], &dense_[i]}) {
      if (const std::string text = each->overrun(); !text.empty()) return overran(text);
    }
  }
  if (input.kv == nullptr) return {};
  const std::string text = input.kv->overrun();
  return text.empty() ? Result<void>() : overran(text);
}

Result<void> BoundKernel::call(const RunInput& input, tenon_run run) const {
  const int64_t before = input.allocations == nullptr ? 0 : input.allocations();
  const auto start = std::chrono::steady_clock::now();
  tenon_status status = empty_status();
  tenon_code code = TENON_OK;
  for (int i = 0; i < input.repeat && code == TENON_OK; ++i) {
    code = call_plugin(status, [&] { return api_.run(kernel_, &run, &status); });
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  if (input.seconds != nullptr) *input.seconds = taken.count();
  if (input.allocations != nullptr) *input.allocated = input.allocations() - before;
  return from_status(code, status);
}

}  // namespace tenon::conformance
