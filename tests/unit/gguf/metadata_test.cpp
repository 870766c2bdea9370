// Keys and values. Expected texts and numbers: by hand from the bytes of each file.
#include "gguf_builder.hpp"
#include "gguf_plugin.hpp"

#include <catch2/catch.hpp>

#include <limits>

using namespace gguf_test;

namespace {

std::string array_header(uint32_t element_type, uint64_t count) {
  std::string bytes;
  put(bytes, element_type);
  put(bytes, count);
  return bytes;
}

std::string of_alignment(uint32_t type, std::string_view bytes) {
  return refusal_of(GgufBuilder().raw("general.alignment", type, bytes).build());
}

std::string u32_bytes(uint32_t value) {
  std::string bytes;
  put(bytes, value);
  return bytes;
}

template <class T>
std::vector<T> numbers(const tenon_value& value) {
  const T* first = static_cast<const T*>(value.numbers);
  return {first, first + value.count};
}

}  // namespace

TEST_CASE("scalars of every type arrive widened") {
  GgufBuilder b;
  b.number<uint8_t>("u8", kU8, 255).number<int8_t>("i8", kI8, -128).number<uint16_t>("u16", kU16, 65535);
  b.number<int16_t>("i16", kI16, -32768).u32("u32", 4294967295U).number<int32_t>("i32", kI32, -2147483647);
  b.number<uint64_t>("u64", kU64, std::numeric_limits<uint64_t>::max()).number<int64_t>("i64", kI64, -5);
  b.number<float>("f32", kF32, 0.25F).number<double>("f64", kF64, 1e300).number<uint8_t>("bool", kBool, 1);
  b.text("text", std::string_view("a\0b", 3));
  const Folder folder;
  const OpenedModel model(gguf_format(), folder.write("m.gguf", b.build()));
  REQUIRE(model.message() == "");
  REQUIRE(model.n_values() == 12);
  for (const auto& [key, expected] : std::map<std::string, uint64_t>{
           {"u8", 255}, {"u16", 65535}, {"u32", 4294967295}, {"u64", std::numeric_limits<uint64_t>::max()}}) {
    CHECK(model.value(key).type == TENON_VALUE_UINT);
    CHECK(model.value(key).u == expected);
  }
  for (const auto& [key, expected] :
       std::map<std::string, int64_t>{{"i8", -128}, {"i16", -32768}, {"i32", -2147483647}, {"i64", -5}}) {
    CHECK(model.value(key).type == TENON_VALUE_INT);
    CHECK(model.value(key).i == expected);
  }
  CHECK(model.value("f32").type == TENON_VALUE_FLOAT);
  CHECK(model.value("f32").f == 0.25);
  CHECK(model.value("f64").f == 1e300);
  CHECK(model.value("bool").type == TENON_VALUE_BOOL);
  CHECK(model.value("bool").u == 1);
  CHECK(model.value("text").type == TENON_VALUE_STRING);
  CHECK(tenon::view(model.value("text").s) == std::string_view("a\0b", 3));
}

TEST_CASE("arrays of every element type arrive widened to 64 bits") {
  GgufBuilder b;
  b.array<uint8_t>("u8", kU8, {0, 255}).array<uint16_t>("u16", kU16, {1, 65535}).array<uint32_t>("u32", kU32, {7});
  b.array<uint64_t>("u64", kU64, {std::numeric_limits<uint64_t>::max()}).array<int8_t>("i8", kI8, {-1, 2});
  b.array<int16_t>("i16", kI16, {-300}).array<int32_t>("i32", kI32, {-70000, 3}).array<int64_t>("i64", kI64, {-9});
  b.array<float>("f32", kF32, {0.5F, -2.0F}).array<double>("f64", kF64, {1e-300}).array<uint8_t>("bool", kBool, {1, 0});
  b.array<std::string>("text", kString, {"", "x", "yz"}).array<float>("none", kF32, {});
  const Folder folder;
  const OpenedModel model(gguf_format(), folder.write("m.gguf", b.build()));
  REQUIRE(model.message() == "");
  CHECK(numbers<uint64_t>(model.value("u8")) == std::vector<uint64_t>{0, 255});
  CHECK(numbers<uint64_t>(model.value("u16")) == std::vector<uint64_t>{1, 65535});
  CHECK(numbers<uint64_t>(model.value("u32")) == std::vector<uint64_t>{7});
  CHECK(numbers<uint64_t>(model.value("u64")) == std::vector<uint64_t>{std::numeric_limits<uint64_t>::max()});
  CHECK(numbers<int64_t>(model.value("i8")) == std::vector<int64_t>{-1, 2});
  CHECK(numbers<int64_t>(model.value("i16")) == std::vector<int64_t>{-300});
  CHECK(numbers<int64_t>(model.value("i32")) == std::vector<int64_t>{-70000, 3});
  CHECK(numbers<int64_t>(model.value("i64")) == std::vector<int64_t>{-9});
  CHECK(numbers<double>(model.value("f32")) == std::vector<double>{0.5, -2.0});
  CHECK(numbers<double>(model.value("f64")) == std::vector<double>{1e-300});
  CHECK(numbers<uint64_t>(model.value("bool")) == std::vector<uint64_t>{1, 0});
  CHECK(model.value("bool").element_type == TENON_VALUE_BOOL);
  CHECK(model.value("u8").element_type == TENON_VALUE_UINT);
  CHECK(model.value("i8").element_type == TENON_VALUE_INT);
  CHECK(model.value("f32").element_type == TENON_VALUE_FLOAT);
  CHECK(model.value("none").type == TENON_VALUE_ARRAY);
  CHECK(model.value("none").count == 0);
  const tenon_value text = model.value("text");
  CHECK(text.element_type == TENON_VALUE_STRING);
  REQUIRE(text.count == 3);
  CHECK(tenon::view(text.strings[0]).empty());
  CHECK(tenon::view(text.strings[2]) == "yz");
}

TEST_CASE("an array of 150,000 strings keeps every one of them") {
  std::vector<std::string> tokens;
  for (int i = 0; i < 150000; ++i) tokens.push_back("token" + std::to_string(i));
  const Folder folder;
  const OpenedModel model(gguf_format(),
                          folder.write("m.gguf", GgufBuilder().array("tokens", kString, tokens).build()));
  const tenon_value value = model.value("tokens");
  REQUIRE(value.count == 150000);
  bool same = true;
  for (size_t i = 0; i < tokens.size(); ++i) same = same && tenon::view(value.strings[i]) == tokens[i];
  CHECK(same);
}

TEST_CASE("a string of 2^60 bytes in a small file is refused by its length") {
  std::string bytes;
  put<uint64_t>(bytes, uint64_t{1} << 60);
  bytes += std::string(1000, 'x');
  CHECK(refusal_of(GgufBuilder().raw("k", kString, bytes).build()) ==
        "key 'k': string length 1152921504606846976: length exceeds 1000 bytes left");
}

TEST_CASE("an array of 2^63 elements is refused by its length") {
  const uint64_t count = uint64_t{1} << 63;
  CHECK(refusal_of(GgufBuilder().raw("k", kArray, array_header(kU8, count) + "12345").build()) ==
        "key 'k': array of u8, count 9223372036854775808: length exceeds 5 bytes left");
  // 2^61 * 8 wraps to 0.
  CHECK(refusal_of(GgufBuilder().raw("k", kArray, array_header(kF64, uint64_t{1} << 61) + "12345").build()) ==
        "key 'k': array of f64, count 2305843009213693952: length exceeds 5 bytes left");
  CHECK(refusal_of(GgufBuilder().raw("k", kArray, array_header(kString, 2) + std::string(15, '\0')).build()) ==
        "key 'k': array of string, count 2: length exceeds 15 bytes left");
}

TEST_CASE("a sparse file cannot make the reader take more than 1 GiB for metadata") {
  const Folder folder;
  // 2^27 + 1 elements of u8 would be widened to 1 GiB and 8 bytes.
  const uint64_t count = (uint64_t{1} << 27) + 1;
  const std::string path = folder.write("m.gguf", GgufBuilder().raw("k", kArray, array_header(kU8, count)).build());
  std::filesystem::resize_file(path, uint64_t{4} << 30);
  CHECK(refusal(path) == "key 'k': the metadata takes more memory than the 1073741824 bytes that are allowed");
  std::string length;
  put<uint64_t>(length, (uint64_t{1} << 30) + 1);
  folder.write("m.gguf", GgufBuilder().raw("k", kString, length).build());
  std::filesystem::resize_file(path, uint64_t{4} << 30);
  CHECK(refusal(path) == "key 'k': string length 1073741825: at most 1073741824 bytes are taken");
}

TEST_CASE("nested arrays, unknown types and bad bools are refused") {
  CHECK(refusal_of(GgufBuilder().raw("k", kArray, array_header(kArray, 1) + array_header(kU8, 0)).build()) ==
        "key 'k': an array of arrays, expected an array of numbers or strings");
  CHECK(refusal_of(GgufBuilder().raw("k", 13, "?").build()) == "key 'k': value type 13, expected 0 (u8) to 12 (f64)");
  CHECK(refusal_of(GgufBuilder().raw("k", kArray, array_header(77, 0)).build()) ==
        "key 'k': array: value type 77, expected 0 (u8) to 12 (f64)");
  CHECK(refusal_of(GgufBuilder().number<uint8_t>("k", kBool, 2).build()) == "key 'k': a bool is 2, expected 0 or 1");
  CHECK(refusal_of(GgufBuilder().array<uint8_t>("k", kBool, {0, 1, 9}).build()) ==
        "key 'k': a bool is 9, expected 0 or 1");
}

TEST_CASE("an alignment that is no u32 power of two is named with its type and value") {
  const std::string rule = ", expected a u32 that is a power of two";
  CHECK(of_alignment(kU32, u32_bytes(0)) == "key 'general.alignment' is u32 0" + rule);
  CHECK(of_alignment(kU32, u32_bytes(3)) == "key 'general.alignment' is u32 3" + rule);
  CHECK(of_alignment(kU64, u32_bytes(32) + u32_bytes(0)) == "key 'general.alignment' is u64 32" + rule);
  CHECK(of_alignment(kI32, u32_bytes(32)) == "key 'general.alignment' is i32 32" + rule);
  std::string text;
  put_string(text, "32\n");
  CHECK(of_alignment(kString, text) == "key 'general.alignment' is string '32\\x0a'" + rule);
}

TEST_CASE("an alignment in the metadata is used") {
  GgufBuilder b;
  b.alignment = 64;
  b.u32("general.alignment", 64);
  b.tensor("a", {1}, kTensorF32, 4).tensor("b", {2}, kTensorF32, 8);
  const Folder folder;
  const OpenedModel model(gguf_format(), folder.write("m.gguf", b.build()));
  REQUIRE(model.message() == "");
  // The builder's pattern: byte i of tensor t is 7 i + t.
  CHECK(model.bytes(1) == std::string("\x01\x08\x0f\x16\x1d\x24\x2b\x32"));
}

TEST_CASE("a repeated key is named with both places") {
  CHECK(refusal_of(GgufBuilder().u32("a", 1).u32("b", 2).u32("a", 1).build()) ==
        "key 'a' appears twice: as number 0 and as number 2");
}

TEST_CASE("keys are printable, not empty and at most 65535 bytes") {
  CHECK(refusal_of(GgufBuilder().u32("ok", 1).u32("", 2).build()) == "key number 1: an empty key");
  CHECK(refusal_of(GgufBuilder().u32("a\nb", 1).build()) ==
        "key number 0: 'a\\x0ab' is no key: keys are printable ASCII");
  CHECK(refusal_of(GgufBuilder().u32(std::string(65536, 'k'), 1).build()) ==
        "key number 0: string length 65536: at most 65535 bytes are taken");
}

TEST_CASE("a file that ends inside its metadata says where") {
  // 24 bytes of header, 8 + 1 of the key, 4 of the type, 2 of the value's 4.
  const std::string whole = GgufBuilder().u32("k", 1).build();
  CHECK(refusal_of(whole.substr(0, 39)) ==
        "key 'k': the file ends inside its header, at byte 39: 4 bytes were expected, 2 are present");
}
