#include "tensors.hpp"

#include <files/message.hpp>
#include "types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace tenon::gguf {

using formats::in_context;
using formats::quoted;
namespace {

constexpr uint64_t kMinTensorBytes = 33;  // length and one byte of name, rank, one dimension, type, offset
constexpr uint64_t kMaxTensors = uint64_t{1} << 20;

Result<std::string_view> read_name(Cursor& cursor, Arena& arena) {
  auto name = cursor.string(arena, kMaxNameBytes - 1);
  if (!name) return in_context("name", name.error());
  if (name->empty()) return invalid("its name is empty");
  const auto printable = [](char c) { return c >= 0x20 && c < 0x7f; };
  if (!std::all_of(name->begin(), name->end(), printable)) {
    return invalid(fmt::format("{} is no tensor name: names are printable ASCII", quoted(*name)));
  }
  return *name;
}

/// The file lists the fastest dimension first.
Result<void> read_dims(Cursor& cursor, tenon_tensor& tensor) {
  auto rank = cursor.number<uint32_t>();
  if (!rank) return rank.error();
  if (*rank < 1 || *rank > TENON_MAX_RANK) {
    return invalid(fmt::format("{} dimensions, expected 1 to {}", *rank, static_cast<int>(TENON_MAX_RANK)));
  }
  tensor.rank = *rank;
  for (uint32_t i = 0; i < *rank; ++i) {
    auto dim = cursor.number<int64_t>();
    if (!dim) return dim.error();
    if (*dim == 0) return invalid("a dimension is 0");
    if (*dim < 0) return invalid(fmt::format("a dimension is {}, expected more than 0", *dim));
    tensor.dims[*rank - 1 - i] = *dim;
  }
  return {};
}

Result<const DTypeInfo*> read_dtype(Cursor& cursor) {
  auto id = cursor.number<uint32_t>();
  if (!id) return id.error();
  const GgmlType* type = find_ggml_type(*id);
  if (type == nullptr) return unsupported(fmt::format("unknown type id {}; supported: {}", *id, supported_types()));
  if (!type->dtype) {
    return unsupported(fmt::format("type {} (id {}) {}; supported: {}", type->name, *id,
                                   type->removed ? "was removed from the format" : "is not supported",
                                   supported_types()));
  }
  return &info_of(*type->dtype);
}

Result<uint64_t> bytes_of(const tenon_tensor& tensor, const DTypeInfo& dtype) {
  const int64_t width = row_width(tensor);
  if (width % dtype.block_elements != 0) {
    return invalid(fmt::format("a row of {} elements is no multiple of {}, the block of {}", width,
                               dtype.block_elements, dtype.name));
  }
  // Elements first: every user of the dimensions may multiply them.
  int64_t elements = 1, bytes = width / dtype.block_elements;
  bool wraps = __builtin_mul_overflow(bytes, dtype.block_bytes, &bytes);
  for (uint32_t i = 0; i < tensor.rank; ++i) {
    wraps = wraps || __builtin_mul_overflow(elements, tensor.dims[i], &elements);
    if (i + 1 < tensor.rank) wraps = wraps || __builtin_mul_overflow(bytes, tensor.dims[i], &bytes);
  }
  if (wraps) {
    return invalid(fmt::format("the product of the dimensions {} passes 2^63",
                               fmt::join(tensor.dims, tensor.dims + tensor.rank, " x ")));
  }
  return static_cast<uint64_t>(bytes);
}

/// All of an entry but its name.
Result<void> read_entry(Cursor& cursor, TensorEntry& entry) {
  auto dims = read_dims(cursor, entry.tensor);
  if (!dims) return dims;
  auto dtype = read_dtype(cursor);
  if (!dtype) return dtype.error();
  entry.tensor.dtype = static_cast<uint32_t>((*dtype)->dtype);
  auto bytes = bytes_of(entry.tensor, **dtype);
  if (!bytes) return bytes.error();
  entry.bytes = *bytes;
  auto offset = cursor.number<uint64_t>();
  if (!offset) return offset.error();
  entry.offset = *offset;
  return {};
}

}  // namespace

Result<std::vector<TensorEntry>> read_tensors(Cursor& cursor, uint64_t count, Arena& arena) {
  auto fit = cursor.fits("number of tensors", count, kMinTensorBytes);
  if (!fit) return fit.error();
  if (count > kMaxTensors) {
    return invalid(fmt::format("number of tensors {}: at most {} are taken", count, kMaxTensors));
  }
  std::vector<TensorEntry> tensors;
  tensors.reserve(static_cast<size_t>(count));
  std::unordered_map<std::string_view, uint64_t> seen;
  for (uint64_t i = 0; i < count; ++i) {
    auto name = read_name(cursor, arena);
    if (!name) return in_context(fmt::format("tensor number {}", i), name.error());
    const auto [first, is_new] = seen.emplace(*name, i);
    if (!is_new) {
      return invalid(
          fmt::format("tensor {} appears twice: as number {} and as number {}", quoted(*name), first->second, i));
    }
    TensorEntry& entry = tensors.emplace_back(TensorEntry{*name, {}, 0, 0});
    auto read = read_entry(cursor, entry);
    if (!read) return in_context(fmt::format("tensor {}", quoted(*name)), read.error());
  }
  return tensors;
}

}  // namespace tenon::gguf
