#include <tenon/base/border.hpp>
#include <tenon/dtype.hpp>
#include <tenon/registry/resolve.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace tenon {
namespace {

std::string_view dtype_name(const tenon_op& op) {
  if (op.n_weights == 0 || is_absent(op.weights[0])) return "f32";
  const DTypeInfo* info = find_dtype(op.weights[0].dtype);
  return info == nullptr ? "?" : info->name;
}

std::string shape_of(const tenon_op& op) {
  std::string text;
  for (uint32_t w = 0; w < op.n_weights; ++w) {
    if (is_absent(op.weights[w])) continue;
    const DTypeInfo* info = find_dtype(op.weights[w].dtype);
    text += fmt::format("{}{}[", text.empty() ? "" : " ", info == nullptr ? "?" : info->name);
    for (uint32_t i = 0; i < op.weights[w].rank; ++i)
      text += fmt::format("{}{}", i == 0 ? "" : ",", op.weights[w].dims[i]);
    text += "]";
  }
  return text.empty() ? "no weights" : text;
}

tenon_support ask(const tenon_kernel_api& api, const tenon_op& op) {
  tenon_support support{};
  support.size = sizeof support;
  tenon_status status = empty_status();
  const tenon_code code = call_plugin(status, [&] {
    api.supports(api.self, &op, &support);
    return TENON_OK;
  });
  if (code != TENON_OK) {
    support = {};
    copy_text(support.reason, sizeof support.reason, fmt::format("supports() threw: {}", status.message));
  }
  support.kernel[sizeof support.kernel - 1] = '\0';
  support.reason[sizeof support.reason - 1] = '\0';
  return support;
}

const BackendRule* matching_rule(const ResolveRules& rules, const tenon_op& op) {
  const std::string_view dtype = dtype_name(op);
  for (const BackendRule& rule : rules.rules) {
    if (rule.op != op.name) continue;
    if (rule.dtypes.empty() || std::ranges::find(rule.dtypes, dtype) != rule.dtypes.end()) return &rule;
  }
  return nullptr;
}

Candidate candidate_of(const Offer<tenon_kernel_api>& offer, const tenon_op& op) {
  Candidate candidate;
  candidate.backend = offer.plugin_id;
  candidate.support = ask(*offer.api, op);
  candidate.supported = candidate.support.supported != 0;
  if (!candidate.supported) {
    candidate.reason = candidate.support.reason[0] != '\0' ? candidate.support.reason : "it refused without a reason";
  }
  return candidate;
}

std::string table(const Resolution& resolution) {
  std::string text;
  for (const Candidate& c : resolution.candidates) text += fmt::format("\n  {:<12} {}", c.backend, c.reason);
  return text.empty() ? "\n  no backend is loaded" : text;
}

/// The first supported candidate is taken; the others say what stood before them.
void choose_first(Resolution& resolution, size_t n_ordered) {
  for (size_t i = 0; i < resolution.candidates.size(); ++i) {
    Candidate& candidate = resolution.candidates[i];
    if (i >= n_ordered) {
      if (candidate.supported) candidate.reason = "not in backends.order";
    } else if (candidate.supported && resolution.chosen < 0) {
      resolution.chosen = static_cast<int>(i);
      candidate.chosen = true;
    } else if (candidate.supported) {
      candidate.reason = fmt::format("'{}' stands before it in backends.order",
                                     resolution.candidates[static_cast<size_t>(resolution.chosen)].backend);
    }
  }
}

}  // namespace

Result<void> check_rules(std::span<const Offer<tenon_kernel_api>> backends, const ResolveRules& rules) {
  std::vector<std::string_view> loaded;
  for (const auto& offer : backends) loaded.emplace_back(offer.plugin_id);
  const auto unknown = [&](const std::string& name, std::string_view what) {
    const std::string_view near = did_you_mean(name, loaded);
    return fmt::format("{} names '{}', which is no loaded backend{}; loaded: {}", what, name,
                       near.empty() ? "" : fmt::format(", did you mean '{}'?", near), fmt::join(loaded, ", "));
  };
  for (const std::string& name : rules.order) {
    if (std::ranges::find(loaded, name) == loaded.end()) {
      return invalid("CONFIG_UNKNOWN_BACKEND: " + unknown(name, "backends.order"));
    }
  }
  for (const BackendRule& rule : rules.rules) {
    if (std::ranges::find(loaded, rule.use) != loaded.end()) continue;
    const std::string text = unknown(rule.use, "a rule of backends.rules");
    if (rule.place.source) return config_error("CONFIG_UNKNOWN_BACKEND", rule.place, text);
    return invalid("CONFIG_UNKNOWN_BACKEND: " + text);
  }
  return {};
}

Result<Resolution> resolve(std::span<const Offer<tenon_kernel_api>> backends, const ResolveRules& rules,
                           const tenon_op& op) {
  Resolution resolution;
  const auto offer_of = [&](std::string_view id) {
    return std::ranges::find(backends, id, &Offer<tenon_kernel_api>::plugin_id);
  };
  const BackendRule* rule = matching_rule(rules, op);
  std::vector<std::string_view> order;
  if (rule != nullptr) order.emplace_back(rule->use);
  for (const std::string& id : rules.order) order.emplace_back(id);
  for (const auto& offer : backends) order.emplace_back(offer.plugin_id);
  size_t n_ordered = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    if (std::ranges::find(resolution.candidates, order[i], &Candidate::backend) != resolution.candidates.end())
      continue;
    const auto offer = offer_of(order[i]);
    if (offer == backends.end()) continue;
    resolution.candidates.push_back(candidate_of(*offer, op));
    if (i < rules.order.size() + (rule != nullptr ? 1 : 0)) n_ordered = resolution.candidates.size();
  }
  if (rules.order.empty() && rule == nullptr) n_ordered = resolution.candidates.size();
  if (rule != nullptr) {
    resolution.by_rule = true;
    if (!resolution.candidates.empty() && resolution.candidates.front().backend == rule->use &&
        resolution.candidates.front().supported) {
      resolution.chosen = 0;
      resolution.candidates.front().chosen = true;
      for (size_t i = 1; i < resolution.candidates.size(); ++i) {
        if (resolution.candidates[i].supported)
          resolution.candidates[i].reason = fmt::format("a rule pins '{}'", rule->use);
      }
      return resolution;
    }
    for (size_t i = 1; i < resolution.candidates.size(); ++i) {
      if (resolution.candidates[i].supported)
        resolution.candidates[i].reason = fmt::format("could, but a rule pins '{}'", rule->use);
    }
    const std::string text = fmt::format("a rule pins {} to '{}', which cannot run it ({}):{}", op.name, rule->use,
                                         shape_of(op), table(resolution));
    if (rule->place.source) return config_error("NO_BACKEND_FOR_OP", rule->place, text);
    return invalid("NO_BACKEND_FOR_OP: " + text);
  }
  choose_first(resolution, n_ordered);
  if (resolution.chosen >= 0) return resolution;
  return invalid(
      fmt::format("NO_BACKEND_FOR_OP: no backend runs {} ({}):{}", op.name, shape_of(op), table(resolution)));
}

}  // namespace tenon
