// Random weights and activations, for tests that compare two kernels.
#pragma once

#include <conformance/random_case.hpp>

namespace tenon::test {
using namespace tenon::conformance;
}
