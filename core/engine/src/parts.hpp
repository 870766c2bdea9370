// What an engine is made of, in the order in which it is built and the reverse of which it is taken down.
#pragma once

#include <tenon/base/cpu.hpp>
#include <tenon/base/thread_pool.hpp>
#include <tenon/config/settings.hpp>
#include <tenon/engine.hpp>
#include <tenon/engine/kv_cache.hpp>
#include <tenon/engine/sampler.hpp>
#include <tenon/engine/text.hpp>
#include <tenon/model/plan.hpp>
#include <tenon/model/source.hpp>
#include <tenon/registry/registry.hpp>

#include <atomic>
#include <optional>

namespace tenon {

/// The tokens of an ended text, whose keys and values are still in its pages.
struct KeptText {
  std::vector<int32_t> tokens;
  PageTable pages;
};

/// How many tokens at the start of `prompt` are known. Its last one is never among them: the answer begins with the
/// logits after it.
std::ptrdiff_t common_start(std::span<const int32_t> known, std::span<const int32_t> prompt);

struct Engine::Parts {
  LogFunction log;
  Settings settings;
  std::optional<Registry> registry;
  std::optional<ModelSource> model;
  std::optional<TokenizerHandle> tokenizer;
  std::optional<TemplateHandle> chat_template;
  std::optional<Plan> plan;
  std::optional<ThreadPool> pool;
  std::optional<KvCache> kv;
  KeptText kept;
  std::atomic<bool> cancelled{false};
  int64_t context = 0;
  int64_t max_sequences = 1;
  uint64_t fresh_seed = 0;

  Result<std::vector<int32_t>> prompt_tokens(const Request& request) const;
  Result<Sampler> make_sampler(const Request& request) const;

  /// Keeps the text in place of the one kept so far.
  void keep(KeptText text);
  /// What is kept, cut down to the tokens that `prompt` starts with (common_start).
  KeptText take_kept(std::span<const int32_t> prompt);
};

}  // namespace tenon
