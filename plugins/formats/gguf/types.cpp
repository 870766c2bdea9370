#include "types.hpp"

#include <array>

namespace tenon::gguf {
namespace {

// Numbers and names from ggml's enum ggml_type (ggml.h) and the comments there on ids that were taken back.
constexpr std::array<GgmlType, 42> kGgmlTypes{{
    {0, "F32", DType::f32},
    {1, "F16", DType::f16},
    {2, "Q4_0", DType::q4_0},
    {3, "Q4_1", DType::q4_1},
    {4, "Q4_2", {}, true},
    {5, "Q4_3", {}, true},
    {6, "Q5_0", DType::q5_0},
    {7, "Q5_1", DType::q5_1},
    {8, "Q8_0", DType::q8_0},
    {9, "Q8_1", {}},
    {10, "Q2_K", DType::q2_K},
    {11, "Q3_K", DType::q3_K},
    {12, "Q4_K", DType::q4_K},
    {13, "Q5_K", DType::q5_K},
    {14, "Q6_K", DType::q6_K},
    {15, "Q8_K", {}},
    {16, "IQ2_XXS", {}},
    {17, "IQ2_XS", {}},
    {18, "IQ3_XXS", {}},
    {19, "IQ1_S", {}},
    {20, "IQ4_NL", DType::iq4_nl},
    {21, "IQ3_S", {}},
    {22, "IQ2_S", {}},
    {23, "IQ4_XS", DType::iq4_xs},
    {24, "I8", {}},
    {25, "I16", {}},
    {26, "I32", DType::i32},
    {27, "I64", DType::i64},
    {28, "F64", {}},
    {29, "IQ1_M", {}},
    {30, "BF16", DType::bf16},
    {31, "Q4_0_4_4", {}, true},
    {32, "Q4_0_4_8", {}, true},
    {33, "Q4_0_8_8", {}, true},
    {34, "TQ1_0", {}},
    {35, "TQ2_0", {}},
    {36, "IQ4_NL_4_4", {}, true},
    {37, "IQ4_NL_4_8", {}, true},
    {38, "IQ4_NL_8_8", {}, true},
    {39, "MXFP4", DType::mxfp4},
    {40, "NVFP4", {}},
    {41, "Q1_0", {}},
}};

constexpr bool ids_are_indices() {
  for (size_t i = 0; i < kGgmlTypes.size(); ++i) {
    if (kGgmlTypes[i].id != i) return false;
  }
  return true;
}
static_assert(ids_are_indices());

}  // namespace

const GgmlType* find_ggml_type(uint32_t id) { return id < kGgmlTypes.size() ? &kGgmlTypes[id] : nullptr; }

std::string supported_types() {
  std::string names;
  for (const GgmlType& type : kGgmlTypes) {
    if (!type.dtype) continue;
    if (!names.empty()) names += ", ";
    names += type.name;
  }
  return names;
}

}  // namespace tenon::gguf
