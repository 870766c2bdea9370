#include <tenon/base/border.hpp>
#include <tenon/config/options.hpp>
#include <tenon/engine/sampler.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace tenon {

Result<Sampler::Link> Sampler::make_link(const Registry::ProcessorOffer& offer, const Yaml* options,
                                         const std::string& name, int32_t vocab_size) {
  const std::span<const tenon_option_spec> specs(offer.info->option_specs, offer.info->n_option_specs);
  auto values = check_options(specs, options == nullptr ? Yaml{} : *options, name);
  if (!values) return values.error();
  const tenon_options view_of_values = values->view();
  void* processor = nullptr;
  tenon_status status = empty_status();
  const tenon_code code = call_plugin(status, [&] {
    return offer.api->create(offer.api->self, offer.index, &view_of_values, vocab_size, &processor, &status);
  });
  if (code != TENON_OK) {
    return Error{code, fmt::format("processor '{}': {}", name, from_status(code, status).error().message)};
  }
  if (processor == nullptr) {
    return Error{TENON_INTERNAL, fmt::format("PLUGIN_CONTRACT: plug-in '{}' made the processor '{}' and gave nothing",
                                             offer.plugin_id, name)};
  }
  return Link{offer.api, name, std::unique_ptr<void, Destroy>(processor, Destroy{offer.api})};
}

Result<Sampler> Sampler::create(std::span<const Registry::ProcessorOffer> offers, std::span<const ChainItem> chain,
                                int32_t vocab_size) {
  Sampler sampler;
  const auto find = [&](std::string_view name) {
    return std::ranges::find_if(offers, [&](const auto& offer) { return name == offer.info->name; });
  };
  std::vector<std::string_view> names;
  for (const auto& offer : offers) names.emplace_back(offer.info->name);
  for (const ChainItem& item : chain) {
    const auto offer = find(item.name);
    if (offer == offers.end()) {
      const std::string_view near = did_you_mean(item.name, names);
      return config_error(
          "CONFIG_UNKNOWN_PROCESSOR", item.place,
          fmt::format("no loaded plug-in offers the processor '{}'{}; there are: {}", item.name,
                      near.empty() ? "" : fmt::format(", did you mean '{}'?", near), fmt::join(names, ", ")));
    }
    if (!sampler.choice_.empty()) {
      return config_error("CONFIG_CHAIN", item.place,
                          fmt::format("'{}' stands after the choice '{}', which ends a chain", item.name,
                                      sampler.choice_.front().name));
    }
    auto link = make_link(*offer, &item.options, item.name, vocab_size);
    if (!link) return link.error();
    (offer->info->role == TENON_PROCESSOR_CHOICE ? sampler.choice_ : sampler.filters_).push_back(std::move(*link));
  }
  if (sampler.choice_.empty()) {
    const auto offer = find("sample");
    if (offer == offers.end()) {
      return invalid(
          "the sampling chain ends without a choice and no loaded plug-in offers 'sample'; name the plug-in "
          "'processors' under 'plugins'");
    }
    auto link = make_link(*offer, nullptr, "sample", vocab_size);
    if (!link) return link.error();
    sampler.choice_.push_back(std::move(*link));
  }
  sampler.ids_.resize(static_cast<size_t>(vocab_size));
  sampler.values_.resize(static_cast<size_t>(vocab_size));
  return sampler;
}

Result<int32_t> Sampler::draw(std::span<float> logits, const DrawKey& key, std::span<const int32_t> prompt,
                              std::span<const int32_t> generated) {
  size_t n_nan = 0;
  for (float& logit : logits) {
    if (logit == logit) continue;
    logit = -std::numeric_limits<float>::infinity();
    ++n_nan;
  }
  n_nan_ += static_cast<int64_t>(n_nan);
  if (n_nan == logits.size()) {
    return invalid(
        fmt::format("all {} logits of the model are NaN: its weights or its metadata are damaged; verify the "
                    "file, or fetch it again",
                    n_nan));
  }
  tenon_candidates candidates{};
  candidates.size = sizeof candidates;
  candidates.vocab_size = static_cast<int32_t>(logits.size());
  candidates.logits = logits.data();
  candidates.ids = ids_.data();
  candidates.values = values_.data();
  candidates.n_candidates = -1;
  candidates.seed = key.seed;
  candidates.sample_index = key.sample_index;
  candidates.position = prompt.size() + generated.size();
  candidates.prompt = prompt.data();
  candidates.n_prompt = static_cast<int64_t>(prompt.size());
  candidates.generated = generated.data();
  candidates.n_generated = static_cast<int64_t>(generated.size());
  tenon_status status = empty_status();
  const auto fail = [&](tenon_code code, const Link& link) {
    const std::string why = from_status(code, status).error().message;
    const std::string nan = n_nan == 0 ? "" : fmt::format(" ({} of {} logits were NaN)", n_nan, logits.size());
    return Error{code, fmt::format("processor '{}': {}{}", link.name, why, nan)};
  };
  for (const Link& link : filters_) {
    const tenon_code code =
        call_plugin(status, [&] { return link.api->apply(link.processor.get(), &candidates, &status); });
    if (code != TENON_OK) return fail(code, link);
  }
  const Link& choice = choice_.front();
  int32_t id = -1;
  tenon_code code =
      call_plugin(status, [&] { return choice.api->choose(choice.processor.get(), &candidates, &id, &status); });
  if (code != TENON_OK) return fail(code, choice);
  if (id < 0 || id >= candidates.vocab_size) {
    return Error{TENON_INTERNAL, fmt::format("PLUGIN_BAD_OUTPUT: choice '{}' took id {} of {}", choice.name, id,
                                             candidates.vocab_size)};
  }
  for (const std::vector<Link>* links : {&filters_, &choice_}) {
    for (const Link& link : *links) {
      if (link.api->commit == nullptr) continue;
      code = call_plugin(status, [&] { return link.api->commit(link.processor.get(), id, &status); });
      if (code != TENON_OK) return fail(code, link);
    }
  }
  return id;
}

}  // namespace tenon
