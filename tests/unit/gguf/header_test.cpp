// What a file must be before a single key is read. Expected texts and numbers: by hand from the bytes of each file.
#include "gguf_builder.hpp"
#include "gguf_plugin.hpp"

#include <catch2/catch.hpp>

using namespace gguf_test;

TEST_CASE("an empty file and one of three bytes are too small to be a model") {
  CHECK(refusal_of("") == "too small to be a model: 0 bytes, the GGUF header alone has 24; download it again");
  CHECK(refusal_of("GGU") == "too small to be a model: 3 bytes, the GGUF header alone has 24; download it again");
  CHECK(refusal_of(small_model().build().substr(0, 23)) ==
        "too small to be a model: 23 bytes, the GGUF header alone has 24; download it again");
}

TEST_CASE("an HTML page called .gguf is called one") {
  const std::string expected =
      "an HTML page, not a model (a login or error page was saved in its place): download it again from the file's "
      "download link";
  CHECK(refusal_of("<!DOCTYPE html>\n<html><body>Sign in</body></html>\n") == expected);
  CHECK(refusal_of("\xEF\xBB\xBF\n  <HTML lang=en>") == expected);
}

TEST_CASE("a Git-LFS pointer called .gguf is called one") {
  CHECK(refusal_of("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 98362432\n") ==
        "a Git-LFS pointer, not the model itself: download it again, with `git lfs pull` or from the file's download "
        "link");
}

TEST_CASE("another kind of file is told by what it starts with") {
  CHECK(refusal_of("{\"error\": \"not found\"}") ==
        "a JSON text, not a model (perhaps a saved error message): download it again");
  CHECK(refusal_of("tjgg\x01") == "a GGML file from before GGUF; convert the model to GGUF version 3");
  CHECK(refusal_of("PK\x03\x04...") == "a zip archive (perhaps PyTorch weights), expected a GGUF file");
  CHECK(refusal_of("\x7f"
                   "ELF\x02") == "no GGUF file: it starts with '\\x7fELF', expected 'GGUF'");
}

TEST_CASE("versions other than 2 and 3 are named together with the supported ones") {
  GgufBuilder builder = small_model();
  builder.version = 1;
  CHECK(refusal_of(builder.build()) == "GGUF version 1; supported: 2, 3; convert the model again");
  builder.version = 99;
  CHECK(refusal_of(builder.build()) == "GGUF version 99; supported: 2, 3; convert the model again");
  builder.version = 0x03000000;
  CHECK(refusal_of(builder.build()) ==
        "byte-swapped (big-endian) GGUF version 3; only little-endian files are read, supported: 2, 3; convert the "
        "model again");
}

TEST_CASE("versions 2 and 3 are read") {
  GgufBuilder builder = small_model();
  CHECK(refusal_of(builder.build()) == "");
  builder.version = 2;
  CHECK(refusal_of(builder.build()) == "");
}

TEST_CASE("counts that the file cannot hold are refused before anything is allocated for them") {
  // small_model: 24 bytes of header, then what is left. A pair takes 14 bytes or more, an entry 33.
  GgufBuilder builder = small_model();
  const auto left = std::to_string(builder.build().size() - 24);
  builder.n_values = uint64_t{1} << 63;
  CHECK(refusal_of(builder.build()) == "number of keys 9223372036854775808: length exceeds " + left + " bytes left");

  GgufBuilder empty;
  empty.n_tensors = uint64_t{1} << 63;
  CHECK(refusal_of(empty.build()) == "number of tensors 9223372036854775808: length exceeds 0 bytes left");
}

TEST_CASE("a missing file, a folder and a device are refused") {
  const Folder folder;
  CHECK(refusal(folder.path("none.gguf")) == "cannot open: No such file or directory");
  CHECK(refusal(folder.path("")) == "is a directory, expected a GGUF file");
  CHECK(refusal("/dev/null") == "is a device, pipe or socket, expected a GGUF file");
}

TEST_CASE("a long path keeps its end in the message") {
  const Folder folder;
  const std::string name = std::string(200, 'd') + "/m.gguf";
  std::filesystem::create_directory(folder.path(std::string(200, 'd')));
  const std::string path = folder.write(name, "GGU");
  CHECK(refusal(path) == "..." + path.substr(path.size() - 160) +
                             ": too small to be a model: 3 bytes, the GGUF header alone has 24; download it again");
}

TEST_CASE("a file is recognized by its magic or its ending") {
  const tenon_format_api& format = gguf_format();
  const auto recognizes = [&](std::string_view path, std::string_view first) {
    return format.recognizes(format.self, tenon::str(path), first.data(), first.size());
  };
  CHECK(recognizes("model.bin", "GGUF\x03") == 1);
  CHECK(recognizes("model.gguf", "<html") == 1);
  CHECK(recognizes("model.gguf", "") == 1);
  CHECK(recognizes("model.safetensors", "\x10") == 0);
  CHECK(recognizes("folder", "") == 0);
  CHECK(std::string(format.name) == "gguf");
}
