#include "op.hpp"

#include <tenon/dequantize.hpp>

#include <algorithm>

namespace tenon::reference {

Result<void> FileOrderKernel::check_index(uint32_t index) const {
  if (!is_absent(tensor(index))) return {};
  return invalid("weight " + std::to_string(index) + " is asked for, the op has " + std::to_string(tensors_.size()) +
                 " and this one is absent");
}

Result<tenon_pack_plan> FileOrderKernel::pack_plan(uint32_t index) const {
  if (const auto known = check_index(index); !known) return known.error();
  const DTypeInfo& info = info_of(static_cast<DType>(tensors_[index].dtype));
  const int64_t bytes = rows_of(tensors_[index]) * row_bytes(info.dtype, row_width(tensors_[index]));
  return pack_plan_of(static_cast<uint64_t>(bytes), "rows/" + std::string(info.name) + "/1");
}

Result<void> FileOrderKernel::pack(uint32_t index, const void* source, void* packed, const tenon_exec& exec) const {
  const auto plan = pack_plan(index);
  if (!plan) return plan.error();
  constexpr int64_t kSlice = int64_t{1} << 20;
  const auto bytes = static_cast<int64_t>(plan->bytes);
  return parallel_for(exec, (bytes + kSlice - 1) / kSlice, [&](int64_t slice, uint32_t) {
    const int64_t at = slice * kSlice;
    std::memcpy(static_cast<std::byte*>(packed) + at, static_cast<const std::byte*>(source) + at,
                static_cast<size_t>(std::min(kSlice, bytes - at)));
  });
}

Result<void> FileOrderKernel::unpack_rows(uint32_t index, const void* packed, std::span<const int32_t> rows, float* out,
                                          int64_t ld) const {
  if (const auto known = check_index(index); !known) return known;
  const tenon_tensor& t = tensors_[index];
  const auto dtype = static_cast<DType>(t.dtype);
  const int64_t width = row_width(t), bytes = row_bytes(dtype, width);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] < 0 || rows[i] >= rows_of(t)) {
      return invalid("row " + std::to_string(rows[i]) + " is asked for, the weight has rows 0 to " +
                     std::to_string(rows_of(t) - 1));
    }
    dequantize_row(dtype, static_cast<const std::byte*>(packed) + rows[i] * bytes, out + static_cast<int64_t>(i) * ld,
                   width);
  }
  return {};
}

}  // namespace tenon::reference
