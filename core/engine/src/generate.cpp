// Batch steps: every running sequence gives the rows it has ready, one pass computes them, each then draws its token.
#include <tenon/engine/text_stream.hpp>

#include "parts.hpp"
#include "step_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace tenon {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// One request on its way.
struct Sequence {
  size_t index;  // of the request
  const Request* request;
  std::vector<int32_t> tokens;  // prompt, then what was generated
  size_t n_prompt;
  size_t n_computed = 0;  // tokens whose keys and values are in the cache
  PageTable pages;
  Sampler sampler;
  TextStream stream;
  Generation result;
  Clock::time_point start, first_token;
  bool done = false;

  std::span<const int32_t> generated() const { return std::span(tokens).subspan(n_prompt); }
};

}  // namespace

/// The loop of one generate_all.
class Generator {
 public:
  Generator(Engine::Parts& parts, std::span<const Request> requests, const OnText& on_text)
      : parts_(parts), requests_(requests), on_text_(on_text), results_(requests.size()) {}

  Result<std::vector<Generation>> run() {
    Result<void> outcome;
    while (outcome && (next_ < requests_.size() || !running_.empty())) {
      outcome = start_sequences();
      if (outcome) outcome = step();
      std::erase_if(running_, [&](auto& sequence) {
        if (sequence->done) finish(*sequence);
        return sequence->done;
      });
    }
    for (auto& sequence : running_) {
      sequence->result.finish = Finish::interrupted;
      finish(*sequence);
    }
    if (!outcome && outcome.error().code != TENON_CANCELLED) return outcome.error();
    return std::move(results_);
  }

 private:
  Result<void> start_sequences() {
    while (next_ < requests_.size() && static_cast<int64_t>(running_.size()) < parts_.max_sequences) {
      const Request& request = requests_[next_];
      auto ids = parts_.prompt_tokens(request);
      if (!ids) return ids.error();
      if (static_cast<int64_t>(ids->size()) >= parts_.context) {
        return invalid(
            fmt::format("context_length_exceeded: the prompt has {} tokens, the context {} (runtime.context; one "
                        "is needed for the answer)",
                        ids->size(), parts_.context));
      }
      for (const std::string& stop : request.stop) {
        if (stop.empty()) return invalid("a stop string is empty: it would end every text at once");
      }
      auto sampler = parts_.make_sampler(request);
      if (!sampler) return sampler.error();
      const size_t n_prompt = ids->size();
      auto sequence = std::make_unique<Sequence>(Sequence{.index = next_,
                                                          .request = &request,
                                                          .tokens = std::move(*ids),
                                                          .n_prompt = n_prompt,
                                                          .pages = {},
                                                          .sampler = std::move(*sampler),
                                                          .stream = TextStream(request.stop),
                                                          .result = {},
                                                          .start = Clock::now(),
                                                          .first_token = {}});
      sequence->result.seed = request.seed.value_or(parts_.fresh_seed);
      if (request.max_tokens == 0) {
        sequence->result.finish = Finish::max_tokens;
        sequence->done = true;
      }
      running_.push_back(std::move(sequence));
      ++next_;
    }
    return {};
  }

  /// Takes as many ready rows as fit: decoding sequences first (one row each), then prompts in order of arrival.
  Result<StepRows> collect_rows() {
    StepRows rows;
    drawing_.clear();
    drawing_rows_.clear();
    const int64_t most = parts_.plan->settings().max_rows;
    for (const bool decoding : {true, false}) {
      for (auto& sequence : running_) {
        const auto ready = static_cast<int64_t>(sequence->tokens.size() - sequence->n_computed);
        if (sequence->done || (sequence->n_computed >= sequence->n_prompt) != decoding) continue;
        const int64_t n = std::min(ready, most - static_cast<int64_t>(rows.tokens.size()));
        if (n == 0) continue;
        const auto first = static_cast<int64_t>(sequence->n_computed);
        auto reserved = parts_.kv->reserve(sequence->pages, first + n);
        if (!reserved) return reserved.error();
        rows.add(std::span(sequence->tokens).subspan(sequence->n_computed, static_cast<size_t>(n)), first,
                 sequence->pages);
        sequence->n_computed += static_cast<size_t>(n);
        if (n == ready) {
          drawing_.push_back(sequence.get());
          drawing_rows_.push_back(static_cast<int64_t>(rows.tokens.size()) - 1);
        }
      }
    }
    return rows;
  }

  Result<void> step() {
    auto rows = collect_rows();
    if (!rows) return rows.error();
    if (rows->tokens.empty()) return {};
    const tenon_batch batch = rows->batch();
    const tenon_exec exec = parts_.pool->exec(&parts_.cancelled);
    auto ran = parts_.plan->run_layers(batch, parts_.kv->layers(), exec);
    if (!ran) return ran;
    const auto at_once = static_cast<size_t>(parts_.plan->settings().max_head_rows);
    for (size_t first = 0; first < drawing_.size(); first += at_once) {
      const size_t n = std::min(at_once, drawing_.size() - first);
      auto logits = parts_.plan->run_head(std::span(drawing_rows_).subspan(first, n), batch, exec);
      if (!logits) return logits.error();
      for (size_t i = 0; i < n; ++i) {
        auto drawn = draw(*drawing_[first + i], logits->subspan(i * static_cast<size_t>(parts_.plan->logits_stride()),
                                                                static_cast<size_t>(parts_.plan->graph().vocab_size)));
        if (!drawn) return drawn;
      }
    }
    return {};
  }

  Result<void> draw(Sequence& sequence, std::span<float> logits) {
    const Request& request = *sequence.request;
    if (sequence.tokens.size() == sequence.n_prompt) sequence.first_token = Clock::now();
    auto id = sequence.sampler.draw(logits, {sequence.result.seed, request.sample_index},
                                    std::span(sequence.tokens).first(sequence.n_prompt), sequence.generated());
    if (!id) return id.error();
    const auto stops = parts_.tokenizer->stop_ids();
    if (!request.ignore_eos && std::ranges::find(stops, *id) != stops.end()) {
      end(sequence, Finish::stop_token);
      return {};
    }
    sequence.tokens.push_back(*id);
    std::string bytes;
    if (*id < parts_.tokenizer->info().n_tokens) {  // padding rows of the logits have no text
      auto taken = parts_.tokenizer->token_bytes(*id, sequence.tokens.size() - 1, false);
      if (!taken) return taken.error();
      bytes = std::move(*taken);
    }
    emit(sequence, sequence.stream.push(bytes));
    const auto n_generated = static_cast<int64_t>(sequence.tokens.size() - sequence.n_prompt);
    if (sequence.stream.stopped()) {
      end(sequence, Finish::stop_string);
    } else if (request.max_tokens >= 0 && n_generated >= request.max_tokens) {
      end(sequence, Finish::max_tokens);
    } else if (static_cast<int64_t>(sequence.tokens.size()) >= parts_.context) {
      end(sequence, Finish::context_full);
    }
    return {};
  }

  static void end(Sequence& sequence, Finish finish) {
    if (sequence.done) return;
    sequence.done = true;
    sequence.result.finish = finish;
  }

  void emit(Sequence& sequence, const std::string& text) {
    if (text.empty()) return;
    sequence.result.text += text;
    if (on_text_ && !on_text_(sequence.index, text)) end(sequence, Finish::interrupted);
  }

  void finish(Sequence& sequence) {
    sequence.done = true;  // so that a refusal of the last text does not change how it ended
    emit(sequence, sequence.stream.finish());
    Generation& result = sequence.result;
    result.prompt_tokens.assign(sequence.tokens.begin(),
                                sequence.tokens.begin() + static_cast<std::ptrdiff_t>(sequence.n_prompt));
    result.tokens.assign(sequence.generated().begin(), sequence.generated().end());
    result.n_nan_logits = sequence.sampler.n_nan();
    if (sequence.first_token != Clock::time_point{}) {
      result.prefill_seconds = std::chrono::duration<double>(sequence.first_token - sequence.start).count();
      result.decode_seconds = seconds_since(sequence.first_token);
    }
    parts_.kv->release(sequence.pages);
    results_[sequence.index] = std::move(result);
  }

  Engine::Parts& parts_;
  std::span<const Request> requests_;
  const OnText& on_text_;
  std::vector<Generation> results_;
  std::vector<std::unique_ptr<Sequence>> running_;
  std::vector<Sequence*> drawing_;  // of the current step: whose last row gives a token
  std::vector<int64_t> drawing_rows_;
  size_t next_ = 0;
};

Result<std::vector<Generation>> Engine::generate_all(std::span<const Request> requests, const OnText& on_text) {
  if (!parts_->kv) return invalid("the engine was loaded with plan_only: it holds no weights");
  parts_->cancelled.store(false, std::memory_order_relaxed);
  return Generator(*parts_, requests, on_text).run();
}

Result<Generation> Engine::generate(const Request& request, const OnText& on_text) {
  auto all = generate_all(std::span(&request, 1), on_text);
  if (!all) return all.error();
  return std::move(all->front());
}

}  // namespace tenon
