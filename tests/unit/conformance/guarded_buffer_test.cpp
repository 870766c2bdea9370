#include <conformance/guarded_buffer.hpp>
#include <conformance/row_buffer.hpp>

#include <catch2/catch.hpp>

#include <cstdint>
#include <cstring>

using namespace tenon;
using namespace tenon::conformance;

TEST_CASE("a guarded buffer is aligned, filled, and ends less than its alignment before a page's end") {
  for (const size_t bytes : {0, 1, 60, 64, 100, 4096, 5000}) {
    for (const size_t alignment : {1, 64, 4096}) {
      const GuardedBuffer buffer(bytes, std::byte{0x5A}, "it", alignment);
      const auto start = reinterpret_cast<uintptr_t>(buffer.data()), end = start + bytes;
      CHECK(start % alignment == 0);
      CHECK((4096 - end % 4096) % 4096 < alignment);
      CHECK(buffer.size() == bytes);
      for (size_t i = 0; i < bytes; ++i) REQUIRE(buffer.data()[i] == std::byte{0x5A});
      CHECK(buffer.overrun().empty());
    }
  }
}

TEST_CASE("a byte before or behind a guarded buffer is told") {
  GuardedBuffer buffer(60, std::byte{0}, "the workspace");
  buffer.data()[-3] = std::byte{1};
  CHECK(buffer.overrun() == "it wrote 3 bytes before the start of the workspace");
  GuardedBuffer other(60, std::byte{0}, "the workspace");
  other.data()[61] = std::byte{1};
  CHECK(other.overrun() == "it wrote byte 61 of the workspace, which has 60");
}

TEST_CASE("rows are kept apart, and a write between them is told") {
  const Rows rows(3, {1, 2, 3, 4, 5, 6});
  RowBuffer buffer(3, 2, DType::f32, "output 0");
  buffer.set(rows);
  CHECK(buffer.get().values == rows.values);
  CHECK(buffer.overrun().empty());
  const tenon_buffer view = buffer.view();
  CHECK(view.ld % 16 == 0);
  static_cast<float*>(view.data)[view.ld + 2] = 7;
  CHECK(buffer.overrun() == "it wrote behind the end of row 1 of output 0");
}
