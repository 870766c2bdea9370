// top_k k: the k highest logits. ties: keep takes all that equal the k-th (as Hugging Face), exact takes k, lowest ids
// first among equals (as llama.cpp). 0 is off.
#include "entries.hpp"
#include "sort.hpp"

#include <functional>

namespace tenon::processors {
namespace {

class TopK final : public Processor {
 public:
  TopK(int64_t k, bool keep_ties, int32_t vocab_size)
      : k_(k), keep_ties_(keep_ties), vocab_size_(vocab_size), sorter_(vocab_size) {
    heap_.reserve(static_cast<size_t>(std::min<int64_t>(k, vocab_size)));
  }

  Result<void> apply(tenon_candidates& c) override {
    const int64_t n = is_dense(c) ? c.vocab_size : c.n_candidates;
    if (k_ == 0 || (!is_dense(c) && k_ >= n)) return {};
    if (is_dense(c)) keep_from(c, k_ >= n ? kMasked : kth_logit(c));
    if (c.n_candidates == 0) return nothing_left();
    sorter_.sort(c, c.n_candidates);
    const int64_t kept = std::min(k_, c.n_candidates);
    int64_t end = kept;
    while (keep_ties_ && end < c.n_candidates && c.values[end] == c.values[kept - 1]) ++end;
    c.n_candidates = end;
    return {};
  }

  Result<std::unique_ptr<Processor>> clone() const override {
    return std::make_unique<TopK>(k_, keep_ties_, vocab_size_);
  }

 private:
  /// The k-th highest logit, by a heap of the k best so far: most logits are turned away by one comparison.
  float kth_logit(const tenon_candidates& c) {
    heap_.clear();
    const auto k = static_cast<size_t>(k_);
    for (int32_t i = 0; i < c.vocab_size; ++i) {
      const float x = c.logits[i];
      if (heap_.size() < k) {
        heap_.push_back(x);
        if (heap_.size() == k) std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
      } else if (x > heap_.front()) {
        std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
        heap_.back() = x;
        std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
      }
    }
    return heap_.front();
  }

  int64_t k_;
  bool keep_ties_;
  int32_t vocab_size_;
  Sorter sorter_;
  std::vector<float> heap_;
};

constexpr tenon_option_spec kOptions[] = {
    int_option("k", 40, 0, 1e9, "how many tokens are kept; 0: all"),
    string_option("ties", "keep", "keep|exact", "all tokens that equal the k-th, or exactly k")};

}  // namespace

const ProcessorEntry kTopK{
    processor_info(TENON_PROCESSOR_FILTER, "top_k", "keeps the k most probable tokens", kOptions),
    [](const Options& options, int32_t vocab_size) -> Result<std::unique_ptr<Processor>> {
      return std::make_unique<TopK>(options.integer("k"), options.text("ties") == "keep", vocab_size);
    }};

}  // namespace tenon::processors
