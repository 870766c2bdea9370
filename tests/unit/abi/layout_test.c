/* The border of ABI 1.1 as bytes, for 64-bit Linux: a field that moves breaks plug-ins that were built before. From 1.0
 * on a struct only grows at its end: new fields are added below its last line, and its size line changes with them. */
#include "tenon.h"

#define FIELD(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #type "." #field)
#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type)

FIELD(tenon_status, size, 0);
FIELD(tenon_status, code, 4);
FIELD(tenon_status, message, 8);
SIZE(tenon_status, 508);

FIELD(tenon_str, data, 0);
FIELD(tenon_str, size, 8);
SIZE(tenon_str, 16);

FIELD(tenon_sink, self, 0);
FIELD(tenon_sink, append, 8);
SIZE(tenon_sink, 16);

FIELD(tenon_range, begin, 0);
FIELD(tenon_range, end, 8);
SIZE(tenon_range, 16);

FIELD(tenon_exec, size, 0);
FIELD(tenon_exec, n_threads, 4);
FIELD(tenon_exec, self, 8);
FIELD(tenon_exec, parallel_for, 16);
FIELD(tenon_exec, cancelled, 24);
SIZE(tenon_exec, 32);

FIELD(tenon_host, size, 0);
FIELD(tenon_host, abi_major, 4);
FIELD(tenon_host, abi_minor, 6);
FIELD(tenon_host, self, 8);
FIELD(tenon_host, log, 16);
SIZE(tenon_host, 24);

FIELD(tenon_option_spec, size, 0);
FIELD(tenon_option_spec, type, 4);
FIELD(tenon_option_spec, name, 8);
FIELD(tenon_option_spec, doc, 16);
FIELD(tenon_option_spec, min, 24);
FIELD(tenon_option_spec, max, 32);
FIELD(tenon_option_spec, default_number, 40);
FIELD(tenon_option_spec, default_string, 48);
FIELD(tenon_option_spec, choices, 56);
SIZE(tenon_option_spec, 64);

FIELD(tenon_option, name, 0);
FIELD(tenon_option, type, 8);
FIELD(tenon_option, is_default, 12);
FIELD(tenon_option, number, 16);
FIELD(tenon_option, string, 24);
SIZE(tenon_option, 40);

FIELD(tenon_options, items, 0);
FIELD(tenon_options, count, 8);
SIZE(tenon_options, 16);

FIELD(tenon_plugin, magic, 0);
FIELD(tenon_plugin, size, 8);
FIELD(tenon_plugin, abi_major, 12);
FIELD(tenon_plugin, abi_minor, 14);
FIELD(tenon_plugin, features_incompatible, 16);
FIELD(tenon_plugin, features_compatible, 24);
FIELD(tenon_plugin, id, 32);
FIELD(tenon_plugin, version, 40);
FIELD(tenon_plugin, option_specs, 48);
FIELD(tenon_plugin, n_option_specs, 56);
FIELD(tenon_plugin, flags, 60);
FIELD(tenon_plugin, init, 64);
FIELD(tenon_plugin, get_interface, 72);
FIELD(tenon_plugin, shutdown, 80);
SIZE(tenon_plugin, 88);

FIELD(tenon_note_desc, magic, 0);
FIELD(tenon_note_desc, size, 8);
FIELD(tenon_note_desc, abi_major, 12);
FIELD(tenon_note_desc, abi_minor, 14);
FIELD(tenon_note_desc, features_incompatible, 16);
FIELD(tenon_note_desc, features_compatible, 24);
FIELD(tenon_note_desc, isa, 32);
FIELD(tenon_note_desc, flags, 40);
FIELD(tenon_note_desc, reserved, 44);
FIELD(tenon_note_desc, id, 48);
FIELD(tenon_note_desc, version, 96);
FIELD(tenon_note_desc, interfaces, 128);
FIELD(tenon_note_desc, source_digest, 336);
SIZE(tenon_note_desc, 368);

FIELD(tenon_tensor, dtype, 0);
FIELD(tenon_tensor, rank, 4);
FIELD(tenon_tensor, dims, 8);
SIZE(tenon_tensor, 40);

FIELD(tenon_gather_params, size, 0);
FIELD(tenon_gather_params, scale, 4);
FIELD(tenon_gather_params, dtype, 8);
SIZE(tenon_gather_params, 16);

FIELD(tenon_binary_params, size, 0);
FIELD(tenon_binary_params, broadcast_b, 4);
FIELD(tenon_binary_params, width, 8);
FIELD(tenon_binary_params, dtype, 16);
SIZE(tenon_binary_params, 24);

FIELD(tenon_rowwise_params, size, 0);
FIELD(tenon_rowwise_params, scale, 4);
FIELD(tenon_rowwise_params, width, 8);
SIZE(tenon_rowwise_params, 16);

FIELD(tenon_norm_params, size, 0);
FIELD(tenon_norm_params, eps, 4);
FIELD(tenon_norm_params, width, 8);
FIELD(tenon_norm_params, groups, 16);
SIZE(tenon_norm_params, 24);

FIELD(tenon_rope_params, size, 0);
FIELD(tenon_rope_params, pairing, 4);
FIELD(tenon_rope_params, n_in, 8);
FIELD(tenon_rope_params, reserved, 12);
FIELD(tenon_rope_params, head_dim, 16);
FIELD(tenon_rope_params, n_dims, 24);
FIELD(tenon_rope_params, n_heads, 32);
SIZE(tenon_rope_params, 64);

FIELD(tenon_activation, kind, 0);
FIELD(tenon_activation, alpha, 4);
FIELD(tenon_activation, limit, 8);
SIZE(tenon_activation, 12);

FIELD(tenon_glu_params, size, 0);
FIELD(tenon_glu_params, activation, 4);
FIELD(tenon_glu_params, width, 16);
SIZE(tenon_glu_params, 24);

FIELD(tenon_softcap_params, size, 0);
FIELD(tenon_softcap_params, cap, 4);
FIELD(tenon_softcap_params, width, 8);
SIZE(tenon_softcap_params, 16);

FIELD(tenon_matmul_params, size, 0);
FIELD(tenon_matmul_params, dtype, 4);
SIZE(tenon_matmul_params, 8);

FIELD(tenon_linear_params, size, 0);
FIELD(tenon_linear_params, n_weights, 4);
FIELD(tenon_linear_params, has_add, 8);
FIELD(tenon_linear_params, scale, 12);
SIZE(tenon_linear_params, 16);

FIELD(tenon_ffn_params, size, 0);
FIELD(tenon_ffn_params, has_add, 4);
FIELD(tenon_ffn_params, activation, 8);
SIZE(tenon_ffn_params, 20);

FIELD(tenon_moe_params, size, 0);
FIELD(tenon_moe_params, has_add, 4);
FIELD(tenon_moe_params, n_experts, 8);
FIELD(tenon_moe_params, experts_used, 12);
FIELD(tenon_moe_params, route, 16);
FIELD(tenon_moe_params, renormalize, 20);
FIELD(tenon_moe_params, weights_scale, 24);
FIELD(tenon_moe_params, activation, 28);
SIZE(tenon_moe_params, 40);

FIELD(tenon_attention_params, size, 0);
FIELD(tenon_attention_params, kv_dtype, 4);
FIELD(tenon_attention_params, page_tokens, 8);
FIELD(tenon_attention_params, n_heads, 16);
FIELD(tenon_attention_params, n_kv_heads, 24);
FIELD(tenon_attention_params, head_dim, 32);
FIELD(tenon_attention_params, v_head_dim, 40);
FIELD(tenon_attention_params, window, 48);
FIELD(tenon_attention_params, scale, 56);
FIELD(tenon_attention_params, softcap, 60);
FIELD(tenon_attention_params, has_sinks, 64);
SIZE(tenon_attention_params, 72);

FIELD(tenon_op, size, 0);
FIELD(tenon_op, revision, 4);
FIELD(tenon_op, name, 8);
FIELD(tenon_op, numeric_class, 16);
FIELD(tenon_op, n_weights, 20);
FIELD(tenon_op, weights, 24);
FIELD(tenon_op, params, 32);
FIELD(tenon_op, max_rows, 40);
SIZE(tenon_op, 48);

FIELD(tenon_support, size, 0);
FIELD(tenon_support, supported, 4);
FIELD(tenon_support, numeric_class, 8);
FIELD(tenon_support, row_invariant, 12);
FIELD(tenon_support, thread_invariant, 16);
FIELD(tenon_support, cost, 20);
FIELD(tenon_support, kernel, 24);
FIELD(tenon_support, reason, 72);
SIZE(tenon_support, 272);

FIELD(tenon_pack_plan, size, 0);
FIELD(tenon_pack_plan, alignment, 4);
FIELD(tenon_pack_plan, bytes, 8);
FIELD(tenon_pack_plan, layout, 16);
FIELD(tenon_pack_plan, dense_bytes, 48);
FIELD(tenon_pack_plan, dense_parts, 56);
FIELD(tenon_pack_plan, reserved, 60);
SIZE(tenon_pack_plan, 64);

FIELD(tenon_kv_plan, size, 0);
FIELD(tenon_kv_plan, alignment, 4);
FIELD(tenon_kv_plan, page_bytes, 8);
FIELD(tenon_kv_plan, layout, 16);
SIZE(tenon_kv_plan, 48);

FIELD(tenon_batch_sequence, first_row, 0);
FIELD(tenon_batch_sequence, n_rows, 8);
FIELD(tenon_batch_sequence, first_position, 16);
FIELD(tenon_batch_sequence, pages, 24);
FIELD(tenon_batch_sequence, n_pages, 32);
SIZE(tenon_batch_sequence, 40);

FIELD(tenon_batch, size, 0);
FIELD(tenon_batch, reserved, 4);
FIELD(tenon_batch, n_rows, 8);
FIELD(tenon_batch, tokens, 16);
FIELD(tenon_batch, positions, 24);
FIELD(tenon_batch, sequences, 32);
FIELD(tenon_batch, n_sequences, 40);
SIZE(tenon_batch, 48);

FIELD(tenon_buffer, data, 0);
FIELD(tenon_buffer, ld, 8);
SIZE(tenon_buffer, 16);

FIELD(tenon_run, size, 0);
FIELD(tenon_run, n_in, 4);
FIELD(tenon_run, n_out, 8);
FIELD(tenon_run, n_weights, 12);
FIELD(tenon_run, n_rows, 16);
FIELD(tenon_run, in, 24);
FIELD(tenon_run, out, 32);
FIELD(tenon_run, weights, 40);
FIELD(tenon_run, workspace, 48);
FIELD(tenon_run, workspace_bytes, 56);
FIELD(tenon_run, batch, 64);
FIELD(tenon_run, kv, 72);
FIELD(tenon_run, exec, 80);
FIELD(tenon_run, dense, 88);
FIELD(tenon_run, dense_parts, 96);
SIZE(tenon_run, 104);

FIELD(tenon_kernel_api, size, 0);
FIELD(tenon_kernel_api, reserved, 4);
FIELD(tenon_kernel_api, self, 8);
FIELD(tenon_kernel_api, supports, 16);
FIELD(tenon_kernel_api, create, 24);
FIELD(tenon_kernel_api, destroy, 32);
FIELD(tenon_kernel_api, pack_plan, 40);
FIELD(tenon_kernel_api, pack, 48);
FIELD(tenon_kernel_api, unpack_rows, 56);
FIELD(tenon_kernel_api, kv_plan, 64);
FIELD(tenon_kernel_api, workspace_bytes, 72);
FIELD(tenon_kernel_api, run, 80);
FIELD(tenon_kernel_api, expand, 88);
SIZE(tenon_kernel_api, 96);

FIELD(tenon_value, type, 0);
FIELD(tenon_value, element_type, 4);
FIELD(tenon_value, u, 8);
FIELD(tenon_value, i, 16);
FIELD(tenon_value, f, 24);
FIELD(tenon_value, s, 32);
FIELD(tenon_value, count, 48);
FIELD(tenon_value, numbers, 56);
FIELD(tenon_value, strings, 64);
SIZE(tenon_value, 72);

FIELD(tenon_meta, size, 0);
FIELD(tenon_meta, reserved, 4);
FIELD(tenon_meta, self, 8);
FIELD(tenon_meta, find, 16);
SIZE(tenon_meta, 24);

FIELD(tenon_tensor_info, size, 0);
FIELD(tenon_tensor_info, reserved, 4);
FIELD(tenon_tensor_info, name, 8);
FIELD(tenon_tensor_info, tensor, 24);
FIELD(tenon_tensor_info, bytes, 64);
SIZE(tenon_tensor_info, 72);

FIELD(tenon_format_api, size, 0);
FIELD(tenon_format_api, reserved, 4);
FIELD(tenon_format_api, self, 8);
FIELD(tenon_format_api, name, 16);
FIELD(tenon_format_api, recognizes, 24);
FIELD(tenon_format_api, open, 32);
FIELD(tenon_format_api, close, 40);
FIELD(tenon_format_api, n_values, 48);
FIELD(tenon_format_api, value, 56);
FIELD(tenon_format_api, n_tensors, 64);
FIELD(tenon_format_api, tensor, 72);
FIELD(tenon_format_api, read, 80);
SIZE(tenon_format_api, 88);

FIELD(tenon_vocab_info, size, 0);
FIELD(tenon_vocab_info, n_tokens, 4);
FIELD(tenon_vocab_info, bos, 8);
FIELD(tenon_vocab_info, eos, 12);
FIELD(tenon_vocab_info, unknown, 16);
FIELD(tenon_vocab_info, pad, 20);
FIELD(tenon_vocab_info, add_bos, 24);
FIELD(tenon_vocab_info, add_eos, 28);
SIZE(tenon_vocab_info, 32);

FIELD(tenon_tokenizer_api, size, 0);
FIELD(tenon_tokenizer_api, reserved, 4);
FIELD(tenon_tokenizer_api, self, 8);
FIELD(tenon_tokenizer_api, name, 16);
FIELD(tenon_tokenizer_api, accepts, 24);
FIELD(tenon_tokenizer_api, create, 32);
FIELD(tenon_tokenizer_api, destroy, 40);
FIELD(tenon_tokenizer_api, info, 48);
FIELD(tenon_tokenizer_api, stop_ids, 56);
FIELD(tenon_tokenizer_api, encode, 64);
FIELD(tenon_tokenizer_api, token_bytes, 72);
FIELD(tenon_tokenizer_api, token_type, 80);
FIELD(tenon_tokenizer_api, find, 88);
SIZE(tenon_tokenizer_api, 96);

FIELD(tenon_template_api, size, 0);
FIELD(tenon_template_api, reserved, 4);
FIELD(tenon_template_api, self, 8);
FIELD(tenon_template_api, name, 16);
FIELD(tenon_template_api, create, 24);
FIELD(tenon_template_api, destroy, 32);
FIELD(tenon_template_api, render, 40);
SIZE(tenon_template_api, 48);

FIELD(tenon_candidates, size, 0);
FIELD(tenon_candidates, vocab_size, 4);
FIELD(tenon_candidates, logits, 8);
FIELD(tenon_candidates, ids, 16);
FIELD(tenon_candidates, values, 24);
FIELD(tenon_candidates, n_candidates, 32);
FIELD(tenon_candidates, seed, 40);
FIELD(tenon_candidates, sample_index, 48);
FIELD(tenon_candidates, position, 56);
FIELD(tenon_candidates, prompt, 64);
FIELD(tenon_candidates, n_prompt, 72);
FIELD(tenon_candidates, generated, 80);
FIELD(tenon_candidates, n_generated, 88);
SIZE(tenon_candidates, 96);

FIELD(tenon_processor_info, size, 0);
FIELD(tenon_processor_info, role, 4);
FIELD(tenon_processor_info, name, 8);
FIELD(tenon_processor_info, doc, 16);
FIELD(tenon_processor_info, option_specs, 24);
FIELD(tenon_processor_info, n_option_specs, 32);
FIELD(tenon_processor_info, reserved, 36);
SIZE(tenon_processor_info, 40);

FIELD(tenon_processor_api, size, 0);
FIELD(tenon_processor_api, n_processors, 4);
FIELD(tenon_processor_api, self, 8);
FIELD(tenon_processor_api, info, 16);
FIELD(tenon_processor_api, create, 24);
FIELD(tenon_processor_api, destroy, 32);
FIELD(tenon_processor_api, apply, 40);
FIELD(tenon_processor_api, choose, 48);
FIELD(tenon_processor_api, commit, 56);
FIELD(tenon_processor_api, clone, 64);
SIZE(tenon_processor_api, 72);

/* A C11 compiler takes the headers alone, and a program may be built of this file. */
int main(void) { return 0; }
