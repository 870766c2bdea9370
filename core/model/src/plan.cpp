// Choosing kernels and laying out memory. Loading and running are in load.cpp and run.cpp.
#include <tenon/base/border.hpp>
#include <tenon/model/plan.hpp>

#include <tenon/base/cpu.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace tenon {
namespace {

constexpr int64_t kRowAlignment = 16;  // in f32: rows start on cache lines
constexpr uint64_t kMostKvPageBytes = uint64_t{1} << 32;

uint64_t aligned(uint64_t bytes) { return (bytes + 63) / 64 * 64; }

Error broken_contract(const BoundOp& op, std::string_view what) {
  return {TENON_INTERNAL, fmt::format("PLUGIN_CONTRACT: plug-in '{}', {} of {}: {}; the plug-in must be mended, or "
                                      "another backend named in backends.order",
                                      op.backend, op.spec.name, op.spec.label, what)};
}

std::string_view layout_of(const char (&layout)[TENON_LAYOUT_BYTES]) {
  return {layout, static_cast<size_t>(std::find(layout, layout + TENON_LAYOUT_BYTES, '\0') - layout)};
}

}  // namespace

Result<Plan> Plan::bind(Graph graph, std::span<const Offer<tenon_kernel_api>> backends, const PlanSettings& settings) {
  Plan plan;
  plan.graph_ = std::move(graph);
  plan.settings_ = settings;
  auto rules = check_rules(backends, settings.rules);
  if (!rules) return rules.error();
  std::vector<OpSpec> specs = std::move(plan.graph_.ops);
  for (OpSpec& spec : specs) {
    auto bound = plan.bind_op(std::move(spec), backends);
    if (!bound) return bound.error();
  }
  auto packs = plan.plan_packs();
  if (!packs) return packs.error();
  auto memory = plan.plan_memory();
  if (!memory) return memory.error();
  return plan;
}

Result<void> Plan::bind_op(OpSpec spec, std::span<const Offer<tenon_kernel_api>> backends) {
  std::vector<tenon_tensor> weights;
  const tenon_op op = make_op(spec, graph_, settings_, weights);
  auto resolution = resolve(backends, settings_.rules, op);
  const bool first_choice = resolution && (resolution->by_rule || settings_.rules.order.empty() ||
                                           resolution->candidates[static_cast<size_t>(resolution->chosen)].backend ==
                                               settings_.rules.order.front());
  if (!first_choice) {
    // A coarse op in parts on the preferred backend is better than whole on a later one; where no part goes there
    // either, whole is better. A pin is never split.
    const auto n_values = static_cast<std::ptrdiff_t>(graph_.values.size());
    const std::vector<OpSpec> parts = split_op(spec, graph_);
    if (!parts.empty() && (!resolution || any_part_preferred(parts, backends))) {
      for (const OpSpec& part : parts) {
        auto bound = bind_op(part, backends);
        if (!bound) return bound;
      }
      return {};
    }
    graph_.values.erase(graph_.values.begin() + n_values, graph_.values.end());
  }
  if (!resolution) {
    return Error{resolution.error().code,
                 fmt::format("{}\n(op {} of {})", resolution.error().message, spec.name, spec.label)};
  }
  const std::string& chosen = resolution->candidates[static_cast<size_t>(resolution->chosen)].backend;
  const auto offer = std::ranges::find(backends, chosen, &Offer<tenon_kernel_api>::plugin_id);
  return take_kernel(std::move(spec), std::move(*resolution), *offer);
}

bool Plan::any_part_preferred(std::span<const OpSpec> parts, std::span<const Offer<tenon_kernel_api>> backends) const {
  const auto preferred =
      std::ranges::find(backends, settings_.rules.order.front(), &Offer<tenon_kernel_api>::plugin_id);
  if (preferred == backends.end()) return false;
  return std::ranges::any_of(parts, [&](const OpSpec& part) {
    std::vector<tenon_tensor> weights;
    const tenon_op op = make_op(part, graph_, settings_, weights);
    auto resolution = resolve(backends, settings_.rules, op);
    return resolution &&
           (resolution->by_rule ||
            resolution->candidates[static_cast<size_t>(resolution->chosen)].backend == preferred->plugin_id);
  });
}

Result<void> Plan::take_kernel(OpSpec spec, Resolution resolution, const Offer<tenon_kernel_api>& offer) {
  BoundOp bound;
  bound.support = resolution.candidates[static_cast<size_t>(resolution.chosen)].support;
  bound.backend = offer.plugin_id;
  bound.spec = std::move(spec);
  bound.resolution = std::move(resolution);
  const bool varies = bound.support.row_invariant == 0 || bound.support.thread_invariant == 0;
  if (varies && !settings_.relaxed) {
    return invalid(
        fmt::format("kernel '{}' of plug-in '{}' ({} of {}) may give other bits for another number of rows or "
                    "threads; write 'runtime: {{determinism: relaxed}}' to allow that, or take another backend",
                    bound.support.kernel, bound.backend, bound.spec.name, bound.spec.label));
  }
  std::vector<tenon_tensor> weights;
  const tenon_op op = make_op(bound.spec, graph_, settings_, weights);
  void* kernel = nullptr;
  tenon_status status = empty_status();
  const tenon_code code =
      call_plugin(status, [&] { return offer.api->create(offer.api->self, &op, &kernel, &status); });
  if (code != TENON_OK) {
    return Error{code,
                 fmt::format("plug-in '{}' said it supports {} of {} and then failed to make it: {}", bound.backend,
                             bound.spec.name, bound.spec.label, from_status(code, status).error().message)};
  }
  if (kernel == nullptr) return broken_contract(bound, "create succeeded without a kernel");
  bound.kernel = std::unique_ptr<void, KernelDeleter>(kernel, KernelDeleter{offer.api});
  ops_.push_back(std::move(bound));
  return {};
}

// ---- packs

Result<void> Plan::plan_pack(size_t index, uint32_t weight) {
  BoundOp& op = ops_[index];
  const int tensor = op.spec.weights[weight];
  const tenon_kernel_api& api = *op.kernel.get_deleter().api;
  tenon_pack_plan plan{};
  plan.size = sizeof plan;
  tenon_status status = empty_status();
  const tenon_code code = call_plugin(status, [&] { return api.pack_plan(op.kernel.get(), weight, &plan, &status); });
  if (code != TENON_OK) return from_status(code, status);
  const Weight& info = graph_.tensors[static_cast<size_t>(tensor)];
  // One-bit codes widened to f32 grow 32-fold; more is a mistake, not a layout.
  const uint64_t most = info.bytes * 32 + (1u << 20);
  if (plan.bytes == 0 || plan.bytes > most) {
    return broken_contract(op, fmt::format("asks for {} bytes to pack '{}' of {} bytes, expected from 1 to {}",
                                           plan.bytes, info.name, info.bytes, most));
  }
  if (plan.dense_bytes > (uint64_t{1} << 40) ||
      (plan.dense_bytes > 0 && (plan.dense_parts == 0 || api.expand == nullptr))) {
    return broken_contract(op, fmt::format("asks for {} expanded parts of {} bytes of '{}' and cannot fill them",
                                           plan.dense_parts, plan.dense_bytes, info.name));
  }
  const auto same = std::ranges::find_if(packs_, [&](const Pack& pack) {
    return pack.tensor == tensor && layout_of(pack.plan.layout) == layout_of(plan.layout) &&
           pack.plan.bytes == plan.bytes && pack.plan.dense_bytes == plan.dense_bytes;
  });
  op.packs[weight] = static_cast<int>(same - packs_.begin());
  if (same == packs_.end()) packs_.push_back({tensor, plan, index, weight, Buffer()});
  return {};
}

Result<void> Plan::plan_packs() {
  for (BoundOp& op : ops_) op.packs.assign(op.spec.weights.size(), kAbsent);
  for (size_t i = 0; i < ops_.size(); ++i) {
    if (ops_[i].spec.name == "gather") continue;
    for (uint32_t w = 0; w < ops_[i].spec.weights.size(); ++w) {
      if (ops_[i].spec.weights[w] == kAbsent) continue;
      auto planned = plan_pack(i, w);
      if (!planned) return planned;
    }
  }
  // Tied embeddings are kept once: a gather reads the pack of the op that multiplies by the same tensor.
  for (size_t i = 0; i < ops_.size(); ++i) {
    if (ops_[i].spec.name != "gather") continue;
    const auto owner = std::ranges::find(packs_, ops_[i].spec.weights[0], &Pack::tensor);
    if (owner != packs_.end()) {
      const BoundOp& op = ops_[owner->op];
      const tenon_kernel_api& api = *op.kernel.get_deleter().api;
      tenon_status status = empty_status();
      const auto gives_rows = [&] {
        return api.unpack_rows(op.kernel.get(), owner->weight, nullptr, nullptr, 0, nullptr, 0, &status);
      };
      if (api.unpack_rows != nullptr && call_plugin(status, gives_rows) == TENON_OK) {
        ops_[i].shared_pack = static_cast<int>(owner - packs_.begin());
        continue;
      }
    }
    auto planned = plan_pack(i, 0);
    if (!planned) return planned;
  }
  return {};
}

/// Parts are kept in the order of the ops until the budget is used up: known before loading, the same in every run.
void Plan::plan_dense() {
  uint64_t left = settings_.dense_bytes;
  for (Pack& pack : packs_) {
    if (pack.plan.dense_bytes == 0) continue;
    const uint64_t part = aligned(pack.plan.dense_bytes);
    pack.dense_parts = static_cast<uint32_t>(std::min<uint64_t>(pack.plan.dense_parts, left / part));
    memory_.dense += part * pack.dense_parts;
    left -= part * pack.dense_parts;
  }
}

// ---- memory

int64_t Plan::stride(int value) const {
  const int64_t width = graph_.values[static_cast<size_t>(value)].width;
  return (width + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
}

int64_t Plan::rows_of_value(int value) const {
  return graph_.values[static_cast<size_t>(value)].stage == Stage::head ? settings_.max_head_rows : settings_.max_rows;
}

float* Plan::data(int value) {
  return reinterpret_cast<float*>(values_.data() + value_offsets_[static_cast<size_t>(value)]);
}

Result<void> Plan::plan_memory() {
  for (size_t i = 0; i < graph_.values.size(); ++i) {
    const int value = static_cast<int>(i);
    value_offsets_.push_back(memory_.activations);
    memory_.activations += aligned(static_cast<uint64_t>(stride(value) * rows_of_value(value)) * sizeof(float));
  }
  for (const Pack& pack : packs_) {
    memory_.packed += aligned(pack.plan.bytes);
    const Weight& weight = graph_.tensors[static_cast<size_t>(pack.tensor)];
    memory_.staging = std::max(memory_.staging, weight.bytes + weight.scratch_bytes);
  }
  plan_dense();
  memory_.program = resident_memory();
  kv_page_bytes_.assign(static_cast<size_t>(graph_.n_kv_layers), 0);
  for (BoundOp& op : ops_) {
    const tenon_kernel_api& api = *op.kernel.get_deleter().api;
    tenon_status status = empty_status();
    uint64_t bytes = 0;
    const int64_t rows = op.spec.stage == Stage::head ? settings_.max_head_rows : settings_.max_rows;
    tenon_code code = call_plugin(status, [&] {
      return api.workspace_bytes(op.kernel.get(), rows, settings_.n_threads, settings_.context, &bytes, &status);
    });
    if (code != TENON_OK) return from_status(code, status);
    if (bytes > (uint64_t{1} << 40)) return broken_contract(op, fmt::format("asks for {} bytes of workspace", bytes));
    memory_.workspace = std::max(memory_.workspace, bytes);
    if (op.spec.kv_layer == kAbsent) continue;
    op.kv.size = sizeof op.kv;
    code = call_plugin(status, [&] {
      return api.kv_plan == nullptr ? tenon_code{TENON_UNSUPPORTED} : api.kv_plan(op.kernel.get(), &op.kv, &status);
    });
    if (code != TENON_OK) return broken_contract(op, "an attention kernel must answer kv_plan");
    if (op.kv.page_bytes == 0 || op.kv.page_bytes > kMostKvPageBytes || op.kv.page_bytes % 64 != 0) {
      return broken_contract(op, fmt::format("asks for kv pages of {} bytes, expected a multiple of 64 from 64 to {}",
                                             op.kv.page_bytes, kMostKvPageBytes));
    }
    kv_page_bytes_[static_cast<size_t>(op.spec.kv_layer)] = op.kv.page_bytes;
    memory_.kv_page += op.kv.page_bytes;
  }
  return {};
}

}  // namespace tenon
