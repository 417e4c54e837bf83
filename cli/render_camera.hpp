// From where `vertebra render` and `vertebra view` look. Metres, z up.
#pragma once
#include <string>
#include <vector>

#include "cli/render_source.hpp"
#include "cli/view_library.hpp"

namespace vertebra::cli {

// --camera: a name, which leaves the distance to what is drawn, or a place.
class CameraChoice {
 public:
  explicit CameraChoice(const Arguments& arguments);  // UsageError for what is neither

  // A camera for each time: of a place always the same; of a scene without --camera its own first one; else one that looks at the middle
  // of what moves, from one distance at which it is in the picture at all times. Ends with the source at its first time.
  std::vector<vtb_camera> cameras(vtb_view* view, double aspect, Source& source, const std::vector<double>& times) const;
  bool given() const { return given_; }
  bool placed(vtb_camera& camera) const;  // true: a place, which camera receives
  int viewKey() const { return key_; }    // of the viewer, for a name

 private:
  std::vector<vtb_camera> following(vtb_view* view, double aspect, Source& source, const std::vector<double>& times) const;

  bool given_, placed_ = false;
  int key_ = '1';
  double eye_[3] = {}, target_[3] = {};  // of a place
  double direction_[3] = {};             // from target to eye, of a robot, of length 1
};

}  // namespace vertebra::cli
