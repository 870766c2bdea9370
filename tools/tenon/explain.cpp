// tenon explain: op by op, who runs it and why the others do not. tenon plan: the memory that a model needs.
#include "cli.hpp"

#include <tenon/base/cpu.hpp>
#include <tenon/config/settings.hpp>
#include <tenon/model/plan.hpp>
#include <tenon/registry/registry.hpp>

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
    const tenon_tensor& shape = graph.tensors[static_cast<size_t>(weight)].shape;
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

std::string op_table(const Plan& plan) {
  std::string text = fmt::format("{:<5} {:<10} {:<12} {:<32} {:<8} {:<14} {}\n", "layer", "op", "backend", "kernel",
                                 "class", "weights", "of");
  for (const BoundOp& op : plan.ops()) {
    const std::string layer = op.spec.layer < 0 ? "-" : std::to_string(op.spec.layer);
    const bool shared = op.shared_pack != kAbsent;
    text += fmt::format("{:<5} {:<10} {:<12} {:<32} {:<8} {:<14} {}\n", layer, op.spec.name, op.backend,
                        shared ? "rows of a shared pack" : op.support.kernel, class_name(op.support.numeric_class),
                        weights_of(op, plan.graph()), op.spec.label);
    for (const Candidate& c : op.resolution.candidates) {
      if (!c.chosen) text += fmt::format("      {:<10} not {}: {}\n", "", c.backend, c.reason);
    }
  }
  return text;
}

std::string op_summary(const Plan& plan) {
  std::map<std::string, int> routes;
  for (const BoundOp& op : plan.ops()) ++routes[fmt::format("{} on {}", op.spec.name, op.backend)];
  std::string text = fmt::format("{} ops:", plan.ops().size());
  for (const auto& [route, n] : routes) text += fmt::format(" {} x {};", n, route);
  bool varies = false;
  for (const BoundOp& op : plan.ops()) varies |= op.support.row_invariant == 0 || op.support.thread_invariant == 0;
  return text + fmt::format("\ntext is {} for any number of threads, batch mates, prompt chunks and kv page sizes\n",
                            varies ? "NOT promised the same" : "the same");
}

/// The plug-in that offers a processor; load has checked that there is one.
std::string_view owner_of(const std::string& processor, const Registry& registry) {
  for (const Registry::ProcessorOffer& offer : registry.processors()) {
    if (processor == offer.info->name) return offer.plugin_id;
  }
  return "?";
}

std::string sampling_line(const Engine& engine) {
  std::string text;
  for (const ChainItem& item : engine.settings().sampling.chain) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", item.name, owner_of(item.name, engine.registry()));
  }
  return fmt::format("sampling: {}\n", text.empty() ? "sample" : text);
}

/// Optional plug-ins that were left out.
std::string refused_plugins(const Engine& engine) {
  std::string text;
  for (const PluginState& plugin : engine.registry().plugins()) {
    if (plugin.fault) text += fmt::format("not loaded: {}\n", plugin.fault->to_error().message);
  }
  return text;
}

std::string explain_text(const Engine& engine) {
  return fmt::format("{}\n{}{}{}", op_table(engine.plan()), op_summary(engine.plan()), sampling_line(engine),
                     refused_plugins(engine));
}

nlohmann::json explain_json(const Engine& engine) {
  nlohmann::json json = {
      {"ops", nlohmann::json::array()}, {"sampling", nlohmann::json::array()}, {"plugins", nlohmann::json::array()}};
  for (const BoundOp& op : engine.plan().ops()) json["ops"].push_back(to_json(op, engine.plan().graph()));
  for (const ChainItem& item : engine.settings().sampling.chain) {
    json["sampling"].push_back({{"processor", item.name}, {"plugin", owner_of(item.name, engine.registry())}});
  }
  for (const PluginState& plugin : engine.registry().plugins()) {
    json["plugins"].push_back(
        {{"id", plugin.id},
         {"version", plugin.version},
         {"path", plugin.path.string()},
         {"sha256", plugin.sha256},
         {"stage", name_of(plugin.stage)},
         {"fault", plugin.fault ? nlohmann::json(plugin.fault->to_error().message) : nlohmann::json()}});
  }
  return json;
}

std::string plan_text(const Engine& engine) {
  const MemoryPlan& memory = engine.plan().memory();
  const int64_t page = engine.settings().runtime.kv.page, n_pages = (engine.context() + page - 1) / page;
  const auto line = [](std::string_view what, uint64_t bytes) {
    return fmt::format("{:<44} {:>10.1f} MB\n", what, static_cast<double>(bytes) / 1e6);
  };
  const std::string dense = memory.dense == 0 ? "" : line("expanded copies of weights", memory.dense);
  return line("program, tokenizer and metadata", memory.program) +
         line("weights as the kernels keep them", memory.packed) + dense +
         line(fmt::format("kv cache, {} tokens in pages of {}", engine.context(), page), memory.kv(n_pages)) +
         line(fmt::format("activations of a step of {} rows", engine.plan().settings().max_rows), memory.activations) +
         line("workspace of the widest op", memory.workspace) +
         line("largest tensor, given back after loading", memory.staging) +
         line("at most, at one time", memory.total(n_pages)) + line("free", available_memory());
}

nlohmann::json plan_json(const Engine& engine) {
  const MemoryPlan& memory = engine.plan().memory();
  const int64_t page = engine.settings().runtime.kv.page, n_pages = (engine.context() + page - 1) / page;
  return {{"program", memory.program},      {"weights", memory.packed},          {"dense_cache", memory.dense},
          {"kv_cache", memory.kv(n_pages)}, {"activations", memory.activations}, {"workspace", memory.workspace},
          {"loading", memory.staging},      {"total", memory.total(n_pages)},    {"available", available_memory()}};
}

/// Loads an engine without its weights and shows its plan as text, or as JSON where --json is given.
int show_plan(std::string_view command, const std::vector<std::string>& arguments,
              std::string (*text_of)(const Engine&), nlohmann::json (*json_of)(const Engine&)) {
  po::options_description options = model_options();
  options.add_options()("json", po::bool_switch(), "JSON on stdout");
  const Parsed parsed = parse(fmt::format("{} [-m MODEL] [OPTIONS]", command), arguments, options);
  if (parsed.done) return parsed.code;
  auto engine_opts = engine_options(parsed.values);
  if (!engine_opts) return report(engine_opts.error());
  engine_opts->plan_only = true;
  auto engine = Engine::load(*engine_opts);
  if (!engine) return report(engine.error());
  const bool json = parsed.values["json"].as<bool>();
  return json ? write_json(json_of(**engine)) : (write_out(text_of(**engine)) ? kDone : kFailed);
}

}  // namespace

int run_explain(const std::vector<std::string>& arguments) {
  return show_plan("explain", arguments, explain_text, explain_json);
}

int run_plan(const std::vector<std::string>& arguments) { return show_plan("plan", arguments, plan_text, plan_json); }

}  // namespace tenon::cli
