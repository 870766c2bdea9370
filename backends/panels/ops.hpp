// The ops over weights in panels, each in a file of its name. They are compiled for the baseline ISA; the backend that
// takes these sources brings the kernels of panel.hpp, row_kernels.hpp and partition.hpp for its own.
#pragma once

#include <tenon/op_table.hpp>

#include <string_view>
#include <vector>

namespace tenon::panels {

/// What most of an op's time goes into.
enum class Work {
  plain_products,  // of weights in f32, f16 or bf16
  int8_products,
  other
};

/// The last part of the names of a class's kernels, as "avx2". Defined by the backend.
std::string_view isa_name(Work work);

OpEntry gather_entry();
OpEntry add_entry();
OpEntry mul_entry();
OpEntry reduce_mean_entry();
OpEntry softmax_entry();
OpEntry rms_norm_entry();
OpEntry layer_norm_entry();
OpEntry rope_entry();
OpEntry glu_entry();
OpEntry softcap_entry();
OpEntry matmul_entry();
OpEntry linear_entry();
OpEntry ffn_entry();
OpEntry moe_entry();
OpEntry attention_entry();

/// All of them.
inline std::vector<OpEntry> all_entries() {
  return {gather_entry(),   add_entry(),        mul_entry(),  reduce_mean_entry(), softmax_entry(),
          rms_norm_entry(), layer_norm_entry(), rope_entry(), glu_entry(),         softcap_entry(),
          matmul_entry(),   linear_entry(),     ffn_entry(),  moe_entry(),         attention_entry()};
}

}  // namespace tenon::panels
