// The loop that all block formats share, over two parts: a format (formats/) says how its units are unpacked and how a
// block is added; a dot (dot_*.hpp) forms the integer sums with the instructions of one level.
//
//   acc[8 outputs] = 0; for each unit, for each block of 32 in it:
//     isum[g] = sum over group g of (code - Format::kOffset) q, exact in i32; acc = Format::step(acc, isum, ...)
//
// A block has one group of 32 or two of 16. Each output is one chain of fma over ascending blocks (class int8 of
// core/README.md), whatever the number of rows and the level: rows only share the unpacked weights. Included by the
// files of the levels alone, hence all in an unnamed namespace.
#pragma once

#include "codes.hpp"
#include "panel_store.hpp"

namespace tenon::panels {
namespace {

/// What to start the sum of group g with, so that `code q` summed up gives `(code - offset) q`.
template <class Format>
inline int32_t start_of(const ActBlock& x, int g) {
  if (Format::kOffset == 0) return 0;
  return -Format::kOffset * (Format::kGroups == 1 ? x.sum : x.sum16[g]);
}

/// kRows rows by one panel. The weights of a block are unpacked once for all rows.
template <class Dot, class Format, int kRows>
inline void multiply_rows(const PanelCall& call, int64_t panel, int64_t row) {
  constexpr int kGroups = Format::kGroups, kVectors = 8 / kGroups, kAtOnce = Dot::kRows;
  const int64_t n_units = call.k / (32 * Format::kBlocks);
  const uint8_t* unit = call.panels + panel * n_units * Format::kUnitBytes;
  const ActBlock* x[kRows];
  F32x8 acc[kRows];
  for (int r = 0; r < kRows; ++r) {
    x[r] = static_cast<const ActBlock*>(call.x[row + r]);
    acc[r] = set8(0.0f);
  }
  for (int64_t u = 0; u < n_units; ++u, unit += Format::kUnitBytes) {
    // Half a page ahead: one row is bound by memory, and hardware prefetchers stop at page borders.
    for (int line = 0; line < Format::kUnitBytes; line += 64) __builtin_prefetch(unit + 2048 + line);
    const typename Format::Unit scales = Format::load_unit(unit);
    for (int b = 0; b < Format::kBlocks; ++b) {
      Codes w;
      Format::load_codes(unit, b, w);
      Dot::arrange(w);
      const typename Format::Block block = Format::load_block(unit, b, scales);
      for (int r = 0; r < kRows; r += kAtOnce) {
        I32x8 isum[kAtOnce][kGroups];
        for (int g = 0; g < kGroups; ++g) {
          int32_t start[kAtOnce];
          I32x8 sums[kAtOnce];
          for (int i = 0; i < kAtOnce; ++i) start[i] = start_of<Format>(*x[r + i], g);
          Dot::template sums<Format::kLargest, kVectors>(w, g * kVectors, x + r, start, sums);
          for (int i = 0; i < kAtOnce; ++i) isum[i][g] = sums[i];
        }
        for (int i = 0; i < kAtOnce; ++i) acc[r + i] = Format::step(acc[r + i], isum[i], block, *x[r + i]++);
      }
    }
  }
  for (int r = 0; r < kRows; ++r) store_outputs(call, panel, row + r, acc[r]);
}

/// `Level` names the dot of a single row and the one of tiles of two rows and more.
template <class Level, class Format>
inline void multiply_panels(const PanelCall& call) {
  for (int64_t panel = call.first_panel; panel < call.last_panel; ++panel) {
    int64_t row = 0;
    for (; row + 4 <= call.n_rows; row += 4) multiply_rows<typename Level::Rows, Format, 4>(call, panel, row);
    if (row + 2 <= call.n_rows) {
      multiply_rows<typename Level::Rows, Format, 2>(call, panel, row);
      row += 2;
    }
    if (row < call.n_rows) multiply_rows<typename Level::Row, Format, 1>(call, panel, row);
  }
}

}  // namespace
}  // namespace tenon::panels
