// One op with its weights, parameters and activations, in plain vectors.
#pragma once

#include <tenon/dtype.hpp>

#include <algorithm>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tenon::conformance {

/// A constant tensor with its bytes in file order; rank 0: absent.
struct Weight {
  tenon_tensor tensor{};
  std::vector<std::byte> bytes;
};

inline tenon_tensor tensor_of(DType dtype, const std::vector<int64_t>& dims) {
  tenon_tensor tensor{static_cast<uint32_t>(dtype), static_cast<uint32_t>(dims.size()), {}};
  std::copy(dims.begin(), dims.end(), tensor.dims);
  return tensor;
}

template <class Element>
Weight weight(DType dtype, const std::vector<int64_t>& dims, const std::vector<Element>& elements) {
  const auto bytes = std::as_bytes(std::span(elements));
  const tenon_tensor tensor = tensor_of(dtype, dims);
  if (static_cast<int64_t>(bytes.size()) != rows_of(tensor) * row_bytes(dtype, row_width(tensor))) {
    throw std::invalid_argument("the weight's bytes do not fit its shape");
  }
  return {tensor, {bytes.begin(), bytes.end()}};
}
inline Weight f32_weight(const std::vector<int64_t>& dims, const std::vector<float>& values) {
  return weight(DType::f32, dims, values);
}

struct OpCase {
  std::string name;
  uint32_t numeric_class = TENON_CLASS_DEFAULT;
  std::vector<Weight> weights;
  std::vector<std::byte> params;
  int64_t max_rows = 512;
  uint32_t revision = 1;
};

/// Sets params.size.
template <class Params>
OpCase op_case(std::string name, Params params, std::vector<Weight> weights = {},
               uint32_t numeric_class = TENON_CLASS_DEFAULT) {
  params.size = sizeof params;
  OpCase made{std::move(name), numeric_class, std::move(weights), std::vector<std::byte>(sizeof params), 512};
  std::memcpy(made.params.data(), &params, sizeof params);
  return made;
}

/// Activations [n, width].
struct Rows {
  int64_t n = 0, width = 0;
  std::vector<float> values;

  Rows() = default;
  /// n_rows >= 1.
  Rows(int64_t n_rows, std::vector<float> all)
      : n(n_rows), width(static_cast<int64_t>(all.size()) / n_rows), values(std::move(all)) {}
  static Rows zeros(int64_t n_rows, int64_t row_width) {
    Rows rows;
    rows.n = n_rows;
    rows.width = row_width;
    rows.values.resize(static_cast<size_t>(n_rows * row_width));
    return rows;
  }

  std::span<float> row(int64_t i) {
    return std::span(values).subspan(static_cast<size_t>(i * width), static_cast<size_t>(width));
  }
  Rows slice(int64_t first, int64_t count) const {
    Rows part = zeros(count, width);
    std::copy_n(values.begin() + first * width, count * width, part.values.begin());
    return part;
  }
};

/// Rows of one sequence in a batch, in the order of the batch's rows.
struct SequenceRows {
  int64_t n_rows, first_position;
  std::vector<int32_t> pages;
};

class KvStore;

/// Which expanded copies a run is given: what a host with no, little or enough memory keeps.
enum class Dense { none, first_part, all };

struct RunInput {
  std::vector<Rows> in;
  std::vector<int64_t> out_widths;
  std::vector<int> same_as = {};     // for each output the input whose memory it shares, -1: its own; {}: all -1
  std::vector<int32_t> tokens = {};  // gather
  std::vector<SequenceRows> sequences = {};  // attention
  KvStore* kv = nullptr;
  int64_t n_rows = -1;       // -1: as in[0], or as many as tokens
  DType dtype = DType::f32;  // of all buffers: matmul
  uint32_t n_threads = 1;
  int64_t (*allocations)() = nullptr;  // a counter of the process, read before and after the kernel's run
  int64_t* allocated = nullptr;        // how far it went on meanwhile
  int repeat = 1;                      // runs of the kernel; attention then writes the same places again
  double* seconds = nullptr;           // what they took together
  Dense dense = Dense::none;
  std::byte workspace_fill{0xC3};  // what the workspace holds before the run
};

}  // namespace tenon::conformance
