#include <tenon.h>
#include <tenon/base/cpu.hpp>

#include <fmt/format.h>
#include <sched.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <set>
#include <utility>

namespace tenon {

uint64_t cpu_isa() {
#if defined(__x86_64__)
  uint32_t a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0) return 0;
  const bool has_osxsave = (c >> 27) & 1, has_fma = (c >> 12) & 1, has_f16c = (c >> 29) & 1;
  if (!has_osxsave) return 0;
  uint32_t xcr0 = 0, xcr0_high = 0;
  __asm__("xgetbv" : "=a"(xcr0), "=d"(xcr0_high) : "c"(0));
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return 0;
  const bool has_avx2 = (b >> 5) & 1, has_bmi2 = (b >> 8) & 1;
  const bool has_avx512 = ((b >> 16) & 1) && ((b >> 17) & 1) && ((b >> 30) & 1) && ((b >> 31) & 1);  // F DQ BW VL
  uint64_t isa = 0;
  if (has_avx2 && has_bmi2 && has_fma && has_f16c && (xcr0 & 0x6) == 0x6) isa |= TENON_ISA_AVX2;
  if (has_avx512 && (xcr0 & 0xE6) == 0xE6) isa |= TENON_ISA_AVX512;
  return isa;
#elif defined(__aarch64__)
  return TENON_ISA_NEON;
#else
  return 0;
#endif
}

std::string isa_names(uint64_t isa) {
  std::string names;
  const auto add = [&](uint64_t bit, const char* name) {
    if ((isa & bit) != 0) names += (names.empty() ? "" : " ") + std::string(name);
    isa &= ~bit;
  };
  add(TENON_ISA_AVX2, "avx2");
  add(TENON_ISA_AVX512, "avx512");
  add(TENON_ISA_NEON, "neon");
  if (isa != 0) names += fmt::format("{}unknown bits {:#x}", names.empty() ? "" : " ", isa);
  return names.empty() ? "none" : names;
}

namespace {

int read_int(const std::string& path, int fallback) {
  std::ifstream in(path);
  int value = fallback;
  return in >> value ? value : fallback;
}

/// cpu.max of cgroup v2 as whole processors, or a huge number where there is no quota.
double cgroup_quota() {
  std::ifstream in("/sys/fs/cgroup/cpu.max");
  std::string quota;
  double period = 0;
  if (!(in >> quota >> period) || quota == "max" || period <= 0) return std::numeric_limits<double>::infinity();
  return std::strtod(quota.c_str(), nullptr) / period;
}

}  // namespace

ThreadAdvice advise_threads() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (sched_getaffinity(0, sizeof mask, &mask) != 0) return {1, "1 (the affinity mask cannot be read)"};
  std::set<std::pair<int, int>> cores;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &mask)) continue;
    const std::string topology = fmt::format("/sys/devices/system/cpu/cpu{}/topology/", cpu);
    cores.emplace(read_int(topology + "physical_package_id", 0), read_int(topology + "core_id", cpu));
  }
  const auto n_cores = static_cast<uint32_t>(std::max<size_t>(cores.size(), 1));
  const double quota = cgroup_quota();
  if (quota < n_cores) {
    const auto n = std::max<uint32_t>(1, static_cast<uint32_t>(quota));
    return {n, fmt::format("{} ({} cores, capped by the cgroup's quota of {:.2f})", n, n_cores, quota)};
  }
  return {n_cores, fmt::format("{} (the physical cores that this process may use)", n_cores)};
}

uint64_t resident_memory() {
  // "VmRSS:     12345 kB"
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::strtoull(line.c_str() + 6, nullptr, 10) * 1024;
  }
  return 0;
}

uint64_t available_memory() {
  uint64_t available = 0;
  std::ifstream meminfo("/proc/meminfo");
  for (std::string key; meminfo >> key;) {
    uint64_t kib = 0;
    meminfo >> kib;
    meminfo.ignore(64, '\n');
    if (key == "MemAvailable:") available = kib * 1024;
  }
  uint64_t limit = 0, used = 0;
  std::ifstream limit_file("/sys/fs/cgroup/memory.max"), used_file("/sys/fs/cgroup/memory.current");
  if (limit_file >> limit && used_file >> used) available = std::min(available, limit > used ? limit - used : 0);
  return available;
}

}  // namespace tenon
