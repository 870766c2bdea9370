// Linked into plug-ins that must be refused by their note: loading the file ends the process.
#include <cstdlib>

namespace {
[[gnu::constructor]] void trap() { std::abort(); }
}  // namespace
