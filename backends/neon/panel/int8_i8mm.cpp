// Class int8 with SMMLA for two rows and more, SDOT for one. The only file compiled for FEAT_I8MM; level.cpp lets it
// run where the processor has both.
#include "dot_dotprod.hpp"
#include "dot_i8mm.hpp"
#include "int8_table.hpp"

namespace tenon::panels {
namespace {

struct I8mm {
  using Row = FourDot;
  using Rows = TwoRowDot;
};

}  // namespace

constinit const Int8Kernels kInt8I8mm = int8_kernels<I8mm>();

}  // namespace tenon::panels
