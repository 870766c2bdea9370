// Teacher-forced evaluation: known tokens in, logits after each of them out.
#include "parts.hpp"
#include "step_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace tenon {
namespace {

Result<void> check_tokens(std::span<const int32_t> tokens, int64_t context, int64_t vocab_size) {
  if (static_cast<int64_t>(tokens.size()) > context) {
    return invalid(
        fmt::format("context_length_exceeded: {} tokens to evaluate, the context is {}", tokens.size(), context));
  }
  for (const int32_t id : tokens) {
    if (id < 0 || id >= vocab_size)
      return invalid(fmt::format("token id {} is out of the vocabulary of {}", id, vocab_size));
  }
  return {};
}

/// Logits of all rows of the step that was just run, a few rows at a time.
Result<void> report_logits(Plan& plan, const tenon_batch& batch, int64_t first_position, const tenon_exec& exec,
                           const OnLogits& on_logits) {
  const int64_t at_once = plan.settings().max_head_rows;
  for (int64_t done = 0; done < batch.n_rows; done += at_once) {
    std::vector<int64_t> rows(static_cast<size_t>(std::min(at_once, batch.n_rows - done)));
    std::iota(rows.begin(), rows.end(), done);
    auto logits = plan.run_head(rows, batch, exec);
    if (!logits) return logits.error();
    for (size_t i = 0; i < rows.size(); ++i) {
      on_logits(first_position + rows[i], logits->subspan(i * static_cast<size_t>(plan.logits_stride()),
                                                          static_cast<size_t>(plan.graph().vocab_size)));
    }
  }
  return {};
}

}  // namespace

Result<void> Engine::evaluate(std::span<const int32_t> tokens, const OnLogits& on_logits) {
  if (!parts_->kv) return invalid("the engine was loaded with plan_only: it holds no weights");
  auto checked = check_tokens(tokens, parts_->context, parts_->plan->graph().vocab_size);
  if (!checked) return checked;
  parts_->cancelled.store(false, std::memory_order_relaxed);
  parts_->keep({});
  const tenon_exec exec = parts_->pool->exec(&parts_->cancelled);
  const auto chunk = static_cast<size_t>(parts_->plan->settings().max_rows);
  PageTable pages;
  Result<void> outcome;
  for (size_t first = 0; outcome && first < tokens.size(); first += chunk) {
    const std::span<const int32_t> part = tokens.subspan(first, std::min(chunk, tokens.size() - first));
    const auto first_position = static_cast<int64_t>(first);
    outcome = parts_->kv->reserve(pages, first_position + static_cast<int64_t>(part.size()));
    if (!outcome) break;
    StepRows rows;
    rows.add(part, first_position, pages);
    const tenon_batch batch = rows.batch();
    outcome = parts_->plan->run_layers(batch, parts_->kv->layers(), exec);
    if (outcome) outcome = report_logits(*parts_->plan, batch, first_position, exec, on_logits);
  }
  parts_->kv->release(pages);
  return outcome;
}

}  // namespace tenon
