// Cases 7, 9, 11, 12, 20 and 24: what a plug-in says about itself, and which file it is. The plug-ins of cases 7, 11
// and 12 abort when they are loaded: that these tests end shows that they were not.
#include "host_folder.hpp"

#include <tenon/base/sha256.hpp>

using namespace tenon;
using namespace host;

TEST_CASE("case 7: another ABI is refused before loading, with both versions") {
  check_fault(built("other_abi"), "PLUGIN_ABI_MISMATCH", "other_abi", "it was built for ABI 9.1, this host has 1.1");
  check_fault(built("newer_abi"), "PLUGIN_ABI_MISMATCH", "newer_abi", "it was built for ABI 1.99, this host has 1.1");
}

TEST_CASE("case 9: sizes that cannot be, and a note that disagrees, are a corrupt descriptor") {
  check_fault(built("absurd_size"), "PLUGIN_CORRUPT_DESCRIPTOR", "absurd_size", "size 4294967295");
  check_fault(built("short_descriptor"), "PLUGIN_CORRUPT_DESCRIPTOR", "short_descriptor", "size 16");
  check_fault(built("two_names"), "PLUGIN_CORRUPT_DESCRIPTOR", "two_names", "disagree");
  check_fault(built("huge_table"), "PLUGIN_CORRUPT_DESCRIPTOR", "huge_table", "4294967295 bytes");
}

TEST_CASE("case 9: a note whose own size is wrong is corrupt") {
  const Folder folder;
  std::string bytes = bytes_of(built("alpha"));
  // The note stands behind its owner's name; its descriptor starts with the magic number and then the size.
  const size_t note = bytes.find(std::string("Tenon\0\0\0TENONPLG", 16));
  REQUIRE(note != std::string::npos);
  bytes[note + 18] = '\x7f';
  check_fault(folder.write("size.so", bytes), "PLUGIN_CORRUPT_DESCRIPTOR", "size", "its note says ");
}

TEST_CASE("case 11: an incompatible feature that the host does not know is refused, a compatible one ignored") {
  check_fault(built("unknown_feature"), "PLUGIN_UNKNOWN_FEATURE", "unknown_feature", "0x10000000000");
  CHECK(Registry::open(request_for({built("extra_feature").string()}), silent_log()));
}

TEST_CASE("case 12: instructions that this processor lacks are named before loading") {
  check_fault(built("needs_isa"), "PLUGIN_ISA_UNSUPPORTED", "needs_isa", "it needs unknown bits 0x4000000000000000");
}

TEST_CASE("case 20: two files of one id name each other, with their digests") {
  const Folder folder;
  const fs::path a = folder.copy("twin_a"), b = folder.copy("twin_b");
  const auto digest = [](const fs::path& path) { return to_hex(*sha256_file(path)).substr(0, 16); };
  for (const auto& request : {request_for({"twin"}, {folder.path()}), request_for({a.string(), b.string()})}) {
    const auto registry = Registry::open(request, silent_log());
    REQUIRE_FALSE(registry);
    const std::string& message = registry.error().message;
    INFO(message);
    CHECK(message.find("PLUGIN_DUPLICATE_ID: plug-in 'twin' (" + b.string() + ")") == 0);
    CHECK(message.find(a.string()) != std::string::npos);
    CHECK(message.find(digest(a)) != std::string::npos);
    CHECK(message.find(digest(b)) != std::string::npos);
  }
  CHECK(Registry::open(request_for({a.string()}, {folder.path()}), silent_log()));
}

TEST_CASE("case 20: one file by two names is one plug-in") {
  const Folder folder;
  const fs::path file = folder.copy("alpha");
  fs::create_hard_link(file, folder / "hard.so");
  fs::create_symlink(file, folder / "soft.so");
  CHECK(Registry::list({{folder.path()}, {}, false}).size() == 1);
  const auto registry = Registry::open(
      request_for({file.string(), (folder / "hard.so").string(), (folder / "soft.so").string()}), silent_log());
  REQUIRE(registry);
  CHECK(registry->backends().size() == 1);
}

TEST_CASE("case 24: a file that is not the pinned one is refused with both digests") {
  const std::string path = built("alpha").string();
  auto request = request_for({path});
  request.plugins.front().sha256 = to_hex(*sha256_file(path));
  CHECK(Registry::open(request, silent_log()));
  request.plugins.front().sha256 = std::string(64, '0');
  const auto registry = Registry::open(request, silent_log());
  REQUIRE_FALSE(registry);
  CHECK(registry.error().message.find("PLUGIN_HASH_MISMATCH: plug-in 'alpha' (" + path + "): its SHA-256 is " +
                                      to_hex(*sha256_file(path)) + ", the config pins " + std::string(64, '0')) == 0);
}

TEST_CASE("case 24: a file that changes while it is loaded is refused") {
  const Folder folder;
  const fs::path path = folder.copy("rewrites_itself");
  const auto registry = Registry::open(request_for({path.string()}), silent_log());
  REQUIRE_FALSE(registry);
  CHECK(registry.error().message.find("PLUGIN_CHANGED_DURING_LOAD: plug-in 'rewrites_itself' (" + path.string() +
                                      ")") == 0);
}
