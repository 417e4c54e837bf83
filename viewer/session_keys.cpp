// What keys do in a session; the help (panels.cpp) and docs/howto/view.md tell it.
#include <algorithm>

#include "viewer/names.hpp"
#include "viewer/session.hpp"

namespace vertebra::viewer {
namespace {

constexpr double kBack = 1.0 / 30;  // s that a press of "back" takes back
constexpr double kSlowest = 1.0 / 64, kFastest = 64;

}  // namespace

void Session::key(const Event& event, bool pressed) {
  const int key = event.key;
  if (vehicle_.key(key, pressed) || !pressed) {
    if (!pressed && (key == 'a' || key == 'z')) pull(key, false);
    return;
  }
  if (keyOfTime(key, (event.modifiers & VTB_VIEWER_SHIFT) != 0) || keyOfView(key)) return;
  switch (key) {
    case 'f':
      fire();
      break;
    case 'v':
      ammunition_ = static_cast<Ammunition>((static_cast<int>(ammunition_) + 1) % 3);
      say(std::string("f shoots a ") + ammunition());
      break;
    case 'a':
    case 'z':
      pull(key, true);
      break;
    case 'j':
      sliders_.toggle();
      break;
    case 'k':
      sliders_.toggleTargets();
      break;
    case 'e':
      plots = !plots;
      break;
    case '?':
      help = !help;
      break;
    case VTB_VIEWER_KEY_TAB:
      bare = !bare;
      break;
    case VTB_VIEWER_KEY_ESCAPE:
      if (help)
        help = false;
      else
        closed = true;
      break;
    case 'q':
      closed = true;
      break;
    default:
      break;
  }
}

bool Session::keyOfTime(int key, bool shift) {
  switch (key) {
    case ' ':
      pace_.paused = !pace_.paused;
      return true;
    case '.':
      pace_.step(cannon_.get(), grab_);
      return true;
    case ',':
      rewind(kBack);
      return true;
    case '<':
      rewind(1);
      return true;
    case VTB_VIEWER_KEY_BACKSPACE:
      rewind(shift ? 1 : kBack);
      return true;
    case 'r': {
      const char* why = "";
      if (tool_ == Tool::kHold) letGo();
      if (pace_.reset(cannon_.get(), grab_, why))
        shots_ = 0;
      else
        say(std::string("it cannot be set back: ") + why);
      return true;
    }
    case '+':
    case '=':
      pace_.speed = std::min(kFastest, 2 * pace_.speed);
      return true;
    case '-':
      pace_.speed = std::max(kSlowest, 0.5 * pace_.speed);
      return true;
    default:
      return false;
  }
}

bool Session::keyOfView(int key) {
  static constexpr struct {
    int key;
    std::uint32_t bit;
  } kShown[] = {{'g', VTB_VIEW_GROUND}, {'h', VTB_VIEW_SHADOWS}, {'o', VTB_VIEW_COLLISION}, {'c', VTB_VIEW_CONTACTS},
                {'n', VTB_VIEW_FORCES}, {'x', VTB_VIEW_AXES},    {'m', VTB_VIEW_COM},       {'s', VTB_VIEW_SKELETON},
                {'t', VTB_VIEW_LIMITS}, {'i', VTB_VIEW_INERTIA}, {'p', VTB_VIEW_PATHS},     {'b', VTB_VIEW_SKIN}};
  for (const auto& overlay : kShown)
    if (overlay.key == key) {
      shown ^= overlay.bit;
      return true;
    }
  if (key >= '1' && key <= '6') {
    rig.show(key - '1');
    rig.fit(view_.corners());
    return true;
  }
  if (key == '0') {
    rig.fit(view_.corners());
    return true;
  }
  if (key != 'l') return false;
  lookUnder();
  followed_ = under_ < 0 || view_.bodies()[static_cast<std::size_t>(under_)].handle.bits == followed_.bits
                  ? vtb_body{}
                  : view_.bodies()[static_cast<std::size_t>(under_)].handle;
  if (followed_.bits) {
    followedAt_ = centreOf(view_.bodies()[static_cast<std::size_t>(under_)]);
    rig.aim(followedAt_);
  }
  say(followed_.bits ? "the camera follows " + nameOf(world_, VTB_NAMED_BODY, followed_.bits) : "the camera stays");
  return true;
}

}  // namespace vertebra::viewer
