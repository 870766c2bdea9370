// The list of cases that a backend is held to: every op, format and numeric class at sizes that catch mistakes. A new
// case is one call in a cases_*.cpp; it then runs on every backend.
#pragma once

#include <conformance/op_case.hpp>
#include <conformance/random_case.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tenon::conformance {

// Activations of 8 bits: about 1/127/sqrt(12) of the largest of 32, squared, for weights known exactly. Between the two
// products of ffn and moe the activation makes a few large values among small ones, which 8 bits hold badly: there it
// only tells a wrong kernel from an 8-bit one.
inline constexpr double kInt8Nmse = 5e-5;
inline constexpr double kGatedInt8Nmse = 5e-3;

/// A case with its data.
struct Made {
  OpCase op;
  std::vector<RunInput> steps;               // run one after the other, on the same kv pages
  std::vector<std::vector<RunInput>> other;  // the same rows in other portions: the same bits where rows are invariant
  int64_t kv_pages = 0;                      // attention
  int64_t chain = 1;                         // terms of the longest sum behind an output
  double int8_nmse = kInt8Nmse;
  bool has_oracle = true;  // false: values so large or small that sums of f64 and f32 need not be near
};

struct Case {
  std::string op, format, class_label;  // the row of the table that it belongs to
  std::string shape;                    // unique in its row
  uint32_t numeric_class;               // that is asked
  bool quick;                           // also with --quick
  std::function<Made(Random&)> make;

  std::string row() const { return op + "/" + format + "/" + class_label; }
  std::string name() const { return row() + "/" + shape; }
};

/// Collects cases. Each is asked in every class that its format has.
class CaseList {
 public:
  /// `products`: sums over the format's weights, so that block formats have the class int8 by default and f32 too.
  void add(std::string op, std::string format, bool products, std::string shape, bool quick,
           std::function<Made(Random&)> make);
  std::vector<Case> take() { return std::move(cases_); }

 private:
  void add_class(const Case& made, std::string label, uint32_t numeric_class);

  std::vector<Case> cases_;
};

/// What is run; "" and false leave nothing out.
struct CaseFilter {
  std::string op, format, name;
  bool quick = false;
};

/// In the order of the table. The same for the same filter.
std::vector<Case> cases_of(const CaseFilter& filter);
/// The ops and formats that there are, for messages.
std::vector<std::string> op_names();
std::vector<std::string> format_names();

/// The data of a case, from the seed and the case's name alone.
Made make(const Case& given, uint64_t seed);

// ---- the parts of the list

void add_elementwise_cases(CaseList& list);
void add_product_cases(CaseList& list);
void add_gated_cases(CaseList& list);
void add_attention_cases(CaseList& list);

// ---- what they share

inline constexpr DType kWeightFormats[] = {
    DType::f32,  DType::f16,  DType::bf16, DType::q4_0, DType::q4_1, DType::q5_0,   DType::q5_1,   DType::q8_0,
    DType::q2_K, DType::q3_K, DType::q4_K, DType::q5_K, DType::q6_K, DType::iq4_nl, DType::iq4_xs, DType::mxfp4};

/// Elements of a quant block, 1 for plain formats.
inline int64_t block_of(DType dtype) { return info_of(dtype).block_elements; }

/// "5x257".
std::string size_text(std::initializer_list<int64_t> sizes);

/// A case of one run, with its rows alone, in two parts and one by one as other portions.
Made one_run(OpCase op, RunInput input, int64_t chain = 1);

}  // namespace tenon::conformance
