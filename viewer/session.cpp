// See session.hpp; keys: session_keys.cpp.
#include "viewer/session.hpp"

#include <algorithm>
#include <cmath>

#include "viewer/names.hpp"

namespace vertebra::viewer {

namespace {

constexpr double kSaid = 3;              // s that a message stays
constexpr double kTurnPerPixel = 0.008;  // rad
constexpr double kPush = 0.06;           // of the depth, a notch of the wheel
constexpr double kPull = 2 * 9.81;       // m/s^2 of an attraction, a size away
constexpr Colour kHoldColour{0.98f, 0.65f, 0.10f}, kPullColour{0.20f, 0.70f, 0.95f};

// The figure or body that most is seen of: what shots and pulls are measured by.
double sizeOf(const WorldView& view) {
  const BodyGroups groups = groupsOf(view.bodies());
  double size = 0;
  for (const BodyGroup& group : groups.all)
    if (group.moving) size = std::max(size, group.size());
  return size > 0 ? std::clamp(size, 0.05, 20.0) : 1.7;
}

}  // namespace

Session::Session(const vtb_viewer_def& def, vtb_world* world, WorldView& view)
    : width(def.width),
      height(def.height),
      shown(def.shown),
      bare((def.flags & VTB_VIEWER_BARE) != 0),
      world_(world),
      view_(view),
      follow_(def.follow),
      user_(def.user),
      cannon_(def.flags & VTB_VIEWER_PLAYED ? nullptr : std::make_unique<Cannon>(world)),
      grab_(world),
      pace_(def, world),
      vehicle_(world),
      sliders_(world) {
  rig.setSize(width, height);
  rig.setFront(def.front);
  frame();
  size_ = sizeOf(view_);
  rig.show(0);
  rig.fit(view_.corners());
}

Session::~Session() {
  if (pull_.bits) vtb_field_destroy(world_, pull_);
  grab_.end();
}

void Session::say(const std::string& text) {
  message_ = text;
  said_ = secondsOfClock();
}

std::string Session::message() const { return secondsOfClock() - said_ < kSaid ? message_ : ""; }

const char* Session::ammunition() const {
  return ammunition_ == Ammunition::kBall ? "ball" : ammunition_ == Ammunition::kBox ? "box" : "figure";
}

osg::Vec3d Session::centreOf(const ShownBody& body) const { return applied(body.pose, {body.com[0], body.com[1], body.com[2]}); }

void Session::handle(const Event& event) {
  switch (event.type) {
    case VTB_VIEWER_EVENT_MOVE:
      move(event);
      break;
    case VTB_VIEWER_EVENT_PRESS:
      press(event);
      break;
    case VTB_VIEWER_EVENT_RELEASE:
      move(event);
      if (tool_ == Tool::kHold) letGo();
      sliders_.release();
      tool_ = Tool::kNone;
      break;
    case VTB_VIEWER_EVENT_SCROLL:
      scroll(event);
      break;
    case VTB_VIEWER_EVENT_KEY:
      key(event, true);
      break;
    case VTB_VIEWER_EVENT_KEY_RELEASE:
      key(event, false);
      break;
    case VTB_VIEWER_EVENT_RESIZE:
      width = std::max(1, static_cast<int>(event.x));
      height = std::max(1, static_cast<int>(event.y));
      rig.setSize(width, height);
      break;
    case VTB_VIEWER_EVENT_CLOSE:
      closed = true;
      break;
  }
}

void Session::press(const Event& event) {
  mouseX_ = event.x;
  mouseY_ = event.y;
  if (tool_ == Tool::kHold) return;  // one thing at a time
  if (event.button == VTB_VIEWER_LEFT && sliders_.over(event.x, event.y)) {
    try {
      if (sliders_.press(event.x, event.y)) tool_ = Tool::kSlider;
    } catch (const std::runtime_error& error) {
      say(error.what());
    }
    return;
  }
  const bool shift = (event.modifiers & VTB_VIEWER_SHIFT) != 0;
  tool_ = event.button == VTB_VIEWER_MIDDLE || shift ? Tool::kPan : Tool::kOrbit;
  if (event.button == VTB_VIEWER_LEFT && !shift) takeHold(event);
}

void Session::takeHold(const Event& event) {
  const Ray ray = rig.ray(event.x, event.y);
  double distance = 0;
  const int index = view_.pick(ray.origin, ray.direction, distance);
  if (index < 0) return;
  const ShownBody& body = view_.bodies()[static_cast<std::size_t>(index)];
  if (pace_.played()) return say("a recorded motion plays; nothing in it can be moved");
  if (!(body.mass > 0)) return;  // it does not move by physics
  int32_t enabled = 0;
  check(vtb_body_get_enabled(world_, body.handle, &enabled));
  if (!enabled) return;
  const BodyGroups groups = groupsOf(view_.bodies());
  const BodyGroup& group = groups.all[static_cast<std::size_t>(groups.of[static_cast<std::size_t>(index)])];
  aim_ = ray.origin + ray.direction * distance;
  turn_ = osg::Quat();
  depth_ = (aim_ - ray.origin) * rig.forward();
  grab_.begin(holdAt(world_, body.handle, aim_, group.mass, std::max(group.size(), 1e-3), (event.modifiers & VTB_VIEWER_CTRL) != 0));
  tool_ = Tool::kHold;
}

void Session::letGo() {
  grab_.end();
  tool_ = Tool::kNone;
}

void Session::move(const Event& event) {
  const double dx = event.x - mouseX_, dy = event.y - mouseY_;
  mouseX_ = event.x;
  mouseY_ = event.y;
  switch (tool_) {
    case Tool::kOrbit:
      rig.orbit(dx, dy);
      break;
    case Tool::kPan:
      rig.pan(dx, dy);
      break;
    case Tool::kHold:
      if (grab_.active() && grab_.hold()->turning) turn(dx, dy);
      aimHold();
      break;
    case Tool::kSlider:
      try {
        sliders_.drag(event.x);
      } catch (const std::runtime_error& error) {
        say(error.what());
      }
      break;
    case Tool::kNone:
      break;
  }
}

void Session::turn(double dx, double dy) {
  turn_ = turn_ * osg::Quat(kTurnPerPixel * dx, rig.up()) * osg::Quat(kTurnPerPixel * dy, rig.right());
}

// The point under the mouse at the depth where the body was taken; a body that is turned stays where it is.
void Session::aimHold() {
  if (!grab_.active()) return;
  const Ray ray = rig.ray(mouseX_, mouseY_);
  if (!grab_.hold()->turning) aim_ = ray.origin + ray.direction * (depth_ / (ray.direction * rig.forward()));
  grab_.aim(aim_, turn_);
}

void Session::scroll(const Event& event) {
  mouseX_ = event.x;
  mouseY_ = event.y;
  if (tool_ == Tool::kHold) {
    depth_ *= 1 + kPush * event.scroll;
    aimHold();
  } else if (sliders_.over(event.x, event.y)) {
    sliders_.scroll(event.scroll);
  } else {
    rig.zoom(event.scroll);
  }
}

void Session::rewind(double seconds) {
  if (tool_ == Tool::kHold) letGo();
  const std::size_t shots = cannon_ ? cannon_->count() : 0;
  const char* why = "";
  if (!pace_.back(seconds, cannon_.get(), grab_, why)) say(std::string("it goes no further back: ") + why);
  if (cannon_) shots_ -= static_cast<int>(shots - cannon_->count());
}

void Session::fire() {
  if (!cannon_) return say("a recorded motion plays; nothing in it can be hit");
  const Ray ray = rig.ray(mouseX_, mouseY_);
  const vtb_camera camera = rig.camera();
  const double away =
      std::hypot(camera.target[0] - camera.position[0], camera.target[1] - camera.position[1], camera.target[2] - camera.position[2]);
  const osg::Vec3d from = ray.origin + ray.direction * std::min(0.15 * away, size_);
  if (!cannon_->fire(ammunition_, from, ray.direction, size_)) {
    cannon_->keep(0);
    pace_.forget(*cannon_, grab_);
    say("there were too many shots: they are taken away, and it goes no further back than now");
    cannon_->fire(ammunition_, from, ray.direction, size_);
  }
  shots_++;
}

void Session::pull(int key, bool pressed) {
  if (pace_.played()) return;
  if (pressed && !pull_.bits) {
    pullSign_ = key == 'a' ? 1 : -1;
    placePull();
  } else if (!pressed && pull_.bits) {
    check(vtb_field_destroy(world_, pull_));
    pull_ = {};
  }
}

// To the point under the mouse, at the depth of the body there, or of what the camera looks at.
void Session::placePull() {
  const Ray ray = rig.ray(mouseX_, mouseY_);
  const vtb_camera camera = rig.camera();
  osg::Vec3d away(camera.target[0] - camera.position[0], camera.target[1] - camera.position[1], camera.target[2] - camera.position[2]);
  const osg::Vec3d point = ray.origin + ray.direction * (away.length() / (ray.direction * rig.forward()));
  vtb_field_def def;
  check(vtb_field_def_init(&def, sizeof def));
  def.type = VTB_FIELD_TYPE_RADIAL;
  for (int k = 0; k < 3; k++) def.radial.point[k] = point[k];
  def.radial.strength = pullSign_ * kPull * size_ * size_;
  def.radial.softening = 0.4 * size_;
  aim_ = point;
  check(pull_.bits ? vtb_field_set(world_, pull_, &def) : vtb_field_create(world_, &def, &pull_));
  check(vtb_world_wake_all(world_));
}

void Session::lookUnder() {
  const Ray ray = rig.ray(mouseX_, mouseY_);
  double distance = 0;
  under_ = sliders_.over(mouseX_, mouseY_) ? -1 : view_.pick(ray.origin, ray.direction, distance);
}

void Session::follow() {
  if (!followed_.bits) return;
  for (const ShownBody& body : view_.bodies()) {
    if (body.handle.bits != followed_.bits) continue;
    const osg::Vec3d now = centreOf(body);
    rig.shift(now - followedAt_);
    followedAt_ = now;
    if (tool_ == Tool::kHold) aimHold();
    return;
  }
  followed_ = {};
}

void Session::advance(double seconds) {
  if (pull_.bits) placePull();
  pace_.advance(seconds, cannon_.get(), grab_, [&](double step) { vehicle_.update(step); });
  if (pace_.diverged) say("the step diverged and was undone: the world is paused; rewind, or reset");
  frame();
  follow();
  lookUnder();
}

// Pushes the world as it is, with what is in the user's hands.
void Session::frame() {
  if (follow_) {
    const vtb_status status = follow_(user_, world_, pace_.time());
    if (status != VTB_OK) check(status);
  }
  Soup marks;
  const double size = size_ > 0 ? size_ : 1;
  if (grab_.active()) {
    const osg::Vec3d held = grab_.point();
    marks.ball(held, 0.012 * size, kHoldColour);
    if ((aim_ - held).length() > 0.01 * size) marks.arrow(held, aim_, 0.004 * size, kHoldColour);
  }
  if (pull_.bits) marks.ball(aim_, 0.03 * size, kPullColour);
  view_.push(world_, shown, marks);
}

vtb_viewer_state Session::state() const {
  vtb_viewer_state state{};
  state.struct_size = sizeof state;
  state.closed = closed;
  state.paused = pace_.paused;
  state.shots = shots_;
  state.time = pace_.time();
  state.speed = pace_.speed;
  state.real_time = pace_.realTime();
  state.frame_rate = pace_.frameRate();
  state.left_out = pace_.leftOut;
  state.steps = pace_.steps;
  state.frames = pace_.frames;
  state.rewinds = pace_.rewinds;
  state.width = width;
  state.height = height;
  state.shown = shown;
  if (grab_.active()) state.held = grab_.hold()->body, state.hold_force = grab_.force();
  if (under_ >= 0 && static_cast<std::size_t>(under_) < view_.bodies().size())
    state.under = view_.bodies()[static_cast<std::size_t>(under_)].handle;
  state.followed = followed_;
  state.rewind_to = pace_.earliest();
  state.camera = rig.camera();
  return state;
}

}  // namespace vertebra::viewer
