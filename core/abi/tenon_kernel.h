/* tenon.kernel/1: a backend answers which ops it can run, packs their weights and runs them. Include tenon.h. */
#ifndef TENON_ABI_TENON_KERNEL_H
#define TENON_ABI_TENON_KERNEL_H

#ifdef __cplusplus
extern "C" {
#endif

#define TENON_KERNEL_INTERFACE "tenon.kernel/1"

/* Element types. Block formats are laid out as in core/sdk/tenon/blocks.hpp. */
enum {
  TENON_F32 = 0,
  TENON_F16 = 1,
  TENON_BF16 = 2,
  TENON_I32 = 3,
  TENON_I64 = 4,
  TENON_Q4_0 = 16,
  TENON_Q4_1 = 17,
  TENON_Q5_0 = 18,
  TENON_Q5_1 = 19,
  TENON_Q8_0 = 20,
  TENON_Q2_K = 21,
  TENON_Q3_K = 22,
  TENON_Q4_K = 23,
  TENON_Q5_K = 24,
  TENON_Q6_K = 25,
  TENON_IQ4_NL = 26,
  TENON_IQ4_XS = 27,
  TENON_MXFP4 = 28
};

/* How an op's sums are formed; see core/README.md "Numeric classes" for the exact chains. */
enum {
  TENON_CLASS_DEFAULT = 0, /* asked only: int8 for block formats, f32 for the others */
  TENON_CLASS_F32 = 1,     /* one chain of fma in ascending k per output */
  TENON_CLASS_INT8 = 2,    /* activations quantized per row and block, exact integer block sums, one fma a block */
  TENON_CLASS_EXACT64 = 3, /* f64 sums over dequantized weights: the oracle */
  TENON_CLASS_OTHER = 4    /* anything else, e.g. a vendor library */
};

enum { TENON_MAX_RANK = 4, TENON_LAYOUT_BYTES = 32, TENON_REASON_BYTES = 200 };

/* A constant tensor in the order of the file: dims[0] is the slowest, rows are dims[rank - 1] elements, blocks along
 * rows. */
typedef struct tenon_tensor {
  uint32_t dtype;
  uint32_t rank;
  int64_t dims[TENON_MAX_RANK];
} tenon_tensor;

enum { TENON_ACT_IDENTITY = 0, TENON_ACT_SILU = 1, TENON_ACT_GELU = 2 /* tanh form */, TENON_ACT_SWIGLU_OAI = 3 };
enum { TENON_PAIRING_INTERLEAVED = 0, TENON_PAIRING_HALVES = 1 };
enum {
  TENON_ROUTE_SOFTMAX_THEN_SELECT = 0, /* softmax over all experts, then the top ones */
  TENON_ROUTE_SELECT_THEN_SOFTMAX = 1, /* the top ones of the raw scores, softmax over them */
  TENON_ROUTE_SIGMOID = 2              /* sigmoid each; a selection bias counts for the choice only */
};

/* Parameter structs, one an op. `in` and `out` name the buffers of tenon_run in order; [r, w] is n_rows rows of w f32.
 * All weights are listed in the order of tenon_op.weights; "?" marks one that may be absent (dtype of its tensor then
 * has rank 0); the list may also end before absent ones: no entry at or past n_weights, in tenon_op as in tenon_run. */

/* gather: out [r, width] = scale * table[tokens[r]]. weights: table [n, width]. in: none (tenon_batch.tokens).
 * Revision 2: out is of `dtype`, f32, or f16 or bf16 where the table is of the same. */
typedef struct tenon_gather_params {
  uint32_t size;
  float scale;
  uint32_t dtype; /* revision 2 */
  uint32_t reserved;
} tenon_gather_params;

/* add, mul: out = a (+|*) b, in: a [r, w], b [r, w] or b [1, w]; constant b as weight when n_weights is 1.
 * Revision 2: a, b and out are of `dtype`, f32, f16 or bf16, each result computed in f32 and rounded once. */
typedef struct tenon_binary_params {
  uint32_t size;
  uint32_t broadcast_b;
  int64_t width;
  uint32_t dtype; /* revision 2 */
  uint32_t reserved;
} tenon_binary_params;

/* reduce_mean: out [r, 1], softmax: out [r, width]; over the last axis of in [r, width]. */
typedef struct tenon_rowwise_params {
  uint32_t size;
  float scale; /* softmax: of softmax(scale * x) */
  int64_t width;
} tenon_rowwise_params;

/* rms_norm: y = x / sqrt(mean(x^2) + eps) * w over each group of `width` elements; layer_norm: with mean and bias.
 * weights: w [width] f32, (layer_norm) bias? [width]. in: x [r, groups * width]; out may be in. */
typedef struct tenon_norm_params {
  uint32_t size;
  float eps;
  int64_t width;
  int64_t groups;
} tenon_norm_params;

/* rope: rotates the first n_dims of each head. in: x_i [r, n_heads_i * head_dim] for i < n_in, then the table
 * [r, n_dims / 2, 2] of (cos, sin) which the host computes; out: x_i in place. */
typedef struct tenon_rope_params {
  uint32_t size;
  uint32_t pairing;
  uint32_t n_in; /* 1 to 4 */
  uint32_t reserved;
  int64_t head_dim, n_dims;
  int64_t n_heads[4];
} tenon_rope_params;

/* glu: out = act(gate) * up; swiglu_oai: min(gate, limit) * sigmoid(alpha * gate) * (clamp(up, +-limit) + 1). */
typedef struct tenon_activation {
  uint32_t kind;
  float alpha, limit; /* swiglu_oai only */
} tenon_activation;

typedef struct tenon_glu_params {
  uint32_t size;
  tenon_activation activation;
  int64_t width;
} tenon_glu_params;

/* softcap: out = cap * tanh(in / cap); in, out [r, width]; out may be in. */
typedef struct tenon_softcap_params {
  uint32_t size;
  float cap; /* more than 0 */
  int64_t width;
} tenon_softcap_params;

/* matmul: out [M, N] = a [M, K] * b [K, N]; weights: b, constant. `dtype` is that of a and out. */
typedef struct tenon_matmul_params {
  uint32_t size;
  uint32_t dtype;
} tenon_matmul_params;

/* linear: out_i [r, n_i] = (scale * (x W_i^T + bias_i)) + add. weights: W_0 .. W_{n-1} [n_i, k], then bias_i? [n_i]
 * f32. in: x [r, k], and add [r, n_0] when has_add (n_weights is 1 then; out may be add). */
typedef struct tenon_linear_params {
  uint32_t size;
  uint32_t n_weights; /* 1 to 4 */
  uint32_t has_add;
  float scale;
} tenon_linear_params;

/* ffn: out = down(act(gate(x)) * up(x)) + add. weights: gate [I, H], up [I, H], down [H, I], then their bias? each. */
typedef struct tenon_ffn_params {
  uint32_t size;
  uint32_t has_add;
  tenon_activation activation;
} tenon_ffn_params;

/* moe: per row, the experts_used experts of highest score, summed in the order of selection (descending score, lowest
 * index first among equals). A sum of selected weights is clamped at 6.103515625e-5 before dividing.
 * weights: router [E, H], gate [E, I, H], up [E, I, H], down [E, H, I], then router_bias? [E], gate_bias? [E, I],
 * up_bias? [E, I], down_bias? [E, H], selection_bias? [E], and the shared expert's router? [1, H], gate? [S, H],
 * up? [S, H], down? [H, S]. */
enum {
  TENON_MOE_ROUTER = 0,
  TENON_MOE_GATE,
  TENON_MOE_UP,
  TENON_MOE_DOWN,
  TENON_MOE_ROUTER_BIAS,
  TENON_MOE_GATE_BIAS,
  TENON_MOE_UP_BIAS,
  TENON_MOE_DOWN_BIAS,
  TENON_MOE_SELECTION_BIAS,
  TENON_MOE_SHARED_ROUTER,
  TENON_MOE_SHARED_GATE,
  TENON_MOE_SHARED_UP,
  TENON_MOE_SHARED_DOWN,
  TENON_MOE_N_WEIGHTS
};
typedef struct tenon_moe_params {
  uint32_t size;
  uint32_t has_add;
  uint32_t n_experts, experts_used;
  uint32_t route, renormalize;
  float weights_scale; /* multiplies the routing weights */
  tenon_activation activation;
} tenon_moe_params;

/* attention: appends k and v of the batch's rows to the kv pages, then attends causally. weights: sinks? [n_heads] f32.
 * in: q [r, n_heads * head_dim], k [r, n_kv_heads * head_dim], v [r, n_kv_heads * v_head_dim];
 * out [r, n_heads * v_head_dim]. Cached positions are taken in partitions of TENON_ATTENTION_PARTITION at fixed
 * absolute places, merged in ascending order. */
enum { TENON_ATTENTION_PARTITION = 256 };
typedef struct tenon_attention_params {
  uint32_t size;
  uint32_t kv_dtype;    /* TENON_F32, TENON_F16 or TENON_Q8_0 */
  uint32_t page_tokens; /* a power of two in [8, 256] */
  int64_t n_heads, n_kv_heads, head_dim, v_head_dim;
  int64_t window; /* query p sees keys k with p - k < window; 0: all */
  float scale;    /* of q.k */
  float softcap;  /* cap * tanh(s / cap); 0: none */
  uint32_t has_sinks;
} tenon_attention_params;

/* One op to run, as asked at load. */
typedef struct tenon_op {
  uint32_t size;
  uint32_t revision; /* of the op's contract: the lowest that says what is asked; 1 where no other is named above */
  const char* name;
  uint32_t numeric_class;
  uint32_t n_weights;
  const tenon_tensor* weights;
  const void* params; /* the struct of this op */
  int64_t max_rows;   /* rows of one run at most */
} tenon_op;

/* Answer to supports. `reason` says why not: the thing, the value found and the value expected. */
typedef struct tenon_support {
  uint32_t size;
  uint32_t supported;
  uint32_t numeric_class;
  uint32_t row_invariant, thread_invariant; /* same bits whatever the other rows, the thread count */
  float cost;      /* estimated nanoseconds for one row on one thread; only compared within one op */
  char kernel[48]; /* the name to show: <op>_<weight>_<activation>_<isa> */
  char reason[TENON_REASON_BYTES];
} tenon_support;

typedef struct tenon_pack_plan {
  uint32_t size;
  uint32_t alignment; /* a power of two, 64 at least is given */
  uint64_t bytes;
  char layout[TENON_LAYOUT_BYTES]; /* names the bytes' arrangement, ISA and version; equal layouts are shareable */
  /* An expanded copy that this kernel would multiply from if the host keeps it (under its byte budget): dense_parts
   * pieces (experts; else 1), each at a multiple of dense_bytes rounded up to 64. 0: none. Kept or not, the result has
   * the same bits. */
  uint64_t dense_bytes;
  uint32_t dense_parts;
  uint32_t reserved;
} tenon_pack_plan;

typedef struct tenon_kv_plan {
  uint32_t size;
  uint32_t alignment;
  uint64_t page_bytes; /* k and v of page_tokens tokens of one layer; a multiple of 64 */
  char layout[TENON_LAYOUT_BYTES];
} tenon_kv_plan;

/* Rows of one sequence in a batch, in order. */
typedef struct tenon_batch_sequence {
  int64_t first_row, n_rows;
  int64_t first_position; /* absolute position of first_row; row i is at first_position + i */
  const int32_t* pages;   /* page index for each page_tokens positions from 0; -1 where dropped */
  int64_t n_pages;
} tenon_batch_sequence;

typedef struct tenon_batch {
  uint32_t size;
  uint32_t reserved;
  int64_t n_rows;
  const int32_t* tokens;    /* [n_rows] */
  const int32_t* positions; /* [n_rows] */
  const tenon_batch_sequence* sequences;
  int64_t n_sequences;
} tenon_batch;

typedef struct tenon_buffer {
  void* data;
  int64_t ld; /* row stride in elements */
} tenon_buffer;

/* One call. Buffers are 64-byte aligned; rows start at multiples of ld. */
typedef struct tenon_run {
  uint32_t size;
  uint32_t n_in, n_out, n_weights;
  int64_t n_rows;
  const tenon_buffer* in;
  const tenon_buffer* out;
  const void* const* weights; /* packed blobs in the order of tenon_op.weights; NULL where absent */
  void* workspace;            /* at least what workspace_bytes asked; contents undefined */
  uint64_t workspace_bytes;
  const tenon_batch* batch; /* gather, attention: set; others may ignore it */
  void* kv;                 /* attention: base of this layer's pages; page i is at kv + i * page_bytes */
  const tenon_exec* exec;
  /* Per weight: the expanded copy, NULL where none is kept, and how many leading parts of it there are. */
  const void* const* dense;
  const uint32_t* dense_parts;
} tenon_run;

typedef struct tenon_kernel_api {
  uint32_t size;
  uint32_t reserved;
  void* self;
  /* Cannot fail: what is unknown is unsupported. Rule "load". */
  void (*supports)(void* self, const tenon_op* op, tenon_support* answer);
  /* Binds the op: copies what it needs of *op. Only after supports said yes. Rule "load". */
  tenon_code (*create)(void* self, const tenon_op* op, void** kernel, tenon_status* status);
  void (*destroy)(void* kernel);
  /* How weight `index` wants to be kept. Not called for absent weights. */
  tenon_code (*pack_plan)(void* kernel, uint32_t index, tenon_pack_plan* plan, tenon_status* status);
  /* Fills `packed` (plan.bytes, aligned) from `source` (rows in file order). Must not depend on exec->n_threads. */
  tenon_code (*pack)(void* kernel, uint32_t index, const void* source, void* packed, const tenon_exec* exec,
                     tenon_status* status);
  /* Optional: rows of a packed matrix back as f32 [n_rows, ld], exactly the dequantized values. Rule "hot". */
  tenon_code (*unpack_rows)(void* kernel, uint32_t index, const void* packed, const int32_t* rows, int64_t n_rows,
                            float* out, int64_t ld, tenon_status* status);
  /* attention only, else optional. */
  tenon_code (*kv_plan)(void* kernel, tenon_kv_plan* plan, tenon_status* status);
  /* Bytes of workspace for up to n_rows rows, n_threads workers and n_context cached positions a sequence. */
  tenon_code (*workspace_bytes)(void* kernel, int64_t n_rows, uint32_t n_threads, int64_t n_context, uint64_t* bytes,
                                tenon_status* status);
  /* Rule "hot". */
  tenon_code (*run)(void* kernel, const tenon_run* run, tenon_status* status);
  /* Only where pack_plan asked for dense bytes: writes part `part` of weight `index` (plan.dense_bytes) from its pack.
   * Rule "load". */
  tenon_code (*expand)(void* kernel, uint32_t index, uint32_t part, const void* packed, void* dense,
                       const tenon_exec* exec, tenon_status* status);
} tenon_kernel_api;

#ifdef __cplusplus
}
#endif
#endif
