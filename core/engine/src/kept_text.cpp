// Reuse of the keys and values of the text before: a conversation computes only what is new in it.
#include "parts.hpp"

#include <algorithm>
#include <utility>

namespace tenon {

std::ptrdiff_t common_start(std::span<const int32_t> known, std::span<const int32_t> prompt) {
  const std::span<const int32_t> reusable = prompt.first(prompt.empty() ? 0 : prompt.size() - 1);
  return std::ranges::mismatch(known, reusable).in1 - known.begin();
}

void Engine::Parts::keep(KeptText text) {
  kv->release(kept.pages);
  kv->rewind(text.pages, static_cast<int64_t>(text.tokens.size()));
  kept = std::move(text);
}

KeptText Engine::Parts::take_kept(std::span<const int32_t> prompt) {
  KeptText text = std::exchange(kept, {});
  const std::ptrdiff_t same = common_start(text.tokens, prompt);
  text.tokens.resize(static_cast<size_t>(same));
  kv->rewind(text.pages, same);
  return text;
}

}  // namespace tenon
