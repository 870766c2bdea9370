// The ops of this backend, each in a file of its name.
#pragma once

#include <tenon/op_table.hpp>

namespace tenon::avx2 {

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

}  // namespace tenon::avx2
