// Builds an engine: config -> registry -> model -> plan -> memory.
#include "parts.hpp"

#include <tenon/model/graph.hpp>
#include <tenon/model/recipe.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <random>

namespace tenon {

Result<std::filesystem::path> default_config_folder() {
  std::error_code error;
  const std::filesystem::path executable = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path folder = executable.parent_path().parent_path() / "share/tenon/configs";
  if (!error && std::filesystem::exists(folder / "default.yaml")) return folder;
  return invalid(fmt::format("no config was named and {} does not exist; name one with -c (or EngineOptions::config)",
                             (folder / "default.yaml").string()));
}

namespace {

uint32_t numeric_class(const std::string& name) {
  if (name == "exact64") return TENON_CLASS_EXACT64;
  if (name == "f32") return TENON_CLASS_F32;
  return TENON_CLASS_DEFAULT;
}

std::string gib(uint64_t bytes) { return fmt::format("{:.2f} GiB", static_cast<double>(bytes) / 0x1p30); }

/// The order without what this machine cannot have: optional plug-ins that are not loaded, and, where the order is the
/// one by default, any that is not. Another name that is not loaded stays in, for check_rules to refuse.
std::vector<std::string> order_here(const Settings& settings, std::span<const Offer<tenon_kernel_api>> loaded) {
  const bool is_default = settings.backends.order == Settings{}.backends.order;
  std::vector<std::string> order;
  for (const std::string& name : settings.backends.order) {
    const bool is_loaded = std::ranges::find(loaded, name, &Offer<tenon_kernel_api>::plugin_id) != loaded.end();
    const bool is_optional = std::ranges::any_of(settings.plugins, [&](const PluginUse& use) {
      return use.optional && std::filesystem::path(use.use).stem() == name;
    });
    if (is_loaded || !(is_optional || is_default)) order.push_back(name);
  }
  return order;
}

Result<PlanSettings> plan_settings(const Settings& settings, std::vector<std::string> order, const Graph& graph,
                                   uint32_t n_threads, int64_t max_sequences) {
  PlanSettings plan;
  plan.rules = {std::move(order), settings.backends.rules};
  plan.numeric_class = numeric_class(settings.backends.numeric);
  plan.dense_bytes = static_cast<uint64_t>(settings.model.dense_cache_mb) << 20;
  plan.relaxed = settings.runtime.determinism == "relaxed";
  plan.n_threads = n_threads;
  plan.context = settings.runtime.context == 0 ? graph.context_length : settings.runtime.context;
  if (plan.context > graph.context_length) {
    return invalid(
        fmt::format("runtime.context is {}, the model was made for at most {}", plan.context, graph.context_length));
  }
  plan.max_rows = std::max(std::min(settings.runtime.prefill_chunk, plan.context), max_sequences);
  plan.max_head_rows = std::min<int64_t>(32, plan.max_rows);
  return plan;
}

Result<void> start_threads(std::optional<ThreadPool>& pool, uint32_t n_threads) {
  try {
    pool.emplace(n_threads);
    return {};
  } catch (const std::system_error& e) {
    return Error{TENON_NO_MEMORY, fmt::format("{} threads cannot be started ({}); lower runtime.threads", n_threads,
                                              e.code().message())};
  }
}

/// One line for each op that did not get its first choice, one warning where a heavy op is left to `reference`.
void report_choices(const Plan& plan, const std::vector<std::string>& order, const LogFunction& log) {
  int64_t n_later = 0, n_heavy = 0;
  for (const BoundOp& op : plan.ops()) {
    if (order.empty() || op.backend == order.front()) continue;
    ++n_later;
    const std::string& name = op.spec.name;
    const bool heavy = name == "linear" || name == "ffn" || name == "moe" || name == "attention";
    if (heavy && op.backend == "reference") ++n_heavy;
  }
  if (n_later > 0) {
    log(LogLevel::info, fmt::format("{} of {} ops did not get their first choice '{}'; `tenon explain` says why",
                                    n_later, plan.ops().size(), order.front()));
  }
  if (n_heavy > 0) {
    log(LogLevel::warning,
        fmt::format("{} heavy ops run on 'reference', ten times slower or more; `tenon explain` says why", n_heavy));
  }
}

}  // namespace

Result<std::unique_ptr<Engine>> Engine::load(const EngineOptions& options) {
  auto parts = std::make_unique<Parts>();
  parts->log = options.log ? options.log : silent_log();
  parts->max_sequences = std::max<int64_t>(options.max_sequences, 1);
  std::filesystem::path config = options.config;
  if (config.empty()) {
    auto folder = default_config_folder();
    if (!folder) return folder.error();
    config = *folder / "default.yaml";
  }
  auto settings = load_settings(config, options.set);
  if (!settings) return settings.error();
  parts->settings = std::move(*settings);
  const Settings& s = parts->settings;

  auto registry = Registry::open({s.plugin_dirs, s.plugins, s.plugins_given}, parts->log);
  if (!registry) return registry.error();
  parts->registry.emplace(std::move(*registry));

  const std::string path = options.model.empty() ? s.model.path : options.model;
  if (path.empty()) return invalid("no model was named: neither with -m nor as model.path in the config");
  auto model = ModelSource::open(parts->registry->formats(), path);
  if (!model) return model.error();
  parts->model.emplace(std::move(*model));

  auto recipe = find_recipe(s.recipe_dirs, *parts->model);
  if (!recipe) return recipe.error();
  const DTypeInfo* kv_dtype = find_dtype(std::string_view(s.runtime.kv.dtype));
  auto graph = build_graph(*recipe, *parts->model,
                           {static_cast<uint32_t>(kv_dtype->dtype), static_cast<uint32_t>(s.runtime.kv.page)});
  if (!graph) return graph.error();

  auto tokenizer = TokenizerHandle::open(parts->registry->tokenizers(), s.tokenizer.use, *parts->model);
  if (!tokenizer) return tokenizer.error();
  parts->tokenizer.emplace(std::move(*tokenizer));
  if (parts->tokenizer->info().n_tokens > graph->vocab_size) {
    return invalid(fmt::format("{}: the tokenizer has {} tokens, the model's logits only {}", path,
                               parts->tokenizer->info().n_tokens, graph->vocab_size));
  }
  if (!graph->chat_template.empty()) {
    auto chat_template = TemplateHandle::open(parts->registry->templates(), graph->chat_template);
    if (chat_template) {
      parts->chat_template.emplace(std::move(*chat_template));
    } else {
      parts->log(LogLevel::warning, chat_template.error().message + "; chat is off, plain prompts work");
    }
  }

  const ThreadAdvice advice = advise_threads();
  const uint32_t n_threads = s.runtime.threads == 0 ? advice.n_threads : static_cast<uint32_t>(s.runtime.threads);
  if (s.runtime.threads == 0) parts->log(LogLevel::info, "threads: " + advice.reason);
  auto settings_of_plan =
      plan_settings(s, order_here(s, parts->registry->backends()), *graph, n_threads, parts->max_sequences);
  if (!settings_of_plan) return settings_of_plan.error();
  auto plan = Plan::bind(std::move(*graph), parts->registry->backends(), *settings_of_plan);
  if (!plan) return plan.error();
  parts->plan.emplace(std::move(*plan));
  parts->context = settings_of_plan->context;
  report_choices(*parts->plan, settings_of_plan->rules.order, parts->log);
  if (!s.sampling.chain.empty()) {  // a wrong chain is said before gigabytes are read
    auto sampler = parts->make_sampler({});
    if (!sampler) return sampler.error();
  }
  if (options.plan_only) return std::unique_ptr<Engine>(new Engine(std::move(parts)));

  const int64_t page = s.runtime.kv.page;
  const int64_t n_pages = (parts->context + page - 1) / page * parts->max_sequences;
  const uint64_t needed = parts->plan->memory().total(n_pages), available = available_memory();
  if (needed > available && !options.allow_overcommit) {
    return invalid(fmt::format(
        "{} needs {} (weights {}, kv cache {} for {} tokens), {} are free; lower runtime.context, "
        "take a smaller model, or allow it with --overcommit",
        path, gib(needed), gib(parts->plan->memory().packed),
        gib(parts->plan->memory().kv_page * static_cast<uint64_t>(n_pages)), parts->context, gib(available)));
  }
  auto started = start_threads(parts->pool, n_threads);
  if (!started) return started.error();
  auto loaded = parts->plan->load(*parts->model, parts->pool->exec(&parts->cancelled), options.progress);
  if (!loaded) return loaded.error();
  parts->kv.emplace(parts->plan->kv_page_bytes(), n_pages, page);
  parts->fresh_seed = s.sampling.seed_given ? s.sampling.seed : std::random_device{}();
  return std::unique_ptr<Engine>(new Engine(std::move(parts)));
}

Engine::Engine(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Engine::~Engine() = default;

void Engine::cancel() { parts_->cancelled.store(true, std::memory_order_relaxed); }
bool Engine::has_chat_template() const { return parts_->chat_template.has_value(); }
int64_t Engine::context() const { return parts_->context; }
uint32_t Engine::n_threads() const { return parts_->pool->n_threads(); }
Result<void> Engine::set_threads(uint32_t n_threads) {
  const uint32_t most = parts_->plan->settings().n_threads;  // workspace is laid out for so many
  if (n_threads < 1 || n_threads > most) {
    return invalid(
        fmt::format("{} threads, expected from 1 to {}: the engine was loaded with so many", n_threads, most));
  }
  if (!parts_->pool || parts_->pool->n_threads() == n_threads) return {};
  return start_threads(parts_->pool, n_threads);
}
const Settings& Engine::settings() const { return parts_->settings; }
const Registry& Engine::registry() const { return *parts_->registry; }
const ModelSource& Engine::model() const { return *parts_->model; }
const Plan& Engine::plan() const { return *parts_->plan; }
const TokenizerHandle& Engine::tokenizer() const { return *parts_->tokenizer; }
Result<std::vector<int32_t>> Engine::prompt_tokens(const Request& request) const {
  return parts_->prompt_tokens(request);
}

std::string_view name_of(Finish finish) {
  switch (finish) {
    case Finish::stop_token: return "stop_token";
    case Finish::stop_string: return "stop_string";
    case Finish::max_tokens: return "max_tokens";
    case Finish::context_full: return "context_full";
    case Finish::interrupted: return "interrupted";
  }
  return "?";
}

}  // namespace tenon
