/* tenon.processor/1: steps between logits and the chosen token. Include tenon.h. */
#ifndef TENON_ABI_TENON_PROCESSOR_H
#define TENON_ABI_TENON_PROCESSOR_H

#ifdef __cplusplus
extern "C" {
#endif

#define TENON_PROCESSOR_INTERFACE "tenon.processor/1"

/* What one step of sampling works on. Dense until the first truncation: `n_candidates` is -1 and logits[vocab_size]
 * hold every score, -inf where masked. Afterwards `ids` and `values` hold n_candidates candidates, sorted by
 * descending value, lowest id first among equals, and `logits` must not be read. The host owns all arrays (capacity
 * vocab_size each) and has removed NaN. */
typedef struct tenon_candidates {
  uint32_t size;
  int32_t vocab_size;
  float* logits;
  int32_t* ids;
  float* values;
  int64_t n_candidates;
  /* the key of all noise of this step: with it and a token id, the noise is fixed */
  uint64_t seed;
  uint64_t sample_index;
  uint64_t position;
  /* the sequence so far */
  const int32_t* prompt;
  int64_t n_prompt;
  const int32_t* generated;
  int64_t n_generated;
} tenon_candidates;

enum { TENON_PROCESSOR_FILTER = 1, TENON_PROCESSOR_CHOICE = 2 };

typedef struct tenon_processor_info {
  uint32_t size;
  uint32_t role; /* FILTER changes candidates, CHOICE ends a chain and picks one */
  const char* name;
  const char* doc;
  /* The first option is the main one: {temperature: 0.8} sets it. */
  const tenon_option_spec* option_specs;
  uint32_t n_option_specs;
  uint32_t reserved;
} tenon_processor_info;

typedef struct tenon_processor_api {
  uint32_t size;
  uint32_t n_processors; /* a plug-in may offer several */
  void* self;
  const tenon_processor_info* (*info)(void* self, uint32_t index);
  tenon_code (*create)(void* self, uint32_t index, const tenon_options* options, int32_t vocab_size, void** processor,
                       tenon_status* status);
  void (*destroy)(void* processor);
  /* FILTER: leaves at least one candidate, or fails with TENON_INVALID. Rule "hot"; an object serves one sequence. */
  tenon_code (*apply)(void* processor, tenon_candidates* candidates, tenon_status* status);
  /* CHOICE: writes the id. */
  tenon_code (*choose)(void* processor, tenon_candidates* candidates, int32_t* id, tenon_status* status);
  /* Optional, for those with state: the token that was taken, and a copy for a forked sequence. */
  tenon_code (*commit)(void* processor, int32_t id, tenon_status* status);
  tenon_code (*clone)(void* processor, void** copy, tenon_status* status);
} tenon_processor_api;

#ifdef __cplusplus
}
#endif
#endif
