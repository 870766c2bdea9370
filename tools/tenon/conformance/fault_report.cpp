#include <conformance/fault_report.hpp>
#include <tenon/base/child.hpp>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string_view>

namespace tenon::conformance {
namespace {

// A signal handler has no argument but the signal, so what it reads belongs to the process. An entry is valid while its
// `mapping` is set, which is written last and cleared first.
struct Watched {
  std::atomic<uintptr_t> mapping{0};
  uintptr_t data = 0;
  size_t bytes = 0, mapped_bytes = 0;
  std::array<char, 64> name{};
};

struct Table {
  std::mutex mutex;
  std::array<Watched, 256> entries;  // far more than one case has at a time
};

Table& table() {
  static Table of_process;
  return of_process;
}

/// Text made without allocation.
class Line {
 public:
  Line& operator<<(std::string_view text) {
    for (const char c : text) {
      if (n_ < bytes_.size()) bytes_[n_++] = c;
    }
    return *this;
  }
  Line& operator<<(size_t number) {
    std::array<char, 20> digits;
    size_t n = 0;
    do {
      digits[n++] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
    while (n > 0) *this << std::string_view(&digits[--n], 1);
    return *this;
  }
  std::string_view text() const { return {bytes_.data(), n_}; }

 private:
  std::array<char, 400> bytes_;
  size_t n_ = 0;
};

/// Names the buffer whose guard pages hold the address.
bool describe(uintptr_t address, Line& line) {
  for (const Watched& each : table().entries) {
    const uintptr_t first = each.mapping.load(std::memory_order_acquire);
    if (first == 0 || address < first || address >= first + each.mapped_bytes) continue;
    const std::string_view name(each.name.data());
    if (address < each.data) {
      line << "PLUGIN_OVERRUN: it touched memory " << each.data - address << " bytes before the start of " << name;
    } else {
      line << "PLUGIN_OVERRUN: it touched byte " << address - each.data << " of " << name << ", which has "
           << each.bytes;
    }
    return true;
  }
  return false;
}

void on_fault(int signal, siginfo_t* info, void*) {
  Line line;
  line << "{\"fault\":\"";
  const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  if (!describe(address, line)) line << "it touched memory that is not there, at address " << address;
  line << "\"}\n";
  write_result(line.text());
  ::signal(signal, SIG_DFL);  // the instruction is tried again when this returns, and ends the process
}

}  // namespace

void report_faults() {
  table();                                   // made before a handler may want it
  static std::array<char, 64 * 1024> stack;  // a handler needs one of its own where the plug-in's has overflown
  stack_t alternative{};
  alternative.ss_sp = stack.data();
  alternative.ss_size = stack.size();
  ::sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS}) ::sigaction(signal, &action, nullptr);
}

int watch_buffer(const std::byte* mapping, const std::byte* data, size_t bytes, size_t mapped_bytes, const char* name) {
  Table& of_process = table();
  const std::lock_guard lock(of_process.mutex);
  for (size_t i = 0; i < of_process.entries.size(); ++i) {
    Watched& each = of_process.entries[i];
    if (each.mapping.load(std::memory_order_relaxed) != 0) continue;
    each.data = reinterpret_cast<uintptr_t>(data);
    each.bytes = bytes;
    each.mapped_bytes = mapped_bytes;
    each.name.fill('\0');
    std::memcpy(each.name.data(), name, std::min(std::strlen(name), each.name.size() - 1));
    each.mapping.store(reinterpret_cast<uintptr_t>(mapping), std::memory_order_release);
    return static_cast<int>(i);
  }
  return -1;
}

void forget_buffer(int number) {
  if (number < 0) return;
  Table& of_process = table();
  const std::lock_guard lock(of_process.mutex);
  of_process.entries[static_cast<size_t>(number)].mapping.store(0, std::memory_order_release);
}

}  // namespace tenon::conformance
