/* tenon.format/1: a model file opened for reading. Include tenon.h. */
#ifndef TENON_ABI_TENON_MODEL_H
#define TENON_ABI_TENON_MODEL_H

#ifdef __cplusplus
extern "C" {
#endif

#define TENON_FORMAT_INTERFACE "tenon.format/1"

enum {
  TENON_VALUE_NONE = 0,
  TENON_VALUE_BOOL = 1,
  TENON_VALUE_INT = 2,
  TENON_VALUE_UINT = 3,
  TENON_VALUE_FLOAT = 4,
  TENON_VALUE_STRING = 5,
  TENON_VALUE_ARRAY = 6
};

/* A metadata value. Arrays are homogeneous: INT, UINT, FLOAT and BOOL elements are widened to 64 bits in `numbers`
 * (reinterpret by element_type: int64_t, uint64_t, double; bool as uint64_t), strings are in `strings`. All memory
 * belongs to whoever gave the value and lives as long as that object. */
typedef struct tenon_value {
  uint32_t type;
  uint32_t element_type; /* arrays */
  uint64_t u;            /* bool, uint */
  int64_t i;
  double f;
  tenon_str s;
  uint64_t count; /* arrays */
  const void* numbers;
  const tenon_str* strings;
} tenon_value;

/* Read access to metadata that the host lends, e.g. to a tokenizer. find: TENON_OK and *value, or TENON_UNSUPPORTED
 * where the key is absent. */
typedef struct tenon_meta {
  uint32_t size;
  uint32_t reserved;
  void* self;
  tenon_code (*find)(void* self, tenon_str key, tenon_value* value);
} tenon_meta;

typedef struct tenon_tensor_info {
  uint32_t size;
  uint32_t reserved;
  tenon_str name;
  tenon_tensor tensor;
  uint64_t bytes;
} tenon_tensor_info;

typedef struct tenon_format_api {
  uint32_t size;
  uint32_t reserved;
  void* self;
  const char* name; /* the key of a recipe's `sources` block: "gguf" */
  /* 1 where the path (file or folder) and its first bytes look like this format, else 0. Never fails. */
  int32_t (*recognizes)(void* self, tenon_str path, const void* first_bytes, size_t n_bytes);
  /* Reads and checks everything except tensor data; refuses before it allocates. Rule "load" for all below. */
  tenon_code (*open)(void* self, tenon_str path, void** model, tenon_status* status);
  void (*close)(void* model);
  uint64_t (*n_values)(void* model);
  tenon_code (*value)(void* model, uint64_t index, tenon_str* key, tenon_value* value, tenon_status* status);
  uint64_t (*n_tensors)(void* model);
  tenon_code (*tensor)(void* model, uint64_t index, tenon_tensor_info* info, tenon_status* status);
  /* Copies bytes [offset, offset + n_bytes) of tensor `index`. Different tensors may be read by different threads. */
  tenon_code (*read)(void* model, uint64_t index, uint64_t offset, void* destination, uint64_t n_bytes,
                     tenon_status* status);
} tenon_format_api;

#ifdef __cplusplus
}
#endif
#endif
