// Class int8 with SDOT. The only file compiled for FEAT_DotProd; level.cpp lets it run where the processor has that.
#include "dot_dotprod.hpp"
#include "int8_table.hpp"

namespace tenon::panels {
namespace {

struct DotProd {
  using Row = FourDot;
  using Rows = FourDot;
};

}  // namespace

constinit const Int8Kernels kInt8DotProd = int8_kernels<DotProd>();

}  // namespace tenon::panels
