// Row 13 of what may be wrong with a file: the header against itself and the file's size. Expected texts by hand.
#include "model_folder.hpp"

#include <catch2/catch.hpp>

using namespace safetensors_test;

namespace {

constexpr const char* kTwo =
    R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F16","shape":[1,3],"data_offsets":[8,14]}})";

std::string tensor(std::string_view fields) { return std::string(R"({"t":{)").append(fields) + "}}"; }

}  // namespace

TEST_CASE("tensors come in the order of their data, with their shapes and bytes") {
  ModelFolder folder;
  folder.write("model.safetensors", safetensors(std::string(kTwo) + "   ", "01234567abcdef"));
  const auto model = folder.open();
  REQUIRE(model);
  REQUIRE(model->tensors().size() == 2);
  const auto* b = model->tensor("b");
  REQUIRE(b != nullptr);
  CHECK(b->shape.dtype == TENON_F16);
  CHECK(b->shape.rank == 2);
  CHECK(b->shape.dims[1] == 3);
  std::string bytes(6, '\0');
  REQUIRE(model->read(*b, std::as_writable_bytes(std::span(bytes))));
  CHECK(bytes == "abcdef");
}

TEST_CASE("a scalar is a tensor of one element, and metadata of texts is passed over") {
  ModelFolder folder;
  folder.write("model.safetensors",
               safetensors(R"({"__metadata__":{"format":"pt"},"s":{"dtype":"I64","shape":[],"data_offsets":[0,8]}})",
                           "01234567"));
  const auto model = folder.open();
  REQUIRE(model);
  CHECK(model->tensor("s")->shape.rank == 1);
  CHECK(model->tensor("s")->shape.dims[0] == 1);
}

TEST_CASE("a file that is none, or whose header cannot be, is refused with the numbers") {
  struct Case {
    std::string file, refusal;
  };
  const std::string front = "model.safetensors: ";
  for (const Case& each : {
           Case{"", "too small to be a model: 0 bytes; download it again"},
           Case{"abc", "too small to be a model: 3 bytes; download it again"},
           Case{"version https://git-lfs.github.com/spec/v1\noid sha256:1\n",
                "a Git-LFS pointer, not the model itself: download it again, with `git lfs pull` or from the file's "
                "download link"},
           Case{"<!DOCTYPE html><html></html>",
                "an HTML page, not a model (a login or error page was saved in its place): download it again"},
           Case{safetensors("{}", "", 100'000'001),
                "the header's length is 100000001 bytes, at most 100000000 are taken: no safetensors file, or damaged"},
           Case{safetensors("{}", "", UINT64_MAX),
                "the header's length is 18446744073709551615 bytes, at most 100000000 are taken: no safetensors file, "
                "or "
                "damaged"},
           Case{safetensors("{}", "", 3), "the header's length is 3 bytes, the file has 2 left; download it again"},
           Case{safetensors("[]", ""), "the header starts with '[]', expected '{'"},
       }) {
    CHECK(refusal_of(each.file) == front + each.refusal);
  }
}

TEST_CASE("a header that is no JSON, no UTF-8, or has a key twice is refused with the place") {
  CHECK_THAT(refusal_of(safetensors("{\"a\":", "")),
             Catch::StartsWith("model.safetensors: the header: no valid JSON at byte "));
  CHECK_THAT(refusal_of(safetensors("{\"\xFF\":1}", "")), Catch::Contains("the header: no valid JSON at byte 3"));
  CHECK(refusal_of(safetensors(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                               R"("a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                               "01234567")) == "model.safetensors: the header: key 'a' appears twice");
  CHECK(refusal_of(safetensors(tensor(R"("dtype":"F32","dtype":"F16","shape":[1],"data_offsets":[0,4])"), "0123")) ==
        "model.safetensors: the header: key 'dtype' appears twice");
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "{\"a\":";
  CHECK(refusal_of(safetensors(deep, "")) == "model.safetensors: the header: nested deeper than 64 levels");
  CHECK(refusal_of(safetensors(R"({"__metadata__":{"a":1}})", "")) ==
        "model.safetensors: '__metadata__' must be a map of texts");
}

TEST_CASE("a tensor whose fields do not fit each other or the file is refused by its name") {
  struct Case {
    std::string fields, refusal;
  };
  const std::string wrong_map = "expected a map of 'dtype' (text), 'shape' (list) and 'data_offsets' (two numbers)";
  for (const Case& each : {
           Case{R"("dtype":"F32","shape":[1])", wrong_map},
           Case{R"("dtype":"F32","shape":[1],"data_offsets":[0,4],"more":1)", wrong_map},
           Case{R"("dtype":1,"shape":[1],"data_offsets":[0,4])", wrong_map},
           Case{R"("dtype":"F32","shape":[1],"data_offsets":[0,4,8])", wrong_map},
           Case{R"("dtype":"F8_E4M3","shape":[4],"data_offsets":[0,4])",
                "dtype 'F8_E4M3' is not supported; supported: F32, F16, BF16, I32, I64, U8"},
           Case{R"("dtype":"F32","shape":[-1],"data_offsets":[0,4])",
                "the dimensions of 'shape' must be whole numbers from 0 on"},
           Case{R"("dtype":"F32","shape":[0],"data_offsets":[0,0])", "a dimension is 0"},
           Case{R"("dtype":"F32","shape":[1,1,1,1,1],"data_offsets":[0,4])", "5 dimensions, expected at most 4"},
           Case{R"("dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4])",
                "the product of the dimensions passes 2^62 bytes"},
           Case{R"("dtype":"F32","shape":[1],"data_offsets":[4,0])", "its data ends at 0, before its begin at 4"},
           Case{R"("dtype":"F32","shape":[2],"data_offsets":[0,8])",
                "its data ends at 8, the file has 4 bytes of data; download it again"},
           Case{R"("dtype":"F32","shape":[1],"data_offsets":[0,18446744073709551615])",
                "its data ends at 18446744073709551615, the file has 4 bytes of data; download it again"},
           Case{R"("dtype":"F16","shape":[1],"data_offsets":[0,4])",
                "F16 of shape [1] takes 2 bytes, its offsets 0 and 4 hold 4"},
           Case{R"("dtype":"F32","shape":[1],"data_offsets":[0.5,4])",
                "the numbers of 'data_offsets' must be whole numbers from 0 on"},
       }) {
    CHECK(refusal_of(safetensors(tensor(each.fields), "0123")) == "model.safetensors: tensor 't': " + each.refusal);
  }
}

TEST_CASE("tensors that overlap, leave a hole or end before the file are refused") {
  const auto two = [](std::string_view a, std::string_view b) {
    return std::string(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":)").append(a) +
           R"(},"b":{"dtype":"F32","shape":[1],"data_offsets":)" + std::string(b) + "}}";
  };
  CHECK(refusal_of(safetensors(two("[0,4]", "[2,6]"), "01234567")) ==
        "model.safetensors: tensor 'b' at offset 2 overlaps tensor 'a', which ends at 4");
  CHECK(
      refusal_of(safetensors(two("[0,4]", "[5,9]"), "012345678")) ==
      "model.safetensors: a hole of 1 bytes before tensor 'b' at offset 5: every byte of data must belong to a tensor");
  CHECK(
      refusal_of(safetensors(two("[1,5]", "[5,9]"), "012345678")) ==
      "model.safetensors: a hole of 1 bytes before tensor 'a' at offset 1: every byte of data must belong to a tensor");
  const std::string header = two("[0,4]", "[4,8]");
  const size_t end = 8 + header.size() + 8;
  CHECK(refusal_of(safetensors(header, "0123456789")) ==
        "model.safetensors: 2 bytes behind the last tensor: " + std::to_string(end) + " bytes expected, " +
            std::to_string(end + 2) + " present");
}

TEST_CASE("any single bit that is wrong in a header is refused or read, and nothing else happens") {
  const std::string good = safetensors(kTwo, "01234567abcdef");
  ModelFolder folder;
  for (size_t at = 0; at < 8 + std::string_view(kTwo).size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
      folder.write("model.safetensors", bad);
      const auto model = folder.open();
      if (!model) CHECK(!model.error().message.empty());
    }
  }
}
