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
  Request request;
  std::vector<int32_t> tokens;  // prompt, then what was generated
  size_t n_prompt;
  size_t n_computed = 0;  // tokens whose keys and values are in the cache, or will be after the running step
  size_t n_whole = 0;     // the same without a step that was cut short
  PageTable pages;
  Sampler sampler;
  TextStream stream;
  Generation result;
  Clock::time_point start, first_token;
  bool done = false;

  std::span<const int32_t> generated() const { return std::span(tokens).subspan(n_prompt); }
};

}  // namespace

/// The loop of one generate_stream.
class Generator {
 public:
  Generator(Engine::Parts& parts, const NextRequest& next, const OnDone& on_done, const OnText& on_text)
      : parts_(parts), next_(next), on_done_(on_done), on_text_(on_text) {}

  Result<void> run() {
    Result<void> outcome;
    while (outcome && !ending_) {
      start_sequences();
      if (running_.empty()) break;
      outcome = step();
      std::erase_if(running_, [&](auto& sequence) {
        if (sequence->done) finish(*sequence);
        return sequence->done;
      });
    }
    const bool failed = !outcome && outcome.error().code != TENON_CANCELLED;
    for (auto& sequence : running_) {
      if (failed) {
        parts_.kv->release(sequence->pages);
        continue;
      }
      sequence->result.finish = Finish::interrupted;
      finish(*sequence);
    }
    return failed ? outcome : Result<void>();
  }

 private:
  void start_sequences() {
    while (!ending_ && static_cast<int64_t>(running_.size()) < parts_.max_sequences) {
      std::optional<Request> request = next_();
      if (!request) return;
      auto sequence = start(*std::move(request), n_taken_);
      if (sequence) {
        running_.push_back(std::move(*sequence));
      } else {
        ending_ = !on_done_(n_taken_, sequence.error());
      }
      ++n_taken_;
    }
  }

  Result<std::unique_ptr<Sequence>> start(Request request, size_t index) {
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
    KeptText kept = take_known(*ids);
    TextStream stream(request.stop);
    auto sequence = std::make_unique<Sequence>(Sequence{.index = index,
                                                        .request = std::move(request),
                                                        .tokens = std::move(*ids),
                                                        .n_prompt = n_prompt,
                                                        .n_computed = kept.tokens.size(),
                                                        .n_whole = kept.tokens.size(),
                                                        .pages = std::move(kept.pages),
                                                        .sampler = std::move(*sampler),
                                                        .stream = std::move(stream),
                                                        .result = {},
                                                        .start = Clock::now(),
                                                        .first_token = {}});
    sequence->result.n_reused = static_cast<int64_t>(sequence->n_whole);
    sequence->result.seed = sequence->request.seed.value_or(parts_.fresh_seed);
    if (sequence->request.max_tokens == 0) {
      sequence->result.finish = Finish::max_tokens;
      sequence->done = true;
    }
    return sequence;
  }

  /// The longest start of the prompt whose keys and values are there: of the kept text or of a running sequence, with
  /// which its pages are then shared.
  KeptText take_known(std::span<const int32_t> prompt) {
    KeptText known = parts_.take_kept(prompt);
    const Sequence* longest = nullptr;
    auto most = static_cast<std::ptrdiff_t>(known.tokens.size());
    for (const auto& sequence : running_) {
      const std::ptrdiff_t same = common_start(std::span(sequence->tokens).first(sequence->n_whole), prompt);
      if (same <= most) continue;
      most = same;
      longest = sequence.get();
    }
    if (longest == nullptr) return known;
    parts_.kv->release(known.pages);
    known.tokens.assign(prompt.begin(), prompt.begin() + most);
    known.pages = parts_.kv->fork(longest->pages);
    parts_.kv->rewind(known.pages, most);
    return known;
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
    for (auto& sequence : running_) sequence->n_whole = sequence->n_computed;
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
    const Request& request = sequence.request;
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
    if (sequence.request.keep) {
      sequence.tokens.resize(sequence.n_whole);
      parts_.keep({std::move(sequence.tokens), std::move(sequence.pages)});
    } else {
      parts_.kv->release(sequence.pages);
    }
    if (!on_done_(sequence.index, std::move(result))) ending_ = true;
  }

  Engine::Parts& parts_;
  const NextRequest& next_;
  const OnDone& on_done_;
  const OnText& on_text_;
  std::vector<std::unique_ptr<Sequence>> running_;
  std::vector<Sequence*> drawing_;  // of the current step: whose last row gives a token
  std::vector<int64_t> drawing_rows_;
  size_t n_taken_ = 0;  // requests
  bool ending_ = false;
};

Result<void> Engine::generate_stream(const NextRequest& next, const OnDone& on_done, const OnText& on_text) {
  if (!parts_->kv) return invalid("the engine was loaded with plan_only: it holds no weights");
  parts_->cancelled.store(false, std::memory_order_relaxed);
  return Generator(*parts_, next, on_done, on_text).run();
}

Result<std::vector<Generation>> Engine::generate_all(std::span<const Request> requests, const OnText& on_text) {
  std::vector<Generation> results(requests.size());
  size_t n_given = 0;
  Result<void> refused;
  const auto next = [&] {
    return n_given < requests.size() ? std::optional<Request>(requests[n_given++]) : std::nullopt;
  };
  const auto on_done = [&](size_t index, Result<Generation> outcome) {
    if (outcome) {
      results[index] = *std::move(outcome);
    } else {
      refused = outcome.error();
    }
    return static_cast<bool>(refused);
  };
  auto ran = generate_stream(next, on_done, on_text);
  if (!ran) return ran.error();
  if (!refused) return refused.error();
  return results;
}

Result<Generation> Engine::generate(const Request& request, const OnText& on_text) {
  auto all = generate_all(std::span(&request, 1), on_text);
  if (!all) return all.error();
  return std::move(all->front());
}

}  // namespace tenon
