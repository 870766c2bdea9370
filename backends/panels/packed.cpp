#include "packed.hpp"

#include "ops.hpp"

#include <tenon/dequantize.hpp>

#include <cstring>

namespace tenon::panels {

Matrix matrix_of(const tenon_tensor& tensor, int64_t n_groups, uint32_t asked) {
  if (is_absent(tensor)) return {};
  const bool in_f32 = asked == TENON_CLASS_F32 && is_quantized(static_cast<DType>(tensor.dtype));
  return {find_panel_format(tensor.dtype), n_groups, rows_of(tensor) / n_groups, row_width(tensor), in_f32};
}

tenon_support answer(const OpView& op, const std::string& problem, std::string_view weight, bool has_blocks,
                     int64_t cost) {
  if (!problem.empty()) return no(problem);
  if (op.numeric_class() == TENON_CLASS_EXACT64) return no("class exact64 is asked, expected default, f32 or int8");
  const bool is_int8 = has_blocks && op.numeric_class() != TENON_CLASS_F32;
  const uint32_t numeric_class = is_int8 ? TENON_CLASS_INT8 : TENON_CLASS_F32;
  std::string name = std::string(op.name()) + "_";
  if (!weight.empty()) name += std::string(weight) + "_";
  // About 30 multiply-adds a nanosecond in int8 and 10 in f32.
  const float rate = is_int8 ? 30.0f : 10.0f;
  return yes(name + std::string(class_name(numeric_class)) + "_" + std::string(isa_name(numeric_class)), numeric_class,
             static_cast<float>(cost) / rate);
}

Result<void> PanelOp::check_index(uint32_t index) const {
  if (!is_absent(tensor(index))) return {};
  return invalid("weight " + std::to_string(index) + " is asked for, the op has " + std::to_string(tensors_.size()) +
                 " and this one is absent");
}

Result<tenon_pack_plan> PanelOp::pack_plan(uint32_t index) const {
  if (const auto known = check_index(index); !known) return known.error();
  const tenon_tensor& t = tensors_[index];
  const Matrix& m = matrices_[index];
  const DTypeInfo& info = info_of(static_cast<DType>(t.dtype));
  if (m.format == nullptr) {
    return pack_plan_of(static_cast<uint64_t>(rows_of(t) * row_bytes(info.dtype, row_width(t))),
                        "rows/" + std::string(info.name) + "/1");
  }
  const std::string groups = m.n_groups == 1 ? "" : std::to_string(m.n_groups) + "x";
  return pack_plan_of(static_cast<uint64_t>(m.n_groups * m.group_bytes()),
                      "panel8/" + groups + std::string(info.name) + "/1");
}

Result<void> PanelOp::pack(uint32_t index, const void* source, void* packed, const tenon_exec& exec) const {
  const auto plan = pack_plan(index);
  if (!plan) return plan.error();
  const Matrix& m = matrices_[index];
  if (m.format == nullptr) {
    std::memcpy(packed, source, plan->bytes);
    return {};
  }
  const int64_t row_size = row_bytes(m.format->dtype, m.k),
                unit_source = row_bytes(m.format->dtype, m.format->unit_elements);
  const int64_t n_units = m.k / m.format->unit_elements;
  return parallel_for(exec, m.n_groups * m.n_panels(), [&](int64_t task, uint32_t) {
    const int64_t group = task / m.n_panels(), first = task % m.n_panels() * kPanel;
    auto* panel = static_cast<uint8_t*>(packed) + task * m.panel_bytes();
    std::memset(panel, 0, static_cast<size_t>(m.panel_bytes()));
    const int n_lanes = static_cast<int>(std::min(kPanel, m.rows - first));
    for (int lane = 0; lane < n_lanes; ++lane) {
      const auto* row = static_cast<const std::byte*>(source) + (group * m.rows + first + lane) * row_size;
      for (int64_t u = 0; u < n_units; ++u)
        m.format->pack(row + u * unit_source, lane, panel + u * m.format->unit_bytes);
    }
  });
}

Result<void> PanelOp::unpack_rows(uint32_t index, const void* packed, std::span<const int32_t> rows, float* out,
                                  int64_t ld) const {
  if (const auto known = check_index(index); !known) return known;
  const Matrix& m = matrices_[index];
  const int64_t n_rows = rows_of(tensors_[index]);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] < 0 || rows[i] >= n_rows) {
      return invalid("row " + std::to_string(rows[i]) + " is asked for, the weight has rows 0 to " +
                     std::to_string(n_rows - 1));
    }
    float* y = out + static_cast<int64_t>(i) * ld;
    if (m.format == nullptr) {
      const auto dtype = static_cast<DType>(tensors_[index].dtype);
      const int64_t width = row_width(tensors_[index]);
      dequantize_row(dtype, static_cast<const std::byte*>(packed) + rows[i] * row_bytes(dtype, width), y, width);
      continue;
    }
    const int64_t group = rows[i] / m.rows, row = rows[i] % m.rows, n_units = m.k / m.format->unit_elements;
    const uint8_t* unit = m.group(static_cast<const std::byte*>(packed), group) + row / kPanel * m.panel_bytes();
    for (int64_t u = 0; u < n_units; ++u, unit += m.format->unit_bytes, y += m.format->unit_elements) {
      m.format->unpack(unit, static_cast<int>(row % kPanel), y);
    }
  }
  return {};
}

}  // namespace tenon::panels
