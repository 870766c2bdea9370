#include <conformance/fault_report.hpp>
#include <conformance/guarded_buffer.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace tenon::conformance {
namespace {

constexpr std::byte kMark{0xA7};
constexpr size_t kLeastMarks = 64;  // before the data

size_t page_bytes() { return static_cast<size_t>(::sysconf(_SC_PAGESIZE)); }

size_t rounded_up(size_t n, size_t multiple) { return (n + multiple - 1) / multiple * multiple; }

}  // namespace

GuardedBuffer::GuardedBuffer(size_t bytes, std::byte fill, const std::string& name, size_t alignment)
    : bytes_(bytes), name_(name) {
  // page that cannot be touched | marks, data, gap of less than `alignment` with marks | page that cannot be touched
  const size_t page = page_bytes(), inner = rounded_up(kLeastMarks + bytes + alignment, page);
  mapped_bytes_ = inner + 2 * page;
  void* mapping = ::mmap(nullptr, mapped_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  mapping_ = static_cast<std::byte*>(mapping);
  std::byte* end = mapping_ + page + inner;
  if (::mprotect(mapping_ + page, inner, PROT_READ | PROT_WRITE) != 0) {
    ::munmap(mapping_, mapped_bytes_);
    throw std::bad_alloc();
  }
  const auto last_start = reinterpret_cast<size_t>(end - bytes);
  data_ = end - bytes - last_start % alignment;
  std::memset(mapping_ + page, static_cast<int>(kMark), static_cast<size_t>(data_ - mapping_) - page);
  std::memset(data_ + bytes, static_cast<int>(kMark), static_cast<size_t>(end - data_) - bytes);
  std::memset(data_, static_cast<int>(fill), bytes);
  guard_ = watch_buffer(mapping_, data_, bytes_, mapped_bytes_, name_.c_str());
}

GuardedBuffer& GuardedBuffer::operator=(GuardedBuffer&& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(mapped_bytes_, other.mapped_bytes_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(name_, other.name_);
  std::swap(guard_, other.guard_);
  return *this;
}

GuardedBuffer::~GuardedBuffer() {
  if (mapping_ == nullptr) return;
  forget_buffer(guard_);
  ::munmap(mapping_, mapped_bytes_);
}

std::string GuardedBuffer::overrun() const {
  if (mapping_ == nullptr) return "";
  const size_t page = page_bytes();
  const std::byte *first = mapping_ + page, *end = mapping_ + mapped_bytes_ - page;
  const auto is_changed = [](std::byte b) { return b != kMark; };
  const std::byte* before = std::find_if(first, static_cast<const std::byte*>(data_), is_changed);
  if (before != data_) {
    return "it wrote " + std::to_string(data_ - before) + " bytes before the start of " + name_;
  }
  const std::byte* behind = std::find_if(data_ + bytes_, const_cast<std::byte*>(end), is_changed);
  if (behind == end) return "";
  return "it wrote byte " + std::to_string(behind - data_) + " of " + name_ + ", which has " + std::to_string(bytes_);
}

}  // namespace tenon::conformance
