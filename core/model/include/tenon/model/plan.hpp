// A graph bound to kernels, with its weights packed and its memory laid out: everything that a step runs.
#pragma once

#include <tenon/base/buffer.hpp>
#include <tenon/model/graph.hpp>
#include <tenon/model/source.hpp>
#include <tenon/registry/resolve.hpp>
#include <tenon/result.hpp>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tenon {

struct PlanSettings {
  ResolveRules rules;
  uint32_t numeric_class = TENON_CLASS_DEFAULT;
  bool relaxed = false;        // allow kernels whose result depends on other rows or on the thread count
  int64_t max_rows = 512;      // rows of one step
  int64_t max_head_rows = 32;  // rows of one run of the head
  int64_t context = 4096;      // positions of one sequence at most
  uint32_t n_threads = 1;
  uint64_t dense_bytes = 0;  // for expanded copies of weights
};

/// In bytes. What is read of the file while loading is given back before activations and kv pages are touched.
struct MemoryPlan {
  uint64_t program = 0;      // the process before it loads weights: code, tokenizer, metadata
  uint64_t packed = 0;       // weights as the kernels keep them
  uint64_t dense = 0;        // expanded copies of some of them
  uint64_t activations = 0;  // values of one step
  uint64_t workspace = 0;
  uint64_t kv_page = 0;  // one page in all layers
  uint64_t staging = 0;  // the largest tensor, while loading
  uint64_t kv(int64_t n_pages) const { return kv_page * static_cast<uint64_t>(n_pages); }
  /// The peak.
  uint64_t total(int64_t n_pages) const {
    const uint64_t running = activations + workspace + kv(n_pages);
    return program + packed + dense + (running > staging ? running : staging);
  }
};

struct KernelDeleter {
  const tenon_kernel_api* api = nullptr;
  void operator()(void* kernel) const { api->destroy(kernel); }
};

/// An op and the kernel that runs it.
struct BoundOp {
  OpSpec spec;
  Resolution resolution;  // who was asked, who was taken and why the others not
  std::string backend;    // plug-in id
  tenon_support support{};
  std::unique_ptr<void, KernelDeleter> kernel;
  std::vector<int> packs;     // per weight: index of its pack, kAbsent where the weight is absent
  int shared_pack = kAbsent;  // gather: rows come from this pack through its owner's unpack_rows
  tenon_kv_plan kv{};         // attention
};

/// Weights as one kernel keeps them; kernels that ask for the same layout of a tensor share it.
struct Pack {
  int tensor;
  tenon_pack_plan plan;
  size_t op;        // the op whose kernel fills it
  uint32_t weight;  // and which of its weights this is
  Buffer bytes;
  uint32_t dense_parts = 0;  // expanded copies that fit the budget, the first ones
  Buffer dense;
};

/// (done, total) in bytes of weights.
using Progress = std::function<void(uint64_t, uint64_t)>;

class Plan {
 public:
  /// Chooses a kernel for each op, splits coarse ops that the preferred backend lacks, lays memory out. Allocates no
  /// weights yet. Errors: no backend for an op (with the candidates), a broken contract of a plug-in.
  static Result<Plan> bind(Graph graph, std::span<const Offer<tenon_kernel_api>> backends,
                           const PlanSettings& settings);

  /// Reads tensor by tensor, packs and lets the source go. Once.
  Result<void> load(const ModelSource& model, const tenon_exec& exec, const Progress& progress);

  const Graph& graph() const { return graph_; }
  std::span<const BoundOp> ops() const { return ops_; }
  const PlanSettings& settings() const { return settings_; }
  const MemoryPlan& memory() const { return memory_; }
  /// Bytes of packed weights that a step of one row reads: of experts only those that are used, of embeddings one row.
  uint64_t decode_bytes() const;
  /// Bytes of one page for each kv layer.
  std::span<const uint64_t> kv_page_bytes() const { return kv_page_bytes_; }

  /// Embeds batch.tokens and runs all layers. `kv`: base of each kv layer's pages.
  Result<void> run_layers(const tenon_batch& batch, std::span<std::byte* const> kv, const tenon_exec& exec);
  /// Logits of the given rows of the last run_layers, at most max_head_rows: [rows.size(), vocab_size], valid until the
  /// next call.
  Result<std::span<float>> run_head(std::span<const int64_t> rows, const tenon_batch& batch, const tenon_exec& exec);
  /// Row stride of the result of run_head, in elements.
  int64_t logits_stride() const { return stride(graph_.logits); }

 private:
  Result<void> bind_op(OpSpec spec, std::span<const Offer<tenon_kernel_api>> backends);
  bool any_part_preferred(std::span<const OpSpec> parts, std::span<const Offer<tenon_kernel_api>> backends) const;
  Result<void> take_kernel(OpSpec spec, Resolution resolution, const Offer<tenon_kernel_api>& offer);
  Result<void> plan_packs();
  Result<void> plan_pack(size_t op, uint32_t weight);
  void plan_dense();
  Result<void> plan_memory();
  Result<void> fill(Pack& pack, std::span<const std::byte> source, const tenon_exec& exec);
  Result<void> run_op(BoundOp& op, int64_t n_rows, const tenon_batch& batch, std::span<std::byte* const> kv,
                      const tenon_exec& exec);
  Result<void> run_shared_gather(const BoundOp& op, int64_t n_rows, const tenon_batch& batch);
  void fill_rope_tables(const tenon_batch& batch);

  int64_t stride(int value) const;
  int64_t rows_of_value(int value) const;
  float* data(int value);

  Graph graph_;
  PlanSettings settings_;
  std::vector<BoundOp> ops_;
  std::vector<Pack> packs_;
  std::vector<uint64_t> kv_page_bytes_;
  MemoryPlan memory_;
  std::vector<uint64_t> value_offsets_;
  Buffer values_, workspace_;
};

/// The ops that a coarse op stands for: one linear a weight; linear, glu, linear for ffn. Empty where it cannot be
/// split. New values are added to the graph.
std::vector<OpSpec> split_op(const OpSpec& op, Graph& graph);

/// The op as kernels are asked. Points into `graph`, `spec` and `weights`.
tenon_op make_op(const OpSpec& spec, const Graph& graph, const PlanSettings& settings,
                 std::vector<tenon_tensor>& weights);

}  // namespace tenon
