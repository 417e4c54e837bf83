// Scripts of what a user does in `vertebra view`, a line each, so that a run can be repeated without hands.
#pragma once
#include <string>
#include <vector>

#include "cli/view_library.hpp"

namespace vertebra::cli {

// One action, as written; its words are checked when the script is read.
struct ViewAction {
  int line = 0;
  std::vector<std::string> words;
};

std::vector<ViewAction> readViewScript(const std::string& path);  // Failure with file and line
std::string viewScriptHelp();
// A line of such a script; no words where it is empty. Failure with file and line.
ViewAction readViewAction(const std::string& text, const std::string& path, int line);
// Where a viewer's mouse is, pixels from the upper left corner.
struct Mouse {
  double x = 0, y = 0;
};
// Does it, in the viewer of a world.
void act(const ViewAction& action, vtb_viewer* viewer, Mouse& mouse, const vtb_world* world, const std::string& path);

// Where the centre of mass of a body is in the picture, pixels from the upper left corner; false if it is behind the eye.
bool pixelOf(vtb_viewer* viewer, const vtb_world* world, vtb_body body, double pixel[2]);
// What the viewer and the world are at, as an object of JSON.
std::string stateAsJson(vtb_viewer* viewer, const vtb_world* world);
void writePicture(vtb_viewer* viewer, const std::string& path);

}  // namespace vertebra::cli
