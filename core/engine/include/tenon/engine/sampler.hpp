// A chain of processors ended by a choice: logits in, one token id out.
#pragma once

#include <tenon/config/settings.hpp>
#include <tenon/registry/registry.hpp>
#include <tenon/result.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tenon {

/// What one draw depends on besides the logits.
struct DrawKey {
  uint64_t seed = 0;
  uint64_t sample_index = 0;
};

/// Serves one sequence; one thread at a time.
class Sampler {
 public:
  /// A chain without a choice at its end gets `sample`. Errors name the item's place in the config.
  static Result<Sampler> create(std::span<const Registry::ProcessorOffer> offers, std::span<const ChainItem> chain,
                                int32_t vocab_size);

  /// `logits` [vocab_size] are changed. NaN are masked and counted in n_nan(). Errors name the processor.
  Result<int32_t> draw(std::span<float> logits, const DrawKey& key, std::span<const int32_t> prompt,
                       std::span<const int32_t> generated);
  int64_t n_nan() const { return n_nan_; }

 private:
  struct Destroy {
    const tenon_processor_api* api;
    void operator()(void* processor) const { api->destroy(processor); }
  };
  struct Link {
    const tenon_processor_api* api;
    std::string name;
    std::unique_ptr<void, Destroy> processor;
  };

  static Result<Link> make_link(const Registry::ProcessorOffer& offer, const Yaml* options, const std::string& name,
                                int32_t vocab_size);

  std::vector<Link> filters_;
  std::vector<Link> choice_;  // exactly one
  std::vector<int32_t> ids_;
  std::vector<float> values_;
  int64_t n_nan_ = 0;
};

}  // namespace tenon
