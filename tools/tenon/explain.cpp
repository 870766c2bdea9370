// tenon explain: op by op, who runs it and why the others do not. tenon plan: the memory that a model needs.
#include "cli.hpp"

#include <tenon/base/cpu.hpp>
#include <tenon/config/settings.hpp>
#include <tenon/model/plan.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>

namespace tenon::cli {
namespace {

std::string_view class_name(uint32_t numeric_class) {
  switch (numeric_class) {
    case TENON_CLASS_F32: return "f32";
    case TENON_CLASS_INT8: return "int8";
    case TENON_CLASS_EXACT64: return "exact64";
    default: return "other";
  }
}

std::string weights_of(const BoundOp& op, const Graph& graph) {
  std::string text;
  for (const int weight : op.spec.weights) {
    if (weight == kAbsent) continue;
    const tenon_tensor& shape = graph.tensors[static_cast<size_t>(weight)]->shape;
    text += (text.empty() ? "" : " ") + std::string(find_dtype(shape.dtype)->name);
  }
  return text;
}

nlohmann::json to_json(const BoundOp& op, const Graph& graph) {
  nlohmann::json candidates = nlohmann::json::array();
  for (const Candidate& c : op.resolution.candidates) {
    candidates.push_back(
        {{"backend", c.backend}, {"supported", c.supported}, {"chosen", c.chosen}, {"reason", c.reason}});
  }
  return {{"op", op.spec.name},
          {"of", op.spec.label},
          {"layer", op.spec.layer},
          {"backend", op.backend},
          {"kernel", op.support.kernel},
          {"class", class_name(op.support.numeric_class)},
          {"weights", weights_of(op, graph)},
          {"pinned", op.resolution.by_rule},
          {"reads_shared_pack", op.shared_pack != kAbsent},
          {"candidates", std::move(candidates)}};
}

void print_table(const Plan& plan) {
  fmt::print("{:<5} {:<10} {:<12} {:<32} {:<8} {:<14} {}\n", "layer", "op", "backend", "kernel", "class", "weights",
             "of");
  for (const BoundOp& op : plan.ops()) {
    const std::string layer = op.spec.layer < 0 ? "-" : std::to_string(op.spec.layer);
    const bool shared = op.shared_pack != kAbsent;
    fmt::print("{:<5} {:<10} {:<12} {:<32} {:<8} {:<14} {}\n", layer, op.spec.name, op.backend,
               shared ? "rows of a shared pack" : op.support.kernel, class_name(op.support.numeric_class),
               weights_of(op, plan.graph()), op.spec.label);
    for (const Candidate& c : op.resolution.candidates) {
      if (!c.chosen) fmt::print("      {:<10} not {}: {}\n", "", c.backend, c.reason);
    }
  }
}

void print_summary(const Plan& plan) {
  std::map<std::string, int> routes;
  for (const BoundOp& op : plan.ops()) ++routes[fmt::format("{} on {}", op.spec.name, op.backend)];
  fmt::print("\n{} ops:", plan.ops().size());
  for (const auto& [route, n] : routes) fmt::print(" {} x {};", n, route);
  bool varies = false;
  for (const BoundOp& op : plan.ops()) varies |= op.support.row_invariant == 0 || op.support.thread_invariant == 0;
  fmt::print("\ntext is {} for any number of threads, batch mates, prompt chunks and kv page sizes\n",
             varies ? "NOT promised the same" : "the same");
}

}  // namespace

int run_explain(const std::vector<std::string>& arguments) {
  po::options_description options = model_options();
  options.add_options()("json", po::bool_switch(), "JSON on stdout");
  const Parsed parsed = parse("explain [-m MODEL] [OPTIONS]", arguments, options);
  if (parsed.done) return parsed.code;
  auto engine_opts = engine_options(parsed.values);
  if (!engine_opts) return report(engine_opts.error());
  engine_opts->plan_only = true;
  auto engine = Engine::load(*engine_opts);
  if (!engine) return report(engine.error());
  const Plan& plan = (*engine)->plan();
  if (parsed.values["json"].as<bool>()) {
    nlohmann::json ops = nlohmann::json::array();
    for (const BoundOp& op : plan.ops()) ops.push_back(to_json(op, plan.graph()));
    return write_json(nlohmann::json::object({{"ops", std::move(ops)}}));
  }
  print_table(plan);
  print_summary(plan);
  return kDone;
}

int run_plan(const std::vector<std::string>& arguments) {
  po::options_description options = model_options();
  options.add_options()("json", po::bool_switch(), "JSON on stdout");
  const Parsed parsed = parse("plan [-m MODEL] [OPTIONS]", arguments, options);
  if (parsed.done) return parsed.code;
  auto engine_opts = engine_options(parsed.values);
  if (!engine_opts) return report(engine_opts.error());
  engine_opts->plan_only = true;
  auto engine = Engine::load(*engine_opts);
  if (!engine) return report(engine.error());
  const MemoryPlan& memory = (*engine)->plan().memory();
  const int64_t page = (*engine)->settings().runtime.kv.page;
  const int64_t n_pages = ((*engine)->context() + page - 1) / page;
  const uint64_t kv = memory.kv_page * static_cast<uint64_t>(n_pages);
  if (parsed.values["json"].as<bool>()) {
    const nlohmann::json json = {{"weights", memory.packed},          {"kv_cache", kv},
                                 {"activations", memory.activations}, {"workspace", memory.workspace},
                                 {"loading", memory.staging},         {"total", memory.total(n_pages)},
                                 {"available", available_memory()}};
    return write_json(json);
  }
  const auto line = [](std::string_view what, uint64_t bytes) {
    fmt::print("{:<44} {:>10.1f} MB\n", what, static_cast<double>(bytes) / 1e6);
  };
  line("weights as the kernels keep them", memory.packed);
  line(fmt::format("kv cache, {} tokens in pages of {}", (*engine)->context(), page), kv);
  line(fmt::format("activations of a step of {} rows", (*engine)->plan().settings().max_rows), memory.activations);
  line("workspace of the widest op", memory.workspace);
  line("largest tensor, while loading", memory.staging);
  line("total", memory.total(n_pages));
  line("free", available_memory());
  return kDone;
}

}  // namespace tenon::cli
