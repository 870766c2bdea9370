#include "gated.hpp"

namespace tenon::reference {

GatedShape gated_shape(const tenon_tensor& gate, const tenon_tensor& up, const tenon_tensor& down, int64_t n,
                       uint32_t asked, const tenon_activation& activation) {
  return {matrix_of(gate, asked), matrix_of(up, asked), matrix_of(down, asked),
          rows_of(gate) / n,      row_width(gate),      activation};
}

std::string check_gated(const tenon_tensor& gate, const tenon_tensor& up, const tenon_tensor& down, int64_t n,
                        int64_t hidden, std::string_view what) {
  const std::string name(what);
  const std::string problem = check_matrix(gate, name + "gate", -1, hidden);
  if (!problem.empty()) return problem;
  if (rows_of(gate) % n != 0) {
    return name + "gate has " + std::to_string(rows_of(gate)) + " rows, expected a multiple of the " +
           std::to_string(n) + " experts";
  }
  return first_of({check_matrix(up, name + "up", rows_of(gate), hidden),
                   check_matrix(down, name + "down", n * hidden, rows_of(gate) / n)});
}

}  // namespace tenon::reference
