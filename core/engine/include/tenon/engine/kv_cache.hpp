// Pages of keys and values: allocation, sharing and copying. What a page holds is the attention kernel's affair.
#pragma once

#include <tenon/base/buffer.hpp>
#include <tenon/result.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace tenon {

/// The pages of one sequence, for page_tokens positions each from position 0.
struct PageTable {
  std::vector<int32_t> pages;
  int64_t n_positions = 0;
};

/// A fixed pool. A page index stands for the same page in every layer. Pages may be shared by tables (fork) and are
/// copied before they are written (reserve). One thread at a time.
class KvCache {
 public:
  /// `layer_page_bytes`: bytes of one page for each layer.
  KvCache(std::span<const uint64_t> layer_page_bytes, int64_t n_pages, int64_t page_tokens);

  int64_t n_pages() const { return static_cast<int64_t>(references_.size()); }
  int64_t n_free() const { return static_cast<int64_t>(free_.size()); }
  int64_t page_tokens() const { return page_tokens_; }
  /// Base of each layer's pages.
  std::span<std::byte* const> layers() const { return layers_; }

  /// Makes positions [table.n_positions, n_positions) writable: new pages, and a copy of a shared last page. On failure
  /// (TENON_LIMIT: no page left) the table is as before.
  Result<void> reserve(PageTable& table, int64_t n_positions);
  /// A table that shares all pages of `table`.
  PageTable fork(const PageTable& table);
  /// Drops the positions from n_positions on.
  void rewind(PageTable& table, int64_t n_positions);
  void release(PageTable& table) { rewind(table, 0); }

 private:
  int64_t pages_for(int64_t n_positions) const { return (n_positions + page_tokens_ - 1) / page_tokens_; }
  int32_t take_page();
  void drop_page(int32_t page);

  int64_t page_tokens_;
  std::vector<uint64_t> layer_page_bytes_;
  std::vector<Buffer> buffers_;
  std::vector<std::byte*> layers_;
  std::vector<uint32_t> references_;  // per page
  std::vector<int32_t> free_;         // the page to take next is last
};

}  // namespace tenon
