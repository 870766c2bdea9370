#include "checks.hpp"

#include <algorithm>

namespace tenon::reference {
namespace {

std::string dtype_name(uint32_t dtype) {
  const DTypeInfo* info = find_dtype(dtype);
  return info == nullptr ? "dtype " + std::to_string(dtype) : std::string(info->name);
}

std::string expected(std::string_view what, std::string_view has, int64_t found, int64_t wanted) {
  return std::string(what) + " has " + std::to_string(found) + " " + std::string(has) + ", expected " +
         std::to_string(wanted);
}

bool is_block_format(const tenon_tensor& tensor) {
  const DTypeInfo* info = find_dtype(tensor.dtype);
  return !is_absent(tensor) && info != nullptr && info->block_elements > 1;
}

}  // namespace

std::string check_vector(const tenon_tensor& tensor, std::string_view what, int64_t width, bool optional) {
  if (is_absent(tensor)) return optional ? "" : std::string(what) + " is missing";
  if (tensor.dtype != TENON_F32) return std::string(what) + " is " + dtype_name(tensor.dtype) + ", expected f32";
  const int64_t n = rows_of(tensor) * row_width(tensor);
  return n == width ? "" : expected(what, "elements", n, width);
}

std::string check_matrix(const tenon_tensor& tensor, std::string_view what, int64_t rows, int64_t k) {
  if (is_absent(tensor)) return std::string(what) + " is missing";
  const DTypeInfo* info = find_dtype(tensor.dtype);
  if (info == nullptr || info->dtype == DType::i32 || info->dtype == DType::i64) {
    return std::string(what) + " is " + dtype_name(tensor.dtype) + ", expected a float or block format";
  }
  const int64_t width = row_width(tensor);
  if (rows_of(tensor) < 1 || width < 1) return std::string(what) + " is empty";
  if (width % info->block_elements != 0) {
    return std::string(what) + " has rows of " + std::to_string(width) +
           " elements, expected a multiple of the block of " + std::to_string(info->block_elements) + " of " +
           std::string(info->name);
  }
  if (k >= 0 && width != k) return expected(what, "elements a row", width, k);
  if (rows >= 0 && rows_of(tensor) != rows) return expected(what, "rows", rows_of(tensor), rows);
  return "";
}

std::string check_class(uint32_t asked) {
  if (asked <= TENON_CLASS_EXACT64) return "";
  return "class " + std::to_string(asked) + " is asked, expected default, f32, int8 or exact64";
}

std::string check_class(uint32_t asked, std::span<const tenon_tensor> matrices) {
  if (asked != TENON_CLASS_INT8 || std::ranges::any_of(matrices, is_block_format)) return check_class(asked);
  const std::string found = matrices.empty() ? "none" : dtype_name(matrices.front().dtype);
  return "class int8 is asked and the weights are " + found + ", expected a block format";
}

std::string first_of(std::initializer_list<std::string> problems) {
  const auto found = std::ranges::find_if(problems, [](const std::string& problem) { return !problem.empty(); });
  return found == problems.end() ? "" : *found;
}

std::string_view class_name(uint32_t numeric_class) {
  switch (numeric_class) {
    case TENON_CLASS_INT8: return "int8";
    case TENON_CLASS_EXACT64: return "f64";
    default: return "f32";
  }
}

uint32_t class_of(DType dtype, uint32_t asked) {
  if (asked == TENON_CLASS_EXACT64 || asked == TENON_CLASS_F32) return asked;
  return is_quantized(dtype) ? TENON_CLASS_INT8 : TENON_CLASS_F32;
}

uint32_t class_of(std::span<const tenon_tensor> matrices, uint32_t asked) {
  if (asked == TENON_CLASS_EXACT64 || asked == TENON_CLASS_F32) return asked;
  return std::ranges::any_of(matrices, is_block_format) ? TENON_CLASS_INT8 : TENON_CLASS_F32;
}

Matrix matrix_of(const tenon_tensor& tensor, uint32_t asked) {
  if (is_absent(tensor)) return {};
  const auto dtype = static_cast<DType>(tensor.dtype);
  return {dtype, rows_of(tensor), row_width(tensor), class_of(dtype, asked)};
}

}  // namespace tenon::reference
