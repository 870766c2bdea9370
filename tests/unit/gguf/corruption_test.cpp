// Random damage to a small valid file: every outcome is an answer, none a crash or a large allocation. Built with the
// sanitizers, this also looks for reads out of bounds; without them, the address space is limited.
#include "gguf_builder.hpp"
#include "gguf_plugin.hpp"

#include <sys/resource.h>
#include <catch2/catch.hpp>

#include <fstream>
#include <random>

using namespace gguf_test;

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;  // the shadow memory needs the whole address space
#else
constexpr bool kSanitized = false;
#endif

/// Address space of this process in bytes, from the first number of statm.
uint64_t mapped_bytes() {
  uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * 4096;
}

class AddressSpaceLimit {
 public:
  explicit AddressSpaceLimit(uint64_t extra) {
    ::getrlimit(RLIMIT_AS, &before_);
    rlimit limited = before_;
    limited.rlim_cur = mapped_bytes() + extra;
    if (!kSanitized) ::setrlimit(RLIMIT_AS, &limited);
  }
  ~AddressSpaceLimit() { ::setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_{};
};

std::string damaged(std::string file, std::mt19937_64& random) {
  const auto below = [&](uint64_t n) { return random() % n; };
  switch (below(4)) {
    case 0:  // bit flips
      for (uint64_t n = 1 + below(8); n > 0; --n) {
        char& byte = file[below(file.size())];
        byte = static_cast<char>(byte ^ static_cast<char>(1 << below(8)));
      }
      return file;
    case 1: return file.substr(0, below(file.size()));
    case 2: {  // an extreme number over any eight bytes: counts, lengths, dimensions, offsets
      constexpr uint64_t kExtremes[] = {0,
                                        1,
                                        0xff,
                                        0xffff,
                                        0x7fffffff,
                                        0xffffffff,
                                        uint64_t{1} << 32,
                                        uint64_t{1} << 60,
                                        uint64_t{1} << 61,
                                        (uint64_t{1} << 63) - 1,
                                        uint64_t{1} << 63,
                                        ~uint64_t{0} - 31,
                                        ~uint64_t{0}};
      std::string bytes;
      put(bytes, kExtremes[below(std::size(kExtremes))]);
      return file.replace(below(file.size() - 8), 8, bytes);
    }
    default: {  // a piece copied over another place
      const std::string piece = file.substr(below(file.size()), 1 + below(40));
      const uint64_t at = below(file.size() - piece.size());
      return file.replace(at, piece.size(), piece);
    }
  }
}

/// Touches everything that the model hands out.
uint64_t touch(const OpenedModel& model) {
  uint64_t sum = 0;
  const auto add = [&](tenon_str text) {
    for (size_t i = 0; i < text.size; ++i) sum += static_cast<unsigned char>(text.data[i]);
  };
  for (uint64_t i = 0; i < model.n_values(); ++i) {
    const tenon_value value = model.value(i).second;
    if (value.type == TENON_VALUE_STRING) add(value.s);
    for (uint64_t k = 0; value.type == TENON_VALUE_ARRAY && k < value.count; ++k) {
      if (value.element_type == TENON_VALUE_STRING) {
        add(value.strings[k]);
      } else {
        sum += static_cast<const uint64_t*>(value.numbers)[k];
      }
    }
  }
  for (uint64_t i = 0; i < model.n_tensors(); ++i) sum += model.bytes(i).size();
  return sum;
}

}  // namespace

TEST_CASE("3,000 damaged files are opened or refused with a message that names the file") {
  const std::string valid = small_model().build();
  const Folder folder;
  REQUIRE(refusal(folder.write("m.gguf", valid)) == "");
  const AddressSpaceLimit limit(uint64_t{64} << 20);
  std::mt19937_64 random(20240601);
  int opened = 0, refused = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string path = folder.write("m.gguf", damaged(valid, random));
    const OpenedModel model(gguf_format(), path);
    INFO("file " << i << ": " << model.message());
    if (model.code() == TENON_OK) {
      touch(model);
      ++opened;
    } else {
      REQUIRE((model.code() == TENON_INVALID || model.code() == TENON_UNSUPPORTED || model.code() == TENON_LIMIT));
      REQUIRE(model.message().starts_with(path + ": "));
      ++refused;
    }
  }
  // Damage to tensor data or to a letter passes, as it must; both outcomes are in the sample.
  CHECK(opened > 100);
  CHECK(refused > 1000);
}
