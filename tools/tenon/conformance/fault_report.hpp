// What a fault of memory in a plug-in hit: a line on the child's result before the process dies of it.
#pragma once

#include <cstddef>

namespace tenon::conformance {

/// From here on SIGSEGV and SIGBUS of the process first write {"fault": "..."} as a line to kChildResult, which names
/// the watched buffer that was left, where one was near. Then the signal takes its course.
void report_faults();

/// Makes a buffer known to the report; its number, or -1 where the table is full. Copies the name. Any thread.
int watch_buffer(const std::byte* mapping, const std::byte* data, size_t bytes, size_t mapped_bytes, const char* name);
void forget_buffer(int number);

}  // namespace tenon::conformance
