// What this machine's processor can do and how much of it is ours.
#pragma once

#include <cstdint>
#include <string>

namespace tenon {

/// TENON_ISA_* bits that both the processor (CPUID) and the operating system (XCR0) have on.
uint64_t cpu_isa();
/// "avx2 avx512", for messages.
std::string isa_names(uint64_t isa);

struct ThreadAdvice {
  uint32_t n_threads;
  std::string reason;
};

/// Physical cores in the affinity mask, capped by the floor of the cgroup's quota; at least 1.
ThreadAdvice advise_threads();

/// Bytes of memory that can be had without swapping: MemAvailable, capped by the cgroup's limit.
uint64_t available_memory();

/// Bytes of this process that are in memory now (VmRSS).
uint64_t resident_memory();

}  // namespace tenon
