// How fast this machine's memory can be read.
#pragma once

#include <tenon/base/buffer.hpp>

#include <cstdint>

namespace tenon::cli {

/// Reads a block that no cache holds, from all threads at once.
class ReadBandwidth {
 public:
  ReadBandwidth();
  /// Bytes a second of one pass on so many threads.
  double measure(uint32_t n_threads);

 private:
  Buffer block_;
  uint64_t sum_ = 0;  // of what was read, so that reading is not optimized away
};

}  // namespace tenon::cli
