#include <tenon/base/file.hpp>
#include <tenon/base/sha256.hpp>

#include <sys/stat.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

using namespace tenon;
namespace fs = std::filesystem;

namespace {

fs::path scratch(const char* name) {
  const fs::path folder = fs::temp_directory_path() / ("tenon-file-test-" + std::to_string(getpid()));
  fs::create_directories(folder);
  return folder / name;
}

}  // namespace

TEST_CASE("a folder, a FIFO and a missing file are refused at once and named") {
  const fs::path fifo = scratch("fifo");
  REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  const auto from_fifo = File::open(fifo);
  REQUIRE_FALSE(from_fifo);
  CHECK(from_fifo.error().message == fifo.string() + " is a device, pipe or socket, expected a regular file");
  const auto from_folder = File::open(fifo.parent_path());
  REQUIRE_FALSE(from_folder);
  CHECK(from_folder.error().message == fifo.parent_path().string() + " is a directory, expected a regular file");
  const auto missing = File::open(scratch("missing"));
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == TENON_IO);
  CHECK(missing.error().message == "cannot open " + scratch("missing").string() + ": No such file or directory");
  fs::remove_all(fifo.parent_path());
}

TEST_CASE("a file that became shorter while open gives an error that says where it ends") {
  const fs::path path = scratch("short");
  std::ofstream(path) << "0123456789";
  auto file = File::open(path);
  REQUIRE(file);
  fs::resize_file(path, 4);
  std::array<std::byte, 10> bytes{};
  const auto read = file->read(0, bytes);
  REQUIRE_FALSE(read);
  CHECK(read.error().message == path.string() + " ends at byte 4, 6 bytes were expected there: the file was cut");
  fs::remove_all(path.parent_path());
}

TEST_CASE("SHA-256 of 'abc' and of the empty text are those of FIPS 180-4") {
  const std::string abc = "abc";
  CHECK(to_hex(sha256(std::as_bytes(std::span(abc)))) ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(to_hex(sha256({})) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  const fs::path path = scratch("abc");
  std::ofstream(path) << abc;
  const auto of_file = sha256_file(path);
  REQUIRE(of_file);
  CHECK(to_hex(*of_file) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  fs::remove_all(path.parent_path());
}
