// Cases 1 to 6, 22 and 23 of the plug-in host: files that are no plug-ins, and paths that are not taken.
#include "host_folder.hpp"

#include <elf.h>
#include <sys/stat.h>

#include <cstddef>

using namespace tenon;
using namespace host;

namespace {

/// A copy of a sound plug-in with one byte of its ELF header changed.
fs::path flipped(const Folder& folder, const std::string& name, size_t offset, uint8_t value) {
  std::string bytes = bytes_of(built("alpha"));
  bytes[offset] = static_cast<char>(value);
  return folder.write(name, bytes);
}

}  // namespace

TEST_CASE("case 1: a path that does not exist is named, as is the way to mend it") {
  const Folder folder;
  check_fault(folder / "ghost.so", "PLUGIN_NOT_FOUND", "ghost", "No such file");
}

TEST_CASE("case 1: an id that no folder holds names every path that was tried") {
  const Folder folder;
  folder.copy("alpha");
  const auto registry = Registry::open(request_for({"ghost"}, {folder.path(), folder / "none"}), silent_log());
  REQUIRE_FALSE(registry);
  const std::string& message = registry.error().message;
  INFO(message);
  CHECK(message.find("PLUGIN_NOT_FOUND: plug-in 'ghost'") == 0);
  CHECK(message.find((folder / "ghost.so").string()) != std::string::npos);
  CHECK(message.find((folder / "none/ghost.so").string() + " (there is no such folder)") != std::string::npos);
  CHECK(message.find("there is: alpha") != std::string::npos);
}

TEST_CASE("case 2: a directory, a pipe, an empty file and a ring of links are no files to load") {
  const Folder folder;
  fs::create_directory(folder / "directory.so");
  check_fault(folder / "directory.so", "PLUGIN_NOT_A_FILE", "directory", "it is a directory");
  REQUIRE(::mkfifo((folder / "pipe.so").c_str(), 0600) == 0);
  check_fault(folder / "pipe.so", "PLUGIN_NOT_A_FILE", "pipe", "pipe");
  check_fault(folder.write("empty.so", ""), "PLUGIN_NOT_A_FILE", "empty", "empty");
  fs::create_symlink(folder / "ring.so", folder / "ring.so");
  check_fault(folder / "ring.so", "PLUGIN_UNREADABLE", "ring", "Too many levels of symbolic links");
}

TEST_CASE("case 3: text, junk and ELF files cut anywhere are of a bad format") {
  const Folder folder;
  check_fault(folder.write("text.so", "INPUT(libm.so)\n"), "PLUGIN_BAD_FORMAT", "text", "not an ELF file");
  check_fault(folder.write("three.so",
                           "\x7f"
                           "EL"),
              "PLUGIN_BAD_FORMAT", "three", "not an ELF file");
  const std::string whole = bytes_of(built("alpha"));
  check_fault(folder.write("cut.so", whole.substr(0, 40)), "PLUGIN_BAD_FORMAT", "cut", "40 bytes of 64");
  check_fault(folder.write("cut.so", whole.substr(0, 100)), "PLUGIN_BAD_FORMAT", "cut", "program headers are cut");
  check_fault(folder.write("cut.so", whole.substr(0, whole.size() / 2)), "PLUGIN_BAD_FORMAT", "cut", "the file is cut");
}

TEST_CASE("case 3: an ELF file cut at any place is refused or whole enough, and nothing crashes") {
  const Folder folder;
  const std::string whole = bytes_of(built("alpha"));
  for (size_t n = 0; n < whole.size(); n += whole.size() / 97) {
    const fs::path path = folder.write("cut.so", whole.substr(0, n));
    const auto states = Registry::list(request_for({path.string()}));
    REQUIRE(states.size() == 1);
    if (states.front().stage < PluginStage::usable) CHECK(states.front().fault);
  }
}

TEST_CASE("case 4: another architecture, class or byte order is named beside this one's") {
  const Folder folder;
  check_fault(flipped(folder, "machine.so", offsetof(Elf64_Ehdr, e_machine), EM_RISCV), "PLUGIN_WRONG_ARCH", "machine",
              "it is for riscv, this host is ");
  check_fault(flipped(folder, "class.so", EI_CLASS, ELFCLASS32), "PLUGIN_WRONG_ARCH", "class",
              "32-bit little-endian, this host is 64-bit little-endian");
  check_fault(flipped(folder, "order.so", EI_DATA, ELFDATA2MSB), "PLUGIN_WRONG_ARCH", "order",
              "64-bit big-endian, this host is 64-bit little-endian");
}

TEST_CASE("case 5: a shared object that is no plug-in says what it lacks") {
  check_fault(built("no_plugin"), "PLUGIN_NO_ENTRY", "no_plugin", "no note of owner 'Tenon'");
  check_fault(built("no_entry"), "PLUGIN_NO_ENTRY", "no_entry", "it does not export 'tenon_plugin_entry'");
}

TEST_CASE("case 5: what only a scan found and is no plug-in is no warning") {
  const Folder folder;
  folder.copy("no_plugin");
  folder.write("text.so", "no ELF");
  std::vector<Said> log;
  const auto registry = Registry::open({{folder.path()}, {}, false}, into(log));
  REQUIRE(registry);
  REQUIRE(log.size() == 2);
  for (const Said& said : log) {
    const bool no_entry = said.text.find("PLUGIN_NO_ENTRY") == 0;
    CHECK(said.level == (no_entry ? LogLevel::debug : LogLevel::warning));
  }
}

TEST_CASE("case 6: the host executable is not loaded as a plug-in") {
  check_fault(fs::canonical("/proc/self/exe"), "PLUGIN_IS_HOST", "host_test", "the host executable itself");
}

TEST_CASE("case 22: a scan takes nothing that anyone may write; a path spelled out is taken") {
  const Folder folder;
  const fs::path file = folder.copy("alpha");
  fs::permissions(file, fs::perms::all);
  const auto states = Registry::list({{folder.path()}, {}, false});
  REQUIRE(states.size() == 1);
  REQUIRE(states.front().fault);
  CHECK(states.front().fault->code == "PLUGIN_INSECURE_PATH");
  CHECK(states.front().fault->cause == file.string() + " can be written by everyone");
  CHECK(Registry::open(request_for({file.string()}), silent_log()));
  fs::permissions(file, fs::perms::owner_all);
  fs::permissions(folder.path(), fs::perms::all);
  CHECK(Registry::list({{folder.path()}, {}, false}).front().fault->code == "PLUGIN_INSECURE_PATH");
  fs::permissions(folder.path(), fs::perms::all | fs::perms::sticky_bit);
  CHECK_FALSE(Registry::list({{folder.path()}, {}, false}).front().fault);
}

TEST_CASE("case 23: a scan does not follow a link out of its folder; a path spelled out is taken as spelled") {
  const Folder folder, elsewhere;
  const fs::path target = elsewhere.copy("alpha");
  fs::create_symlink(target, folder / "alpha.so");
  const auto states = Registry::list({{folder.path()}, {}, false});
  REQUIRE(states.size() == 1);
  REQUIRE(states.front().fault);
  CHECK(states.front().fault->code == "PLUGIN_PATH_ESCAPE");
  CHECK(states.front().fault->path == folder / "alpha.so");
  CHECK(states.front().fault->cause.find(target.string()) != std::string::npos);
  CHECK(Registry::open(request_for({(folder / "alpha.so").string()}), silent_log()));
}
