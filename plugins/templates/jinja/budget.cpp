#include "budget.hpp"

#include <fmt/format.h>

namespace tenon::jinja {

void Budget::out_of_steps() {
  throw RenderError(fmt::format("the template takes more than {} steps", kMostSteps), true);
}
void Budget::out_of_memory() {
  throw RenderError(fmt::format("the template needs more than {} MiB of memory", kMostMemoryBytes >> 20), true);
}
void Budget::out_of_output() {
  throw RenderError(fmt::format("the template writes more than {} bytes", kMostOutputBytes), true);
}
void Budget::out_of_depth() {
  throw RenderError(fmt::format("the template's evaluation goes more than {} levels deep", kMostDepth), true);
}

}  // namespace tenon::jinja
