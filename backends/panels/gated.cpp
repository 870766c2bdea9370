#include "gated.hpp"

namespace tenon::panels {

Gated::Inner Gated::carve_inner(Carver& carver, int64_t n) const {
  Inner inner;
  if (down_.is_int8()) {
    inner.blocks = carver.take<ActBlock>(n * (gate_.rows / 32));
  } else {
    inner.values = carver.take<float>(n * gate_.rows);
  }
  inner.rows = carver.take<const void*>(n);
  return inner;
}

void Gated::point_rows(const Inner& inner, const int32_t* places, int64_t n) const {
  for (int64_t i = 0; i < n; ++i) {
    const int64_t place = places == nullptr ? i : places[i];
    if (down_.is_int8()) {
      inner.rows[i] = inner.blocks + place * (gate_.rows / 32);
    } else {
      inner.rows[i] = inner.values + place * gate_.rows;
    }
  }
}

Gated::Scratch Gated::carve_scratch(Carver& carver) {
  Scratch scratch{};
  scratch.gate = carver.take<float>(kRowBlock * kMostOutputs);
  scratch.up = carver.take<float>(kRowBlock * kMostOutputs);
  scratch.gate_rows = carver.take<float*>(kRowBlock);
  scratch.up_rows = carver.take<float*>(kRowBlock);
  return scratch;
}

int64_t Gated::inner_grain(uint32_t n_threads) const {
  return std::min(panels_per_task(gate_, n_threads, kBlockPanels), kMostOutputs / kPanel);
}

int64_t Gated::n_inner_tasks(uint32_t n_threads) const {
  const int64_t grain = inner_grain(n_threads);
  return (gate_.n_panels() + grain - 1) / grain;
}

void Gated::run_inner(const GatedWeights& w, int64_t task, uint32_t n_threads, const void* const* floats,
                      const void* const* quantized, int64_t n, const int32_t* places, const Inner& inner,
                      const Scratch& scratch) const {
  const int64_t grain = inner_grain(n_threads);
  const PanelRange range{task * grain, std::min((task + 1) * grain, gate_.n_panels())};
  for (int64_t i = 0; i < kRowBlock; ++i) {
    scratch.gate_rows[i] = scratch.gate + i * kMostOutputs;
    scratch.up_rows[i] = scratch.up + i * kMostOutputs;
  }
  for (int64_t row = 0; row < n; row += kRowBlock) {
    PanelCall call{};
    call.n_rows = std::min(kRowBlock, n - row);
    call.first_output = range.first * kPanel;
    call.scale = 1.0f;
    call.panels = w.gate;
    call.bias = w.gate_bias;
    call.x = (gate_.is_int8() ? quantized : floats) + row;
    call.out = scratch.gate_rows;
    multiply(gate_, call, range);
    call.panels = w.up;
    call.bias = w.up_bias;
    call.x = (up_.is_int8() ? quantized : floats) + row;
    call.out = scratch.up_rows;
    multiply(up_, call, range);
    finish_rows(range, row, call.n_rows, places, inner, scratch);
  }
}

void Gated::finish_rows(PanelRange range, int64_t first_row, int64_t n, const int32_t* places, const Inner& inner,
                        const Scratch& scratch) const {
  const int64_t first = range.first * kPanel, width = std::min(range.last * kPanel, gate_.rows) - first;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t place = places == nullptr ? first_row + i : places[first_row + i];
    float* gate = scratch.gate_rows[i];
    if (down_.is_int8()) {
      activate_row(activation_, gate, scratch.up_rows[i], width, gate);
      quantize_row(gate, width, inner.blocks + place * (gate_.rows / 32) + first / 32);
    } else {
      activate_row(activation_, gate, scratch.up_rows[i], width, inner.values + place * gate_.rows + first);
    }
  }
}

}  // namespace tenon::panels
