#include "gated.hpp"

namespace tenon::reference {

GatedShape gated_shape(const tenon_tensor& gate, const tenon_tensor& up, const tenon_tensor& down, int64_t n,
                       uint32_t asked, const tenon_activation& activation) {
  return {matrix_of(gate, asked), matrix_of(up, asked), matrix_of(down, asked),
          rows_of(gate) / n,      row_width(gate),      activation};
}

}  // namespace tenon::reference
