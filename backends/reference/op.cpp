#include "op.hpp"

#include <tenon/dequantize.hpp>

namespace tenon::reference {

Result<tenon_pack_plan> FileOrderKernel::pack_plan(uint32_t index) const {
  const tenon_tensor& t = tensors_[index];
  const DTypeInfo& info = info_of(static_cast<DType>(t.dtype));
  return pack_plan_of(static_cast<uint64_t>(rows_of(t) * row_bytes(info.dtype, row_width(t))),
                      "rows/" + std::string(info.name) + "/1");
}

Result<void> FileOrderKernel::pack(uint32_t index, const void* source, void* packed, const tenon_exec&) const {
  const auto plan = pack_plan(index);
  std::memcpy(packed, source, plan->bytes);
  return {};
}

Result<void> FileOrderKernel::unpack_rows(uint32_t index, const void* packed, std::span<const int32_t> rows, float* out,
                                          int64_t ld) const {
  const tenon_tensor& t = tensors_[index];
  const auto dtype = static_cast<DType>(t.dtype);
  const int64_t width = row_width(t), bytes = row_bytes(dtype, width);
  for (size_t i = 0; i < rows.size(); ++i) {
    dequantize_row(dtype, static_cast<const std::byte*>(packed) + rows[i] * bytes, out + static_cast<int64_t>(i) * ld,
                   width);
  }
  return {};
}

std::string check_vector(const tenon_tensor& tensor, std::string_view what, int64_t width, bool may_be_absent) {
  if (is_absent(tensor)) return may_be_absent ? "" : std::string(what) + " is missing";
  if (tensor.dtype != TENON_F32) {
    return std::string(what) + " is " + std::string(find_dtype(tensor.dtype)->name) + ", expected f32";
  }
  const int64_t n = rows_of(tensor) * row_width(tensor);
  if (n == width) return "";
  return std::string(what) + " has " + std::to_string(n) + " elements, expected " + std::to_string(width);
}

std::string check_matrix(const tenon_tensor& tensor, std::string_view what, uint32_t asked) {
  if (is_absent(tensor)) return std::string(what) + " is missing";
  const DTypeInfo* info = find_dtype(tensor.dtype);
  if (info == nullptr || class_for(info->dtype, asked) == 0) {
    return std::string(what) + " has a dtype that this class does not multiply: " +
           (info == nullptr ? std::to_string(tensor.dtype) : std::string(info->name));
  }
  if (row_width(tensor) % info->block_elements == 0) return "";
  return std::string(what) + " has rows of " + std::to_string(row_width(tensor)) + ", no multiple of the block of " +
         std::to_string(info->block_elements);
}

Result<void> quantize_rows(const float* x, int64_t ld, int64_t n_rows, int64_t k, ActBlock* blocks,
                           const tenon_exec& exec) {
  const auto one = [&](int64_t row, uint32_t) { quantize_row(x + row * ld, k, blocks + row * (k / 32)); };
  return parallel_for(exec, n_rows, one);
}

}  // namespace tenon::reference
