// Class int8 with what every AArch64 processor has.
#include "dot_neon.hpp"
#include "int8_table.hpp"

namespace tenon::panels {
namespace {

struct Neon {
  using Row = PlainDot;
  using Rows = PlainDot;
};

}  // namespace

constinit const Int8Kernels kInt8Neon = int8_kernels<Neon>();

}  // namespace tenon::panels
