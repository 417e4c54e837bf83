// Calls of the C interface for the demo: failures become exceptions.
#pragma once
#include <stdexcept>
#include <string>

#include "capi/client/owned.hpp"

namespace vertebra::viewer {

using client::Release;

inline void check(vtb_status status) {
  if (status != VTB_OK) throw std::runtime_error(std::string(vtb_status_name(status)) + ": " + vtb_last_error());
}

}  // namespace vertebra::viewer
