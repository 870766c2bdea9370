// The cases that a backend on another processor is held to: the same program, built for both processors, makes the same
// ops and activations, so that only results travel between them.
#pragma once

#include <conformance/op_case.hpp>
#include <support/kernel_runner.hpp>
#include <support/random_case.hpp>

#include <functional>
#include <string>
#include <vector>

namespace tenon::test {

/// One op, bound once, and its runs in order. Random numbers are drawn in statements or braces, whose order is fixed.
struct Case {
  std::string name;  // unique
  OpCase op;
  std::vector<RunInput> runs;
  int64_t n_pages = 0;                 // of the kv store that the runs share; 0: none
  std::vector<int32_t> unpacked = {};  // rows of weight 0 to give back
};

using VisitCase = std::function<void(const Case&)>;

void visit_elementwise_cases(const VisitCase& visit);
void visit_product_cases(const VisitCase& visit);
void visit_gated_cases(const VisitCase& visit);
void visit_attention_cases(const VisitCase& visit);

/// The outputs of all runs, then the unpacked rows.
std::vector<Rows> results_of(const LoadedBackend& backend, const Case& made);

}  // namespace tenon::test
