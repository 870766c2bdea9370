/* The border between the Tenon host and its plug-ins. C11, no dependency, the one truth: every other header is
 * convenience over these. From ABI 1.0 on structs only grow at their end (tests/unit/abi pins them).
 *
 * Rules that hold for every function and struct below, unless it says otherwise:
 *  - A struct that crosses the border starts with `size`, the sizeof known to whoever filled it. Read no field past it.
 *  - A function slot may be NULL where it is marked "optional": the feature is then unsupported.
 *  - Functions that can fail return TENON_OK or another tenon_code and then fill *status. The caller owns *status.
 *  - No exception, no C++ type and no ownership of memory crosses. What has no bound goes into a sink of the host's.
 *  - Text is UTF-8 with a length, not NUL-terminated, except the `const char*` fields of descriptors.
 *  - Thread rule "load": called by one thread at a time while loading. Thread rule "hot": called by one thread at a
 *    time per object, while other objects may be in use by other threads; allocates nothing.
 */
#ifndef TENON_ABI_TENON_H
#define TENON_ABI_TENON_H

#include <stddef.h>
#include <stdint.h>

#define TENON_ABI_MAJOR 1
#define TENON_ABI_MINOR 1

/* "TENONPLG" read as a little-endian number. */
#define TENON_PLUGIN_MAGIC UINT64_C(0x474c504e4f4e4554)
/* Name of the one symbol that a plug-in exports: a constant tenon_plugin. */
#define TENON_PLUGIN_SYMBOL "tenon_plugin_entry"

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- status, text, sinks */

typedef int32_t tenon_code;
enum {
  TENON_OK = 0,
  TENON_INVALID = 1,     /* an argument, file or option is wrong: the message says which, found and expected */
  TENON_UNSUPPORTED = 2, /* well-formed, but this plug-in cannot do it */
  TENON_IO = 3,          /* reading or writing failed */
  TENON_NO_MEMORY = 4,
  TENON_CANCELLED = 5,
  TENON_INTERNAL = 6, /* a bug or an exception in the plug-in */
  TENON_LIMIT = 7     /* a documented limit was reached (steps, output, size) */
};

enum { TENON_MESSAGE_BYTES = 500 };

/* Filled by the callee on failure; message is NUL-terminated and may be cut at a character. */
typedef struct tenon_status {
  uint32_t size;
  tenon_code code;
  char message[TENON_MESSAGE_BYTES];
} tenon_status;

typedef struct tenon_str {
  const char* data;
  size_t size;
} tenon_str;

/* Takes bytes or elements as they come. `append` copies; a result other than TENON_OK means: stop and return it. */
typedef struct tenon_sink {
  void* self;
  tenon_code (*append)(void* self, const void* elements, size_t count);
} tenon_sink;
/* The element type is part of the sink's name where it is used: text_sink takes chars, ids_sink int32_t,
 * ranges_sink tenon_range. */

typedef struct tenon_range {
  uint64_t begin, end; /* byte offsets, end excluded */
} tenon_range;

/* ---------------------------------------------------------------- what the host lends */

enum { TENON_LOG_DEBUG = 0, TENON_LOG_INFO = 1, TENON_LOG_WARNING = 2, TENON_LOG_ERROR = 3 };

/* One task of a parallel_for. `worker` is in [0, n_threads): at most one task runs with a given worker at a time, so
 * it may index per-worker scratch. Must not throw. */
typedef tenon_code (*tenon_task)(void* context, int64_t task, uint32_t worker, tenon_status* status);

/* Threads lent for the length of one call. Tasks run in any order, on any worker; the first error wins and the
 * remaining tasks still finish. Not reentrant: a task must not call parallel_for. */
typedef struct tenon_exec {
  uint32_t size;
  uint32_t n_threads;
  void* self;
  tenon_code (*parallel_for)(void* self, int64_t n_tasks, tenon_task task, void* context, tenon_status* status);
  int32_t (*cancelled)(void* self); /* non-zero: return TENON_CANCELLED soon */
} tenon_exec;

typedef struct tenon_host {
  uint32_t size;
  uint16_t abi_major, abi_minor;
  void* self;
  void (*log)(void* self, int32_t level, tenon_str text); /* any thread */
} tenon_host;

/* ---------------------------------------------------------------- options */

enum {
  TENON_OPTION_BOOL = 1,
  TENON_OPTION_INT = 2,
  TENON_OPTION_FLOAT = 3,
  TENON_OPTION_STRING = 4,
  TENON_OPTION_MAP = 5 /* whole numbers from 0 on to numbers; default: none */
};

/* One option of a plug-in or processor. The host checks type, range and choices before the plug-in sees a value. */
typedef struct tenon_option_spec {
  uint32_t size;
  uint32_t type;
  const char* name;
  const char* doc;       /* one line */
  double min, max;       /* inclusive; for int and float, and the numbers of a map, where an infinite end is a value */
  double default_number; /* bool (0 or 1), int, float */
  const char* default_string;
  const char* choices; /* for string: "a|b|c", or NULL for any text */
} tenon_option_spec;

/* A checked value. Every option of the spec is handed over, defaults included, in the order of the spec. */
typedef struct tenon_option {
  const char* name;
  uint32_t type;
  uint32_t is_default;
  double number;
  tenon_str string; /* a map: "KEY:NUMBER" for each entry, joined by ',', numbers as strtod reads them */
} tenon_option;

typedef struct tenon_options {
  const tenon_option* items;
  size_t count;
} tenon_options;

/* ---------------------------------------------------------------- the plug-in */

/* ISA bits that the host checks (CPUID and the operating system's state) before it loads the file. */
#define TENON_ISA_AVX2 (UINT64_C(1) << 0)   /* AVX2, FMA, F16C, BMI2 */
#define TENON_ISA_AVX512 (UINT64_C(1) << 1) /* F, BW, DQ, VL */
#define TENON_ISA_NEON (UINT64_C(1) << 32)

#define TENON_FLAG_OWNS_THREADS (UINT32_C(1) << 0) /* starts threads of its own: needs the config's consent */

/* The exported constant. `features_incompatible`: a set bit that the host does not know refuses the plug-in. */
typedef struct tenon_plugin {
  uint64_t magic;
  uint32_t size;
  uint16_t abi_major, abi_minor;
  uint64_t features_incompatible, features_compatible;
  const char* id;      /* [a-z0-9_-]+, the name in YAML */
  const char* version; /* of the plug-in */
  const tenon_option_spec* option_specs;
  uint32_t n_option_specs;
  uint32_t flags;
  /* Once, before any other call. *instance stays valid until shutdown. Rule "load". */
  tenon_code (*init)(const tenon_host* host, const tenon_options* options, void** instance, tenon_status* status);
  /* `interface_id` such as "tenon.kernel/1". *table is one of the *_api structs, valid until shutdown;
   * TENON_UNSUPPORTED where the plug-in does not have it. */
  tenon_code (*get_interface)(void* instance, const char* interface_id, const void** table, tenon_status* status);
  /* Once, after all objects are destroyed. The library stays mapped. */
  void (*shutdown)(void* instance);
} tenon_plugin;

/* The descriptor of the ELF note (section .note.tenon, owner "Tenon", type TENON_NOTE_TYPE), read without loading. It
 * must agree with the tenon_plugin of the same file. Fixed width, little endian, strings NUL-padded. */
enum {
  TENON_NOTE_TYPE = 1,
  TENON_NOTE_ID_BYTES = 48,
  TENON_NOTE_VERSION_BYTES = 32,
  TENON_NOTE_INTERFACES_BYTES = 208
};
typedef struct tenon_note_desc {
  uint64_t magic;
  uint32_t size;
  uint16_t abi_major, abi_minor;
  uint64_t features_incompatible, features_compatible;
  uint64_t isa;
  uint32_t flags;
  uint32_t reserved;
  char id[TENON_NOTE_ID_BYTES];
  char version[TENON_NOTE_VERSION_BYTES];
  char interfaces[TENON_NOTE_INTERFACES_BYTES]; /* "tenon.kernel/1 tenon.tokenizer/1" */
  uint8_t source_digest[32];                    /* SHA-256 of the sources; all zero: not recorded */
} tenon_note_desc;

#ifdef __cplusplus
}
#endif

#include "tenon_kernel.h"
#include "tenon_model.h"
#include "tenon_processor.h"
#include "tenon_text.h"

#endif
