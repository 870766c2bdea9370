// A constant of the graph, made of one or more tensors of the model file.
#pragma once

#include <tenon/model/source.hpp>
#include <tenon/result.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenon {

/// What is done to a tensor on its way from the file, where a format keeps a family's weights in another order. Rows
/// are the outputs: the last axis of a bias, the one before it of a weight.
enum class Transform {
  none,
  halves_to_neighbours,  // rows i and i + head_dim / 2 of each head become rows 2i and 2i + 1
  plus_one,              // adds 1, in f32
  even_rows,             // rows 0, 2, 4 ...
  odd_rows,              // rows 1, 3, 5 ...
  first_half_rows,       // of each expert
  second_half_rows,
};

/// The names that recipes use.
std::span<const std::string_view> transform_names();
std::optional<Transform> find_transform(std::string_view name);

struct Weight {
  std::string name;    // of its first part
  tenon_tensor shape;  // as the kernels see it
  uint64_t bytes = 0;
  std::vector<const ModelSource::Tensor*> parts;  // several are stacked along a new first axis
  Transform transform = Transform::none;
  bool is_bias = false;
  int64_t head_dim = 0;
  uint64_t scratch_bytes = 0;  // of what read_weight needs besides `bytes`

  friend bool operator==(const Weight& a, const Weight& b) {
    return a.parts == b.parts && a.transform == b.transform && a.is_bias == b.is_bias;
  }
};

/// Vectors and biases of f16 and bf16 become f32. Errors: parts of different shapes, rows that the transform cannot
/// divide.
Result<Weight> make_weight(std::vector<const ModelSource::Tensor*> parts, Transform transform, bool is_bias,
                           int64_t head_dim);

/// `destination` has weight.bytes, `scratch` weight.scratch_bytes.
Result<void> read_weight(const ModelSource& model, const Weight& weight, std::span<std::byte> destination,
                         std::span<std::byte> scratch);

}  // namespace tenon
