#include <tenon/engine/kv_cache.hpp>

#include <catch2/catch.hpp>

#include <cstring>
#include <random>
#include <set>

using namespace tenon;

namespace {

KvCache small_cache(int64_t n_pages) {
  const std::vector<uint64_t> layer_bytes{64, 128};
  return KvCache(layer_bytes, n_pages, 16);
}

}  // namespace

TEST_CASE("a sequence gets one page for each 16 positions begun") {
  KvCache cache = small_cache(8);
  PageTable table;
  REQUIRE(cache.reserve(table, 1));
  CHECK(table.pages.size() == 1);
  REQUIRE(cache.reserve(table, 16));
  CHECK(table.pages.size() == 1);
  REQUIRE(cache.reserve(table, 17));
  CHECK(table.pages.size() == 2);
  cache.release(table);
  CHECK(cache.n_free() == 8);
}

TEST_CASE("a full cache refuses and leaves the table as it was") {
  KvCache cache = small_cache(2);
  PageTable table;
  REQUIRE(cache.reserve(table, 20));
  const auto refused = cache.reserve(table, 33);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == TENON_LIMIT);
  CHECK(refused.error().message ==
        "the kv cache is full: 2 pages of 16 tokens are in use, 1 more are needed; raise runtime.context or run fewer "
        "sequences");
  CHECK(table.pages.size() == 2);
  CHECK(table.n_positions == 20);
}

TEST_CASE("a fork shares pages, and a shared page is copied before it is written") {
  KvCache cache = small_cache(8);
  PageTable first;
  REQUIRE(cache.reserve(first, 20));
  for (size_t layer = 0; layer < 2; ++layer) {
    const size_t bytes = layer == 0 ? 64 : 128;
    std::memset(cache.layers()[layer] + bytes * static_cast<size_t>(first.pages[1]), 7, bytes);
  }
  PageTable second = cache.fork(first);
  CHECK(cache.n_free() == 6);
  REQUIRE(cache.reserve(second, 21));
  CHECK(cache.n_free() == 5);
  CHECK(second.pages[0] == first.pages[0]);
  CHECK(second.pages[1] != first.pages[1]);
  for (size_t layer = 0; layer < 2; ++layer) {
    const size_t bytes = layer == 0 ? 64 : 128;
    CHECK(std::memcmp(cache.layers()[layer] + bytes * static_cast<size_t>(second.pages[1]),
                      cache.layers()[layer] + bytes * static_cast<size_t>(first.pages[1]), bytes) == 0);
  }
  cache.release(first);
  cache.release(second);
  CHECK(cache.n_free() == 8);
}

TEST_CASE("a full shared page is not copied: nothing is written into it again") {
  KvCache cache = small_cache(8);
  PageTable first;
  REQUIRE(cache.reserve(first, 16));
  PageTable second = cache.fork(first);
  REQUIRE(cache.reserve(second, 17));
  CHECK(second.pages[0] == first.pages[0]);
  CHECK(cache.n_free() == 6);
}

TEST_CASE("10,000 random appends, forks, rewinds and releases lose no page and give none twice") {
  KvCache cache = small_cache(64);
  std::vector<PageTable> tables;
  std::mt19937 random(1);
  for (int i = 0; i < 10000; ++i) {
    const uint32_t action = random() % 4;
    if (action == 0 || tables.empty()) {
      tables.emplace_back();
    } else {
      PageTable& table = tables[random() % tables.size()];
      if (action == 1) static_cast<void>(cache.reserve(table, table.n_positions + random() % 40));
      if (action == 2) tables.push_back(cache.fork(table));
      if (action == 3) cache.rewind(table, static_cast<int64_t>(random()) % (table.n_positions + 1));
    }
    if (tables.size() > 12) {
      cache.release(tables.front());
      tables.erase(tables.begin());
    }
    std::set<int32_t> in_use;
    for (const PageTable& table : tables) in_use.insert(table.pages.begin(), table.pages.end());
    REQUIRE(static_cast<int64_t>(in_use.size()) + cache.n_free() == 64);
  }
  for (PageTable& table : tables) cache.release(table);
  CHECK(cache.n_free() == 64);
}
