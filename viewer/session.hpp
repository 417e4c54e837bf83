// What a user's events do to a viewed world and to the picture of it: the camera, time, bodies held, shots, fields, overlays, panels. No
// window: events come from anywhere. Metres, seconds, pixels.
#pragma once
#include <memory>
#include <string>

#include <osg/Quat>

#include "viewer/event.hpp"
#include "viewer/pace.hpp"
#include "viewer/rig.hpp"
#include "viewer/sliders.hpp"
#include "viewer/vehicle.hpp"
#include "viewer/world_view.hpp"

namespace vertebra::viewer {

class Session {
 public:
  Session(const vtb_viewer_def& def, vtb_world* world, WorldView& view);
  ~Session();

  void handle(const Event& event);
  void advance(double seconds);  // the clock's; then as frame
  void frame();                  // the view is pushed

  // What the panels tell.
  vtb_world* world() const { return world_; }
  const WorldView& view() const { return view_; }
  const Pace& pace() const { return pace_; }
  const Vehicle& vehicle() const { return vehicle_; }
  Sliders& sliders() { return sliders_; }
  int under() const { return under_; }  // index of the body under the mouse, or -1
  std::string message() const;          // of the last seconds, or ""
  const char* ammunition() const;
  vtb_viewer_state state() const;

  Rig rig;
  int width, height;
  std::uint32_t shown;
  bool closed = false, help = false, bare = false, plots = true;

 private:
  enum class Tool { kNone, kOrbit, kPan, kHold, kSlider };
  void press(const Event& event);
  void move(const Event& event);
  void scroll(const Event& event);
  void key(const Event& event, bool pressed);
  bool keyOfTime(int key, bool shift);
  bool keyOfView(int key);
  void takeHold(const Event& event);
  void turn(double dx, double dy);
  void aimHold();
  void letGo();
  void fire();
  void pull(int key, bool pressed);
  void placePull();
  void follow();
  void rewind(double seconds);
  void say(const std::string& text);
  void lookUnder();
  osg::Vec3d centreOf(const ShownBody& body) const;

  vtb_world* world_;
  WorldView& view_;
  vtb_status (*follow_)(void*, vtb_world*, double);
  void* user_;
  std::unique_ptr<Cannon> cannon_;  // not in a played world, which is not changed
  Grab grab_;
  Pace pace_;
  Vehicle vehicle_;
  Sliders sliders_;
  Tool tool_ = Tool::kNone;
  double mouseX_ = 0, mouseY_ = 0, depth_ = 0, size_ = 0, said_ = -1e9;
  osg::Vec3d aim_;
  osg::Quat turn_;
  int under_ = -1, shots_ = 0;
  Ammunition ammunition_ = Ammunition::kBall;
  vtb_field pull_{};
  double pullSign_ = 0;
  vtb_body followed_{};
  osg::Vec3d followedAt_;
  std::string message_;
};

}  // namespace vertebra::viewer
