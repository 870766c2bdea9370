#include "merger.hpp"

#include <algorithm>
#include <array>
#include <functional>

namespace tenon::spm {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

/// Where the symbol behind this one begins.
size_t end_of(const Merger::Symbol& symbol, const std::vector<Merger::Symbol>& symbols, std::string_view text) {
  return symbol.next == kNone ? text.size() : symbols[symbol.next].begin;
}

}  // namespace

size_t symbol_bytes(std::string_view rest) {
  // By the high four bits of the first byte.
  constexpr std::array<uint8_t, 16> kBytes{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4};
  return std::min<size_t>(kBytes[static_cast<uint8_t>(rest.front()) >> 4], rest.size());
}

void Merger::merge(std::string_view text, Scratch& scratch) const {
  scratch.ids.clear();
  if (text.empty()) return;
  take_symbols(text, scratch);
  join(text, scratch);
  const auto& symbols = scratch.symbols;
  for (uint32_t at = 0; at != kNone; at = symbols[at].next) {
    const Symbol& symbol = symbols[at];
    write(text.substr(symbol.begin, end_of(symbol, symbols, text) - symbol.begin), symbol.id, scratch.ids);
  }
}

void Merger::take_symbols(std::string_view text, Scratch& scratch) const {
  auto& symbols = scratch.symbols;
  symbols.clear();
  for (size_t begin = 0; begin < text.size(); begin += symbol_bytes(text.substr(begin))) {
    const auto at = static_cast<uint32_t>(symbols.size());
    symbols.push_back({static_cast<uint32_t>(begin), at + 1, at == 0 ? kNone : at - 1, -1, {}});
  }
  symbols.back().next = kNone;
}

/// What this symbol and the next would make.
void Merger::look_up(std::string_view text, uint32_t at, std::vector<Symbol>& symbols) const {
  Symbol& symbol = symbols[at];
  symbol.joined = {};
  if (symbol.next == kNone) return;
  const size_t end = end_of(symbols[symbol.next], symbols, text);
  symbol.joined = vocabulary_.find_piece(text.substr(symbol.begin, end - symbol.begin));
}

/// Entries of the queue that no longer hold are passed over. One that holds again is the same as a new one.
void Merger::join(std::string_view text, Scratch& scratch) const {
  auto& symbols = scratch.symbols;
  auto& queue = scratch.queue;
  queue.clear();
  const auto entry = [&](uint32_t at) { return uint64_t{symbols[at].joined.rank} << 32 | at; };
  for (uint32_t at = 0; at < symbols.size(); ++at) {
    look_up(text, at, symbols);
    if (symbols[at].joined.id >= 0) queue.push_back(entry(at));
  }
  std::ranges::make_heap(queue, std::greater{});
  const auto update = [&](uint32_t at) {
    look_up(text, at, symbols);
    if (symbols[at].joined.id < 0) return;
    queue.push_back(entry(at));
    std::ranges::push_heap(queue, std::greater{});
  };
  while (!queue.empty()) {
    const uint64_t top = queue.front();
    std::ranges::pop_heap(queue, std::greater{});
    queue.pop_back();
    const auto at = static_cast<uint32_t>(top & UINT32_MAX);
    Symbol& symbol = symbols[at];
    if (symbol.joined.id < 0 || entry(at) != top) continue;
    Symbol& gone = symbols[symbol.next];
    symbol.id = symbol.joined.id;
    symbol.next = gone.next;
    gone.joined = {};
    if (symbol.next != kNone) symbols[symbol.next].previous = at;
    update(at);
    if (symbol.previous != kNone) update(symbol.previous);
  }
}

void Merger::write(std::string_view symbol, int32_t id, std::vector<int32_t>& ids) const {
  if (id < 0) id = vocabulary_.find_piece(symbol).id;
  if (id >= 0) return ids.push_back(id);
  for (const char byte : symbol) ids.push_back(vocabulary_.byte_id(byte));
}

}  // namespace tenon::spm
