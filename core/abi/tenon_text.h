/* tenon.tokenizer/1 and tenon.template/1: text to token ids and back, messages to a prompt. Include tenon.h. */
#ifndef TENON_ABI_TENON_TEXT_H
#define TENON_ABI_TENON_TEXT_H

#ifdef __cplusplus
extern "C" {
#endif

#define TENON_TOKENIZER_INTERFACE "tenon.tokenizer/1"
#define TENON_TEMPLATE_INTERFACE "tenon.template/1"

enum {
  TENON_TOKEN_NORMAL = 1,
  TENON_TOKEN_UNKNOWN = 2,
  TENON_TOKEN_CONTROL = 3, /* special: matched only inside the ranges that allow it, no text when decoded */
  TENON_TOKEN_USER = 4,    /* added text token: always matched */
  TENON_TOKEN_UNUSED = 5,
  TENON_TOKEN_BYTE = 6
};

typedef struct tenon_vocab_info {
  uint32_t size;
  int32_t n_tokens;
  int32_t bos, eos, unknown, pad; /* -1: none */
  uint32_t add_bos, add_eos;      /* what the model expects of a prompt without a template */
} tenon_vocab_info;

/* Objects are immutable once created: encode and decode may run on any threads at once. */
typedef struct tenon_tokenizer_api {
  uint32_t size;
  uint32_t reserved;
  void* self;
  const char* name; /* "bpe" */
  /* TENON_OK where this plug-in reads this model's vocabulary, else TENON_UNSUPPORTED with the reason. */
  tenon_code (*accepts)(void* self, const tenon_meta* meta, tenon_status* status);
  tenon_code (*create)(void* self, const tenon_meta* meta, void** tokenizer, tenon_status* status);
  void (*destroy)(void* tokenizer);
  tenon_code (*info)(void* tokenizer, tenon_vocab_info* info, tenon_status* status);
  /* Ids that end a turn or a text, e.g. eos, eot, eom. */
  tenon_code (*stop_ids)(void* tokenizer, tenon_sink* ids_sink, tenon_status* status);
  /* Text (any bytes, NUL included) to ids, without bos and eos. Control tokens are recognised only where they lie
   * wholly inside one of `special_ranges` (ascending, disjoint). Linear time in text.size. */
  tenon_code (*encode)(void* tokenizer, tenon_str text, const tenon_range* special_ranges, size_t n_ranges,
                       tenon_sink* ids_sink, tenon_status* status);
  /* The bytes that one id adds to a text (may be part of a character); control tokens give their name when
   * with_special is non-zero, else nothing. `position` 0 lets kinds with a leading space drop it. */
  tenon_code (*token_bytes)(void* tokenizer, int32_t id, uint64_t position, int32_t with_special, tenon_sink* text_sink,
                            tenon_status* status);
  int32_t (*token_type)(void* tokenizer, int32_t id); /* TENON_TOKEN_*, 0 where id is out of the vocabulary */
  /* The id whose text is exactly `text` (a control token's name too), or -1. */
  int32_t (*find)(void* tokenizer, tenon_str text);
} tenon_tokenizer_api;

typedef struct tenon_template_api {
  uint32_t size;
  uint32_t reserved;
  void* self;
  const char* name; /* "jinja" */
  /* Parses `source`; a syntax error names line and column. */
  tenon_code (*create)(void* self, tenon_str source, void** chat_template, tenon_status* status);
  void (*destroy)(void* chat_template);
  /* `input_json`: an object with messages, add_generation_prompt, bos_token, eos_token, tools and any other variable.
   * Gives the prompt, and the byte ranges of it that the template wrote itself (not taken from messages): only there
   * may control tokens be recognised. Steps and output are limited (TENON_LIMIT). */
  tenon_code (*render)(void* chat_template, tenon_str input_json, tenon_sink* text_sink, tenon_sink* ranges_sink,
                       tenon_status* status);
} tenon_template_api;

#ifdef __cplusplus
}
#endif
#endif
