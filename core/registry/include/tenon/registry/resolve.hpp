// Which backend runs an op: the config's pins, then its order, and every reason on the way.
#pragma once

#include <tenon/config/settings.hpp>
#include <tenon/registry/registry.hpp>
#include <tenon/result.hpp>

#include <span>
#include <string>
#include <vector>

namespace tenon {

struct Candidate {
  std::string backend;  // plug-in id
  bool supported = false;
  bool chosen = false;
  tenon_support support{};
  std::string reason;  // why it was not chosen
};

struct Resolution {
  std::vector<Candidate> candidates;  // in order of preference
  int chosen = -1;                    // index of the candidate that runs the op
  bool by_rule = false;               // a rule of the config pinned it
};

struct ResolveRules {
  std::vector<std::string> order;  // the preferred first; backends that are not in it run nothing unless pinned
  std::vector<BackendRule> rules;
};

/// Errors: an order or rule names a backend that is not loaded (with "did you mean").
Result<void> check_rules(std::span<const Offer<tenon_kernel_api>> backends, const ResolveRules& rules);

/// Errors: NO_BACKEND_FOR_OP with the table of candidates and reasons, at the place of the pin where there is one.
Result<Resolution> resolve(std::span<const Offer<tenon_kernel_api>> backends, const ResolveRules& rules,
                           const tenon_op& op);

}  // namespace tenon
