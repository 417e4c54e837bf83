// What a user does, whatever the window system: pixels from the upper left corner, keys as characters or X key symbols.
#pragma once
#include <cstdint>

#include "viewer/include/vertebra_view.h"

namespace vertebra::viewer {

struct Event {
  int type = VTB_VIEWER_EVENT_MOVE;  // VTB_VIEWER_EVENT_*
  double x = 0, y = 0;
  int button = 0, key = 0;
  std::uint32_t modifiers = 0;
  double scroll = 0;
};

}  // namespace vertebra::viewer
