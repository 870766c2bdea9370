// One op on one backend as a benchmark: its result is checked once, outside of the timed runs, against `reference`
// (normalised squared error at most 1e-3 over all outputs, which tells a wrong kernel from an 8-bit one; exactness is
// the tests' business), and what it is measured against runs in turns with it.
#pragma once

#include <conformance/op_case.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tenon::bench {

/// The same work by something else: a peer, or a plain loop over the same bytes. Its counter is its time over the op's:
/// more than 1 where the op is faster.
struct Yardstick {
  std::string name;
  std::function<void()> run;
};

struct Scenario {
  conformance::OpCase op;
  conformance::RunInput input;
  int64_t multiply_adds = 0;
  int64_t bytes = 0;  // of weights, or read and written where there are none
  std::function<std::vector<Yardstick>()> yardsticks = {};
};

/// A backend to measure. Its scenarios are called <mark><op>/<name>/...
struct Candidate {
  std::string mark, name, file;
};

/// Those of this build; or the two files that tools/benchdiff wants measured by turns, under one name, so that it can
/// tell which scenarios belong together.
std::vector<Candidate> candidates();

/// The first of the hand-written backends that is built: what the default config takes.
Candidate default_candidate();

/// Whether the backend is there and takes the op.
bool takes(const Candidate& candidate, const conformance::OpCase& op);

void add_scenario(const std::string& name, const Candidate& candidate, std::function<Scenario()> make);

}  // namespace tenon::bench
