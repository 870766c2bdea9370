// tenon.processor/1 for C++ authors: a ProcessorSet lists named processors; a Processor filters, a Choice picks.
#pragma once

#include <tenon/noise.hpp>
#include <tenon/options.hpp>
#include <tenon/result.hpp>

#include <memory>
#include <span>
#include <string_view>

namespace tenon {

inline NoiseKey noise_key(const tenon_candidates& c) { return {c.seed, c.sample_index, c.position}; }
inline bool is_dense(const tenon_candidates& c) { return c.n_candidates < 0; }

/// Serves one sequence. One thread at a time; apply and choose allocate nothing.
class Processor {
 public:
  virtual ~Processor() = default;
  /// Filters override apply, choices override choose.
  virtual Result<void> apply(tenon_candidates&) { return unsupported("this processor only chooses"); }
  virtual Result<int32_t> choose(tenon_candidates&) { return unsupported("this processor only filters"); }
  virtual Result<void> commit(int32_t) { return {}; }
  virtual Result<std::unique_ptr<Processor>> clone() const = 0;
};

/// One named processor of a set: its description and how to make it.
struct ProcessorEntry {
  tenon_processor_info info;
  Result<std::unique_ptr<Processor>> (*create)(const Options& options, int32_t vocab_size);
};

constexpr tenon_processor_info processor_info(uint32_t role, const char* name, const char* doc,
                                              std::span<const tenon_option_spec> options) {
  return {sizeof(tenon_processor_info), role, name, doc, options.data(), static_cast<uint32_t>(options.size()), 0};
}

class ProcessorSet {
 public:
  static constexpr std::string_view kInterface = TENON_PROCESSOR_INTERFACE;

  /// `entries` must outlive the set.
  explicit ProcessorSet(std::span<const ProcessorEntry> entries) : entries_(entries) {}

  const tenon_processor_api* table() {
    table_.self = this;
    table_.n_processors = static_cast<uint32_t>(entries_.size());
    return &table_;
  }

 private:
  static Processor& processor(void* p) { return *static_cast<Processor*>(p); }

  std::span<const ProcessorEntry> entries_;
  tenon_processor_api table_{sizeof(tenon_processor_api),
                             0,
                             nullptr,
                             [](void* self, uint32_t index) noexcept -> const tenon_processor_info* {
                               const auto entries = static_cast<ProcessorSet*>(self)->entries_;
                               return index < entries.size() ? &entries[index].info : nullptr;
                             },
                             [](void* self, uint32_t index, const tenon_options* options, int32_t vocab_size,
                                void** made, tenon_status* status) noexcept {
                               return guarded(status, [&]() -> Result<void> {
                                 const auto entries = static_cast<ProcessorSet*>(self)->entries_;
                                 if (index >= entries.size()) return invalid("processor index out of range");
                                 auto result = entries[index].create(Options(options), vocab_size);
                                 if (!result) return result.error();
                                 *made = result->release();
                                 return {};
                               });
                             },
                             [](void* p) noexcept { delete static_cast<Processor*>(p); },
                             [](void* p, tenon_candidates* candidates, tenon_status* status) noexcept {
                               return guarded(status, [&] { return processor(p).apply(*candidates); });
                             },
                             [](void* p, tenon_candidates* candidates, int32_t* id, tenon_status* status) noexcept {
                               return guarded(status, [&]() -> Result<void> {
                                 auto chosen = processor(p).choose(*candidates);
                                 if (!chosen) return chosen.error();
                                 *id = *chosen;
                                 return {};
                               });
                             },
                             [](void* p, int32_t id, tenon_status* status) noexcept {
                               return guarded(status, [&] { return processor(p).commit(id); });
                             },
                             [](void* p, void** copy, tenon_status* status) noexcept {
                               return guarded(status, [&]() -> Result<void> {
                                 auto result = processor(p).clone();
                                 if (!result) return result.error();
                                 *copy = result->release();
                                 return {};
                               });
                             }};
};

}  // namespace tenon
