// The public API for embedding Tenon: load a model once, generate text from it. See core/engine/README.md.
#pragma once

#include <tenon/base/log.hpp>
#include <tenon/result.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenon {

class ModelSource;
class Plan;
class Registry;
class TokenizerHandle;
struct Settings;

struct EngineOptions {
  std::filesystem::path config;   // empty: share/tenon/configs/default.yaml beside the executable's bin/
  std::string model;              // path; empty: the config's, which by default is the demo model
  std::vector<std::string> set;   // "key=value", over the config
  int64_t max_sequences = 1;      // that run at the same time; kv pages are planned for so many
  bool allow_overcommit = false;  // load even where the memory plan exceeds what is free
  bool plan_only = false;         // choose kernels and lay out memory, read no weights: nothing can be generated
  LogFunction log = silent_log();
  std::function<void(uint64_t done, uint64_t total)> progress = {};  // bytes of weights while loading
};

struct Message {
  std::string role;  // "system", "user", "assistant"
  std::string content;
};

/// One text to write. Exactly one of prompt, messages, tokens is used: tokens first, then messages, then prompt.
struct Request {
  std::string prompt;             // plain text, continued as it is
  std::vector<Message> messages;  // through the model's chat template
  std::vector<int32_t> tokens;    // ids, taken as they are
  int64_t max_tokens = -1;        // at most so many new tokens; -1: until a stop or the end of the context
  std::vector<std::string> stop;  // texts that end the output and are not part of it
  bool greedy = false;            // take the most probable token, whatever the config's chain
  bool ignore_eos = false;        // do not stop at the model's end tokens (for measurements)
  std::optional<uint64_t> seed;   // over the config's; without either, a fresh one (given back in Generation)
  uint64_t sample_index = 0;      // tells several samples of one seed apart
  // Keep the keys and values of this text when it ends. The next call's first request that starts with the same tokens
  // computes only what differs; its text is what it would be without. One text is kept at a time.
  bool keep = false;
};

enum class Finish { stop_token, stop_string, max_tokens, context_full, interrupted };
std::string_view name_of(Finish finish);

struct Generation {
  std::string text;
  std::vector<int32_t> prompt_tokens, tokens;
  Finish finish = Finish::stop_token;
  uint64_t seed = 0;
  int64_t n_reused = 0;      // prompt tokens that were not computed: kept from the call before, or a batch mate's
  int64_t n_nan_logits = 0;  // removed before sampling
  double prefill_seconds = 0, decode_seconds = 0;
};

/// New text of request `index`; whole characters only. Returning false ends that request as interrupted.
using OnText = std::function<bool(size_t index, std::string_view text)>;
/// The next request, or none where there are no more. Asked whenever a sequence is free.
using NextRequest = std::function<std::optional<Request>()>;
/// What became of request `index` (counted as they were taken), as soon as it is known: a text, or why the request was
/// refused. Returning false ends the call.
using OnDone = std::function<bool(size_t index, Result<Generation> outcome)>;
/// Logits of one position: [vocab_size], valid during the call.
using OnLogits = std::function<void(int64_t position, std::span<const float> logits)>;

/// A loaded model. One call at a time, except cancel(), which any thread or signal handler may call.
class Engine {
 public:
  struct Parts;  // complete inside the engine folder only

  static Result<std::unique_ptr<Engine>> load(const EngineOptions& options);
  ~Engine();

  Result<Generation> generate(const Request& request, const OnText& on_text = {});
  /// Runs up to max_sequences requests at a time in shared batch steps. Each text is what it would be alone.
  Result<std::vector<Generation>> generate_all(std::span<const Request> requests, const OnText& on_text = {});
  /// The same for requests that are not all known at the start. A refused request does not end the others; cancel() and
  /// on_done do: what runs then is reported with Finish::interrupted. An error is one of the engine, not of a request.
  Result<void> generate_stream(const NextRequest& next, const OnDone& on_done, const OnText& on_text = {});
  /// Teacher-forced: feeds `tokens` and reports the logits after each of them.
  Result<void> evaluate(std::span<const int32_t> tokens, const OnLogits& on_logits);
  /// Ends the running call within a token; what was written so far is returned with Finish::interrupted.
  void cancel();

  /// The prompt's ids as generate would feed them, with bos where the model wants it.
  Result<std::vector<int32_t>> prompt_tokens(const Request& request) const;
  bool has_chat_template() const;
  int64_t context() const;
  uint32_t n_threads() const;
  /// Runs on fewer threads than planned, or on as many again. Error: more than the engine was loaded with.
  Result<void> set_threads(uint32_t n_threads);

  // For tools that show what was loaded.
  const Settings& settings() const;
  const Registry& registry() const;
  const ModelSource& model() const;
  const Plan& plan() const;
  const TokenizerHandle& tokenizer() const;

 private:
  explicit Engine(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

/// The folder share/tenon/configs that belongs to the running executable, or an error that names the places tried.
Result<std::filesystem::path> default_config_folder();

}  // namespace tenon
