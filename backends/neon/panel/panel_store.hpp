// What follows the chain of eight outputs. Included by kernel files alone, hence all in an unnamed namespace.
#pragma once

#include "../f32x8.hpp"
#include "panels/panel.hpp"

namespace tenon::panels {
namespace {

inline void store_outputs(const PanelCall& call, int64_t panel, int64_t row, F32x8 acc) {
  const int64_t first = panel * kPanel, place = first - call.first_output, n = call.n_outputs - first;
  if (call.bias != nullptr) acc = add8(acc, load_tail(call.bias + first, 0, n));
  if (call.scale != 1.0f) acc = mul8(acc, set8(call.scale));
  if (call.add != nullptr) acc = add8(load_tail(call.add[row] + place, 0, n), acc);
  store_tail(call.out[row] + place, 0, n, acc);
}

}  // namespace
}  // namespace tenon::panels
