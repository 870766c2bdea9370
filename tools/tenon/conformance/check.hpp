// One case on one backend: supports, run in every way that must make no difference, compared with `reference`.
#pragma once

#include <conformance/case.hpp>
#include <conformance/compare.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tenon::conformance {

enum class Verdict { pass, unsupported, mismatch, error };
std::string_view name_of(Verdict verdict);

struct CaseResult {
  Verdict verdict = Verdict::pass;
  std::string kernel;    // as the backend names it
  std::string computes;  // the class that it says it computes in
  // unsupported: the backend's reason. mismatch: which comparison failed. error: what happened, with the status, signal
  // or PLUGIN_ code.
  std::string message;
  std::optional<Mismatch> mismatch;
  double error = 0;  // of the comparison with the reference: ulp, or for a class of the backend's own squared error
  double int8_error = 0;  // squared error against exact64, in the class int8
};

struct CheckSettings {
  uint64_t seed = 1;
  uint32_t n_threads = 3;  // compared with one
  bool exact = false;      // the reference's bits, in every class but other
};

/// Told before every step that may not return: "run on 3 threads".
using StageFunction = std::function<void(std::string_view)>;

CaseResult check_case(const Case& given, const tenon_kernel_api& backend, const tenon_kernel_api& reference,
                      const CheckSettings& settings, const StageFunction& stage);

}  // namespace tenon::conformance
