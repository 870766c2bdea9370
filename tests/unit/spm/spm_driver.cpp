// spm_driver MODEL.gguf: reads texts, writes ids; differential.py compares them with another tokenizer's. A text is a
// u32 with the flag 0 or 1 (control tokens allowed), a u32 number of bytes and the bytes; the answer a u32 number of
// ids and the ids as i32; all little-endian. spm_driver MODEL.gguf TEXTFILE: prints how long loading and encoding take.
#include <tokenizer_host.hpp>

#include <time.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace {

using tokenizer_test::Loaded;

/// Of this process: other work on the machine does not count.
double cpu_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

int answer_texts(const Loaded& tokenizer) {
  uint32_t head[2];
  std::string text;
  while (std::fread(head, sizeof head, 1, stdin) == 1) {
    text.resize(head[1]);
    if (std::fread(text.data(), 1, head[1], stdin) != head[1]) return 1;
    const auto ids = head[0] != 0 ? tokenizer.encode(text, {{0, text.size()}}) : tokenizer.encode(text);
    const auto n_ids = static_cast<uint32_t>(ids.size());
    std::fwrite(&n_ids, sizeof n_ids, 1, stdout);
    std::fwrite(ids.data(), sizeof ids[0], n_ids, stdout);
    std::fflush(stdout);
  }
  return 0;
}

int run(int argc, char** argv) {
  const tokenizer_test::GgufMetadata metadata(argv[1]);
  const double start = cpu_seconds();
  const Loaded tokenizer(metadata.view());
  if (argc == 2) return answer_texts(tokenizer);
  std::printf("loaded in %.1f ms\n", (cpu_seconds() - start) * 1e3);
  std::ifstream file(argv[2], std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  for (int i = 0; i < 3; ++i) {
    const double begin = cpu_seconds();
    const auto ids = tokenizer.encode(text);
    const double seconds = cpu_seconds() - begin;
    std::printf("%zu bytes, %zu ids, %.3f ms, %.1f MB/s\n", text.size(), ids.size(), seconds * 1e3,
                static_cast<double>(text.size()) / seconds * 1e-6);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    std::fputs("usage: spm_driver MODEL.gguf [TEXTFILE]\n", stderr);
    return 2;
  }
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
