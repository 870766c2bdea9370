// What an op asks of its weights. Every function gives "" where all is well, else the thing, the value found and the
// value expected: the text of a refusal.
#pragma once

#include "product.hpp"

#include <span>
#include <string>
#include <string_view>

namespace tenon::reference {

/// A vector of f32 [width]. Absent is well where `optional`.
std::string check_vector(const tenon_tensor& tensor, std::string_view what, int64_t width, bool optional);

/// A matrix of weights whose rows are whole blocks; k >= 0: rows of k elements; rows >= 0: that many rows in all.
std::string check_matrix(const tenon_tensor& tensor, std::string_view what, int64_t rows, int64_t k);

/// The asked class is one of default, f32, int8 and exact64; int8 needs a block format among the weights.
std::string check_class(uint32_t asked, std::span<const tenon_tensor> matrices);

/// Both for ops without products: any known class will do.
std::string check_class(uint32_t asked);

/// The first text that is not empty, else "".
std::string first_of(std::initializer_list<std::string> problems);

/// "f32", "int8", "f64": as it stands in a kernel's name.
std::string_view class_name(uint32_t numeric_class);

/// The class in which a weight is multiplied: its own where `asked` leaves it open.
uint32_t class_of(DType dtype, uint32_t asked);

/// The class of an op: int8 where a weight is multiplied in int8.
uint32_t class_of(std::span<const tenon_tensor> matrices, uint32_t asked);

Matrix matrix_of(const tenon_tensor& tensor, uint32_t asked);

}  // namespace tenon::reference
