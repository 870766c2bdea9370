// What every backend asks of an op's weights and parameters. A function gives "" where all is well, else the thing, the
// value found and the value expected: the text of a refusal.
#pragma once

#include <tenon/dtype.hpp>
#include <tenon/kernel.hpp>

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace tenon {
namespace detail {

inline std::string dtype_name(uint32_t dtype) {
  const DTypeInfo* info = find_dtype(dtype);
  return info == nullptr ? "dtype " + std::to_string(dtype) : std::string(info->name);
}

inline std::string expected(std::string_view what, std::string_view has, int64_t found, int64_t wanted) {
  return std::string(what) + " has " + std::to_string(found) + " " + std::string(has) + ", expected " +
         std::to_string(wanted);
}

inline bool is_block_format(const tenon_tensor& tensor) {
  const DTypeInfo* info = find_dtype(tensor.dtype);
  return !is_absent(tensor) && info != nullptr && info->block_elements > 1;
}

}  // namespace detail

/// A vector [width] of `dtype`. Absent is well where `optional`.
inline std::string check_vector(const tenon_tensor& tensor, std::string_view what, int64_t width, bool optional,
                                uint32_t dtype = TENON_F32) {
  if (is_absent(tensor)) return optional ? "" : std::string(what) + " is missing";
  if (tensor.dtype != dtype) {
    return std::string(what) + " is " + detail::dtype_name(tensor.dtype) + ", expected " + detail::dtype_name(dtype);
  }
  const int64_t n = rows_of(tensor) * row_width(tensor);
  return n == width ? "" : detail::expected(what, "elements", n, width);
}

/// A matrix of weights whose rows are whole blocks; k >= 0: rows of k elements; rows >= 0: that many rows in all.
inline std::string check_matrix(const tenon_tensor& tensor, std::string_view what, int64_t rows, int64_t k) {
  if (is_absent(tensor)) return std::string(what) + " is missing";
  const DTypeInfo* info = find_dtype(tensor.dtype);
  if (info == nullptr || info->dtype == DType::i32 || info->dtype == DType::i64) {
    return std::string(what) + " is " + detail::dtype_name(tensor.dtype) + ", expected a float or block format";
  }
  const int64_t width = row_width(tensor);
  if (rows_of(tensor) < 1 || width < 1) return std::string(what) + " is empty";
  if (width % info->block_elements != 0) {
    return std::string(what) + " has rows of " + std::to_string(width) +
           " elements, expected a multiple of the block of " + std::to_string(info->block_elements) + " of " +
           std::string(info->name);
  }
  if (k >= 0 && width != k) return detail::expected(what, "elements a row", width, k);
  if (rows >= 0 && rows_of(tensor) != rows) return detail::expected(what, "rows", rows_of(tensor), rows);
  return "";
}

/// For ops without products: any known class will do.
inline std::string check_class(uint32_t asked) {
  if (asked <= TENON_CLASS_EXACT64) return "";
  return "class " + std::to_string(asked) + " is asked, expected default, f32, int8 or exact64";
}

/// The asked class is one of default, f32, int8 and exact64; int8 needs a block format among the weights.
inline std::string check_class(uint32_t asked, std::span<const tenon_tensor> matrices) {
  if (asked != TENON_CLASS_INT8 || std::ranges::any_of(matrices, detail::is_block_format)) return check_class(asked);
  const std::string found = matrices.empty() ? "none" : detail::dtype_name(matrices.front().dtype);
  return "class int8 is asked and the weights are " + found + ", expected a block format";
}

/// The first text that is not empty, else "".
inline std::string first_of(std::initializer_list<std::string> problems) {
  const auto found = std::ranges::find_if(problems, [](const std::string& problem) { return !problem.empty(); });
  return found == problems.end() ? "" : *found;
}

/// "f32", "int8", "f64": as it stands in a kernel's name.
inline std::string_view class_name(uint32_t numeric_class) {
  switch (numeric_class) {
    case TENON_CLASS_INT8: return "int8";
    case TENON_CLASS_EXACT64: return "f64";
    default: return "f32";
  }
}

/// The class in which a weight is multiplied: its own where `asked` leaves it open.
inline uint32_t class_of(DType dtype, uint32_t asked) {
  if (asked == TENON_CLASS_EXACT64 || asked == TENON_CLASS_F32) return asked;
  return is_quantized(dtype) ? TENON_CLASS_INT8 : TENON_CLASS_F32;
}

/// The class of an op: int8 where a weight is multiplied in int8.
inline uint32_t class_of(std::span<const tenon_tensor> matrices, uint32_t asked) {
  if (asked == TENON_CLASS_EXACT64 || asked == TENON_CLASS_F32) return asked;
  return std::ranges::any_of(matrices, detail::is_block_format) ? TENON_CLASS_INT8 : TENON_CLASS_F32;
}

}  // namespace tenon
