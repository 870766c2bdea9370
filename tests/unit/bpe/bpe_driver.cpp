// bpe_driver VOCABULARY PRE: reads texts, writes ids; differential.py compares them with another tokenizer's.
// VOCABULARY: a JSON file like data/vocabulary.json, or a .gguf (then PRE is not used). A text is a u32 number of bytes
// and the bytes; the answer a u32 number of ids and the ids as i32; all little-endian. Control tokens stay text.
// bpe_driver VOCABULARY PRE TEXTFILE REPEATS: prints how long loading and encoding take.
#include "bpe_plugin.hpp"

#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>

namespace {

using bpe_test::Loaded;

/// Of this process: other work on the machine does not count.
double cpu_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

int answer_texts(const Loaded& tokenizer) {
  uint32_t n_bytes = 0;
  std::string text;
  while (std::fread(&n_bytes, sizeof n_bytes, 1, stdin) == 1) {
    text.resize(n_bytes);
    if (std::fread(text.data(), 1, n_bytes, stdin) != n_bytes) return 1;
    const auto ids = tokenizer.encode(text);
    const auto n_ids = static_cast<uint32_t>(ids.size());
    std::fwrite(&n_ids, sizeof n_ids, 1, stdout);
    std::fwrite(ids.data(), sizeof ids[0], n_ids, stdout);
    std::fflush(stdout);
  }
  return 0;
}

int measure(const Loaded& tokenizer, const char* path, int repeats) {
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  size_t n_ids = 0;
  tenon_sink sink{&n_ids, [](void* self, const void*, size_t count) -> tenon_code {
                    *static_cast<size_t*>(self) += count;
                    return TENON_OK;
                  }};
  const tenon_tokenizer_api& api = bpe_test::bpe_plugin();
  for (int i = 0; i < repeats; ++i) {
    const double start = cpu_seconds();
    n_ids = 0;
    tenon_status status = tenon::empty_status();
    if (api.encode(tokenizer.handle(), tenon::str(text), nullptr, 0, &sink, &status) != TENON_OK) return 1;
    const double seconds = cpu_seconds() - start;
    std::printf("%zu bytes, %zu ids, %.3f ms, %.1f MB/s\n", text.size(), n_ids, seconds * 1e3,
                static_cast<double>(text.size()) / seconds * 1e-6);
  }
  return 0;
}

int run(int argc, char** argv) {
  const std::string path = argv[1];
  std::optional<bpe_test::GgufMetadata> gguf;
  bpe_test::Metadata json;
  if (path.ends_with(".gguf")) {
    gguf.emplace(path);
  } else {
    json = bpe_test::metadata_from_json(path, argv[2]);
  }
  const double start = cpu_seconds();
  const Loaded tokenizer(gguf ? gguf->view() : json.view());
  if (argc != 5) return answer_texts(tokenizer);
  std::printf("loaded in %.1f ms\n", (cpu_seconds() - start) * 1e3);
  return measure(tokenizer, argv[3], std::atoi(argv[4]));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 5) {
    std::fputs("usage: bpe_driver VOCABULARY.json|MODEL.gguf PRE [TEXTFILE REPEATS]\n", stderr);
    return 2;
  }
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
