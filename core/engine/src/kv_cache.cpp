#include <tenon/engine/kv_cache.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstring>

namespace tenon {

KvCache::KvCache(std::span<const uint64_t> layer_page_bytes, int64_t n_pages, int64_t page_tokens)
    : page_tokens_(page_tokens),
      layer_page_bytes_(layer_page_bytes.begin(), layer_page_bytes.end()),
      references_(static_cast<size_t>(n_pages), 0) {
  for (const uint64_t bytes : layer_page_bytes_) {
    buffers_.emplace_back(bytes * static_cast<uint64_t>(n_pages));
    layers_.push_back(buffers_.back().data());
  }
  for (int64_t page = n_pages; page-- > 0;) free_.push_back(static_cast<int32_t>(page));
}

int32_t KvCache::take_page() {
  const int32_t page = free_.back();
  free_.pop_back();
  references_[static_cast<size_t>(page)] = 1;
  return page;
}

void KvCache::drop_page(int32_t page) {
  uint32_t& references = references_[static_cast<size_t>(page)];
  assert(references > 0);
  if (--references == 0) free_.push_back(page);
}

Result<void> KvCache::reserve(PageTable& table, int64_t n_positions) {
  const int64_t have = static_cast<int64_t>(table.pages.size());
  const int64_t need = std::max(pages_for(n_positions), have);
  // The page that holds the last position so far is written next, unless it is full.
  const bool writes_last = n_positions > table.n_positions && table.n_positions % page_tokens_ != 0;
  const bool copies_last = writes_last && references_[static_cast<size_t>(table.pages.back())] > 1;
  const int64_t wanted = need - have + (copies_last ? 1 : 0);
  if (wanted > n_free()) {
    return Error{TENON_LIMIT,
                 fmt::format("the kv cache is full: {} pages of {} tokens are in use, {} more are needed; raise "
                             "runtime.context or run fewer sequences",
                             n_pages() - n_free(), page_tokens_, wanted)};
  }
  if (copies_last) {
    const int32_t shared = table.pages.back();
    const int32_t own = take_page();
    for (size_t layer = 0; layer < layers_.size(); ++layer) {
      const uint64_t bytes = layer_page_bytes_[layer];
      std::memcpy(layers_[layer] + bytes * static_cast<uint64_t>(own),
                  layers_[layer] + bytes * static_cast<uint64_t>(shared), bytes);
    }
    drop_page(shared);
    table.pages.back() = own;
  }
  while (static_cast<int64_t>(table.pages.size()) < need) table.pages.push_back(take_page());
  table.n_positions = std::max(table.n_positions, n_positions);
  return {};
}

PageTable KvCache::fork(const PageTable& table) {
  for (const int32_t page : table.pages) ++references_[static_cast<size_t>(page)];
  return table;
}

void KvCache::rewind(PageTable& table, int64_t n_positions) {
  const auto keep = static_cast<size_t>(pages_for(n_positions));
  while (table.pages.size() > keep) {
    drop_page(table.pages.back());
    table.pages.pop_back();
  }
  table.n_positions = std::min(table.n_positions, n_positions);
}

}  // namespace tenon
