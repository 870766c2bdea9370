// Models in several files. Names and keys as llama.cpp's gguf-split writes them; expected texts by hand.
#include "gguf_builder.hpp"
#include "gguf_plugin.hpp"

#include <catch2/catch.hpp>

using namespace gguf_test;

namespace {

struct Part {
  std::string file;
  uint16_t number, count;
  std::string tensor;  // "": none
};

GgufBuilder built(const Part& part, int32_t n_tensors) {
  GgufBuilder b;
  if (part.number == 0) b.text("general.architecture", "llama");
  b.number<uint16_t>("split.no", kU16, part.number).number<uint16_t>("split.count", kU16, part.count);
  b.number<int32_t>("split.tensors.count", kI32, n_tensors);
  if (!part.tensor.empty()) b.tensor(part.tensor, {4}, kTensorF32, 16);
  return b;
}

/// What opening `open` says in a folder with these parts.
std::string refusal_of_parts(const std::vector<Part>& parts, const std::string& open, int32_t n_tensors = 3) {
  const Folder folder;
  for (const Part& part : parts) folder.write(part.file, built(part, n_tensors).build());
  return refusal(folder.path(open));
}

const Part kFirst{"m-00001-of-00003.gguf", 0, 3, "a"};
const Part kSecond{"m-00002-of-00003.gguf", 1, 3, "b"};
const Part kThird{"m-00003-of-00003.gguf", 2, 3, "c"};

}  // namespace

TEST_CASE("a model in three files has the metadata of the first and the tensors of all") {
  const Folder folder;
  GgufBuilder second;  // its data starts elsewhere than in the others
  second.number<uint16_t>("split.no", kU16, 1).number<uint16_t>("split.count", kU16, 3).text("x", std::string(99, 'x'));
  second.tensor("b", {4}, kTensorF32, 16).tensor("b2", {2}, kTensorF32, 8);
  folder.write(kFirst.file, built({kFirst.file, 0, 3, ""}, 3).build());
  folder.write(kSecond.file, second.build());
  folder.write(kThird.file, built(kThird, 3).build());
  const OpenedModel model(gguf_format(), folder.path(kFirst.file));
  REQUIRE(model.message() == "");
  CHECK(model.n_values() == 4);
  REQUIRE(model.n_tensors() == 3);
  CHECK(tenon::view(model.tensor(1).name) == "b2");
  // The builder's pattern: byte i of tensor t of a file is 7 i + t.
  CHECK(model.bytes(1) == std::string("\x01\x08\x0f\x16\x1d\x24\x2b\x32"));
  CHECK(model.bytes(2).substr(0, 4) == std::string("\0\x07\x0e\x15", 4));
}

TEST_CASE("a missing part is named") {
  CHECK(refusal_of_parts({kFirst, kThird}, kFirst.file) ==
        "file 2 of 3, m-00002-of-00003.gguf is missing: all files of a split model must be in one folder");
}

TEST_CASE("a broken part is named") {
  const Folder folder;
  folder.write(kFirst.file, built(kFirst, 3).build());
  folder.write(kSecond.file, "<html>");
  CHECK(refusal(folder.path(kFirst.file)) ==
        "file 2 of 3, m-00002-of-00003.gguf: an HTML page, not a model (a login or error page was saved in its "
        "place): download it again from the file's download link");
}

TEST_CASE("opening a part other than the first names the first") {
  CHECK(refusal_of_parts({kFirst, kSecond, kThird}, kSecond.file) ==
        "file 2 of 3 of a split model: open the first, m-00001-of-00003.gguf");
}

TEST_CASE("a part with a wrong split number is named") {
  CHECK(refusal_of_parts({kFirst, {kSecond.file, 2, 3, "b"}, kThird}, kFirst.file) ==
        "file 2 of 3, m-00002-of-00003.gguf: its keys say 'split.no' 2 and 'split.count' 3, expected 1 and 3: it "
        "belongs to another model or place");
  CHECK(refusal_of_parts({kFirst, {kSecond.file, 1, 4, "b"}, kThird}, kFirst.file) ==
        "file 2 of 3, m-00002-of-00003.gguf: its keys say 'split.no' 1 and 'split.count' 4, expected 1 and 3: it "
        "belongs to another model or place");
  CHECK(refusal_of_parts({{kFirst.file, 3, 3, "a"}}, kFirst.file) ==
        "key 'split.no' is 3, expected less than 'split.count', which is 3");
}

TEST_CASE("a split file under another name is refused with the name it must have") {
  CHECK(refusal_of_parts({{"renamed.gguf", 0, 3, "a"}}, "renamed.gguf") ==
        "file 1 of 3 of a split model by its key 'split.no', but its name does not end in '-00001-of-00003.gguf': "
        "give the files their names back");
}

TEST_CASE("a tensor in two parts is named with both files") {
  CHECK(refusal_of_parts({kFirst, kSecond, {kThird.file, 2, 3, "a"}}, kFirst.file) ==
        "tensor 'a' is in m-00001-of-00003.gguf and in m-00003-of-00003.gguf");
}

TEST_CASE("parts with another number of tensors than announced are refused") {
  CHECK(refusal_of_parts({kFirst, kSecond, kThird}, kFirst.file, 4) ==
        "key 'split.tensors.count' is 4, but the 3 files have 3 tensors");
}

TEST_CASE("a split key of a wrong type is named") {
  GgufBuilder b;
  b.text("split.count", "3");
  CHECK(refusal_of(b.build()) == "key 'split.count' is string '3', expected a whole number from 0 to 65535");
  CHECK(refusal_of(GgufBuilder().number<int32_t>("split.count", kI32, -3).build()) ==
        "key 'split.count' is i32 -3, expected a whole number from 0 to 65535");
}

TEST_CASE("a model split into one file needs no special name") {
  CHECK(refusal_of_parts({{"one.gguf", 0, 1, "a"}}, "one.gguf", 1) == "");
}
