#include <tenon/model/weight.hpp>

#include <tenon/convert.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace tenon {
namespace {

// In the order of Transform.
constexpr auto kNames = std::to_array<std::string_view>(
    {"none", "halves_to_neighbours", "plus_one", "even_rows", "odd_rows", "first_half_rows", "second_half_rows"});

/// Which axis counts the outputs.
uint32_t row_axis(const tenon_tensor& shape, bool is_bias) {
  return is_bias || shape.rank == 1 ? shape.rank - 1 : shape.rank - 2;
}

bool halves_the_rows(Transform transform) {
  return transform == Transform::even_rows || transform == Transform::odd_rows ||
         transform == Transform::first_half_rows || transform == Transform::second_half_rows;
}

/// The row of the file that becomes row `row` of `n` rows.
int64_t source_row(const Weight& weight, int64_t row, int64_t n) {
  switch (weight.transform) {
    case Transform::halves_to_neighbours: {
      const int64_t in_head = row % weight.head_dim;
      return row - in_head + in_head / 2 + in_head % 2 * (weight.head_dim / 2);
    }
    case Transform::even_rows: return 2 * row;
    case Transform::odd_rows: return 2 * row + 1;
    case Transform::second_half_rows: return row + n;
    default: return row;
  }
}

float widened(const std::byte* element, uint32_t dtype) {
  if (dtype == TENON_F32) {
    float value;
    std::memcpy(&value, element, sizeof value);
    return value;
  }
  uint16_t bits;
  std::memcpy(&bits, element, sizeof bits);
  return dtype == TENON_F16 ? f16_to_f32(bits) : bf16_to_f32(bits);
}

uint64_t bytes_of(const tenon_tensor& shape) {
  return static_cast<uint64_t>(rows_of(shape) * row_bytes(DType{shape.dtype}, row_width(shape)));
}

Error unfit(const ModelSource::Tensor& tensor, Transform transform, std::string_view what) {
  return invalid(fmt::format("tensor '{}' of shape [{}]: {}, which '{}' asks for", tensor.name,
                             fmt::join(tensor.shape.dims, tensor.shape.dims + tensor.shape.rank, ", "), what,
                             kNames[static_cast<size_t>(transform)]));
}

}  // namespace

std::span<const std::string_view> transform_names() { return kNames; }

std::optional<Transform> find_transform(std::string_view name) {
  const auto it = std::ranges::find(kNames, name);
  return it == kNames.end() ? std::nullopt : std::optional(static_cast<Transform>(it - kNames.begin()));
}

Result<Weight> make_weight(std::vector<const ModelSource::Tensor*> parts, Transform transform, bool is_bias,
                           int64_t head_dim) {
  const ModelSource::Tensor& first = *parts.front();
  Weight weight{first.name, first.shape, 0, {}, transform, is_bias, head_dim, 0};
  tenon_tensor& shape = weight.shape;
  uint64_t source_bytes = 0;
  for (const ModelSource::Tensor* part : parts) {
    if (part->shape.dtype != shape.dtype || part->shape.rank != shape.rank ||
        !std::equal(shape.dims, shape.dims + shape.rank, part->shape.dims)) {
      return invalid(
          fmt::format("tensor '{}' differs from '{}' in shape or type; they are stacked", part->name, first.name));
    }
    source_bytes += part->bytes;
  }
  const uint32_t axis_of_part = row_axis(shape, is_bias);
  const int64_t n = shape.dims[axis_of_part];
  if (halves_the_rows(transform)) {
    if (n % 2 != 0) return unfit(first, transform, fmt::format("{} rows are no even number", n));
    shape.dims[axis_of_part] = n / 2;
  }
  if (transform == Transform::halves_to_neighbours && (head_dim < 2 || head_dim % 2 != 0 || n % head_dim != 0)) {
    return unfit(first, transform, fmt::format("{} rows are no multiple of an even head_dim ({})", n, head_dim));
  }
  const bool is_half_float = shape.dtype == TENON_F16 || shape.dtype == TENON_BF16;
  const bool widens = (is_bias || shape.rank == 1 || transform == Transform::plus_one) && is_half_float;
  if (transform == Transform::plus_one && !widens && shape.dtype != TENON_F32) {
    return unfit(first, transform, "its type is no f32, f16 or bf16");
  }
  if (parts.size() > 1) {
    if (shape.rank == TENON_MAX_RANK) return unfit(first, transform, "it has too many axes to be stacked");
    std::copy_backward(shape.dims, shape.dims + shape.rank, shape.dims + shape.rank + 1);
    shape.dims[0] = static_cast<int64_t>(parts.size());
    ++shape.rank;
  }
  if (widens) shape.dtype = TENON_F32;
  weight.bytes = bytes_of(shape);
  if (transform != Transform::none || widens) weight.scratch_bytes = source_bytes;
  weight.parts = std::move(parts);
  return weight;
}

Result<void> read_weight(const ModelSource& model, const Weight& weight, std::span<std::byte> destination,
                         std::span<std::byte> scratch) {
  const std::span<std::byte> raw = weight.scratch_bytes > 0 ? scratch : destination;
  uint64_t read_bytes = 0;
  for (const ModelSource::Tensor* part : weight.parts) {
    auto read = model.read(*part, raw.subspan(read_bytes, part->bytes));
    if (!read) return read;
    read_bytes += part->bytes;
  }
  if (weight.scratch_bytes == 0) return {};

  const ModelSource::Tensor& first = *weight.parts.front();
  const uint32_t from = first.shape.dtype, axis = row_axis(first.shape, weight.is_bias);
  const int64_t n_source = first.shape.dims[axis];
  const int64_t n = halves_the_rows(weight.transform) ? n_source / 2 : n_source;
  const bool by_element = axis == first.shape.rank - 1;  // a row is one element
  const DType dtype{from};
  const int64_t row_elements = by_element ? 1 : row_width(first.shape);
  const int64_t source_bytes = row_bytes(dtype, row_elements);
  const int64_t n_groups = static_cast<int64_t>(read_bytes) / (source_bytes * n_source);
  const float added = weight.transform == Transform::plus_one ? 1.0f : 0.0f;
  const bool to_f32 = weight.shape.dtype == TENON_F32;
  std::byte* out = destination.data();
  for (int64_t group = 0; group < n_groups; ++group) {
    for (int64_t row = 0; row < n; ++row) {
      const std::byte* in = raw.data() + (group * n_source + source_row(weight, row, n)) * source_bytes;
      if (!to_f32) {
        std::memcpy(out, in, static_cast<size_t>(source_bytes));
        out += source_bytes;
        continue;
      }
      for (int64_t i = 0; i < row_elements; ++i, out += sizeof(float)) {
        const float value = widened(in + i * row_bytes(dtype, 1), from) + added;
        std::memcpy(out, &value, sizeof value);
      }
    }
  }
  return {};
}

}  // namespace tenon
