#include "packed.hpp"

#include "ops.hpp"

#include <tenon/dequantize.hpp>

#include <algorithm>
#include <cstring>

namespace tenon::panels {

Matrix matrix_of(const tenon_tensor& tensor, int64_t n_groups, uint32_t asked) {
  if (is_absent(tensor)) return {};
  const bool in_f32 = asked == TENON_CLASS_F32 && is_quantized(static_cast<DType>(tensor.dtype));
  return {find_panel_format(tensor.dtype), n_groups, rows_of(tensor) / n_groups, row_width(tensor), in_f32};
}

namespace {

Work work_of(const OpView& op, bool is_int8, bool has_blocks) {
  if (is_int8) return Work::int8_products;
  constexpr std::string_view kProducts[] = {"matmul", "linear", "ffn", "moe"};
  const bool is_product = std::ranges::find(kProducts, op.name()) != std::end(kProducts);
  return is_product && !has_blocks ? Work::plain_products : Work::other;
}

}  // namespace

tenon_support answer(const OpView& op, const std::string& problem, std::string_view weight, bool has_blocks,
                     int64_t cost) {
  if (!problem.empty()) return no(problem);
  if (op.numeric_class() == TENON_CLASS_EXACT64) return no("class exact64 is asked, expected default, f32 or int8");
  const bool is_int8 = has_blocks && op.numeric_class() != TENON_CLASS_F32;
  const uint32_t numeric_class = is_int8 ? TENON_CLASS_INT8 : TENON_CLASS_F32;
  std::string name = std::string(op.name()) + "_";
  if (!weight.empty()) name += std::string(weight) + "_";
  name += std::string(class_name(numeric_class)) + "_" + std::string(isa_name(work_of(op, is_int8, has_blocks)));
  // About 30 multiply-adds a nanosecond in int8 and 10 in f32.
  const float rate = is_int8 ? 30.0f : 10.0f;
  return yes(name, numeric_class, static_cast<float>(cost) / rate);
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
  tenon_pack_plan plan = pack_plan_of(static_cast<uint64_t>(m.n_groups * m.group_bytes()),
                                      "panel8/" + groups + std::string(info.name) + "/1");
  if (m.in_f32) {
    plan.dense_bytes = static_cast<uint64_t>(m.dense_bytes());
    plan.dense_parts = static_cast<uint32_t>(m.n_groups);
  }
  return plan;
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
    const auto* unit = static_cast<const uint8_t*>(packed) + group * m.group_bytes() + row / kPanel * m.panel_bytes();
    for (int64_t u = 0; u < n_units; ++u, unit += m.format->unit_bytes, y += m.format->unit_elements) {
      m.format->unpack(unit, static_cast<int>(row % kPanel), y);
    }
  }
  return {};
}

Result<void> PanelOp::expand(uint32_t index, uint32_t part, const void* packed, void* dense,
                             const tenon_exec& exec) const {
  const Matrix& m = matrices_[index];
  const PanelFormat& format = *m.format;
  return parallel_for(exec, m.n_panels(), [&](int64_t panel, uint32_t) {
    constexpr int64_t kMostElements = 256;  // of a unit
    const auto* unit = static_cast<const uint8_t*>(packed) + part * m.group_bytes() + panel * m.panel_bytes();
    float* out = static_cast<float*>(dense) + panel * m.k * kPanel;
    for (int64_t k = 0; k < m.k; k += format.unit_elements, unit += format.unit_bytes) {
      for (int lane = 0; lane < kPanel; ++lane) {
        float values[kMostElements];
        format.unpack(unit, lane, values);
        for (int64_t i = 0; i < format.unit_elements; ++i) out[(k + i) * kPanel + lane] = values[i];
      }
    }
  });
}

Panels PanelOp::panels(const tenon_run& run, uint32_t index, int64_t group) const {
  const Matrix& m = matrices_[index];
  if (m.in_f32 && run.dense != nullptr && run.dense[index] != nullptr && group < run.dense_parts[index]) {
    const int64_t stride = (m.dense_bytes() + 63) / 64 * 64;
    return {panel_f32, static_cast<const uint8_t*>(run.dense[index]) + group * stride};
  }
  const auto* packed = reinterpret_cast<const uint8_t*>(bytes_of(run, index));
  return {m.in_f32 ? m.format->kernel_f32 : m.format->kernel, packed + group * m.group_bytes()};
}

}  // namespace tenon::panels
