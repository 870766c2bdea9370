// Starting a process: pipes, limits, execution. Watching it is child.cpp's.
#pragma once

#include <tenon/base/child.hpp>

#include <sys/types.h>
#include <unistd.h>

#include <utility>

namespace tenon {

/// A descriptor that is closed with its owner; -1: none.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int get() const { return number_; }

 private:
  int number_ = -1;
};

/// A running child. The three streams do not block.
struct Started {
  pid_t pid = -1;
  Descriptor result, output, errors;
  Descriptor ended;  // readable when the process has ended; none on a system without such
};

/// Errors: TENON_IO with what the system said, also where the file could not be executed.
Result<Started> start_child(const ChildRequest& request);

}  // namespace tenon
