// The host's side of the wall: nothing that a plug-in throws gets into the core.
#pragma once

#include <tenon/result.hpp>

#include <exception>

namespace tenon {

/// Calls a slot of a plug-in. An exception, which the border forbids, becomes TENON_INTERNAL with its text in `status`.
template <class F>
tenon_code call_plugin(tenon_status& status, F&& slot) noexcept {
  try {
    return slot();
  } catch (const std::exception& e) {
    return fill_status(&status, TENON_INTERNAL, e.what());
  } catch (...) {
    return fill_status(&status, TENON_INTERNAL, "an exception that is no std::exception");
  }
}

}  // namespace tenon
