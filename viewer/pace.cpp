// See pace.hpp.
#include "viewer/pace.hpp"

#include <algorithm>
#include <chrono>

#include "viewer/world_view.hpp"

namespace vertebra::viewer {

double secondsOfClock() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

Pace::Pace(const vtb_viewer_def& def, vtb_world* world)
    : paused((def.flags & VTB_VIEWER_PAUSED) != 0),
      world_(world),
      played_((def.flags & VTB_VIEWER_PLAYED) != 0),
      drawn_((def.flags & VTB_VIEWER_OFFSCREEN) == 0),
      end_(def.end),
      patience_(def.patience),
      history_(world, def.history, def.memory) {
  vtb_world_def settings{};
  settings.struct_size = sizeof settings;
  check(vtb_world_get_settings(world, &settings));
  step_ = settings.time_step;
}

double Pace::time() const {
  if (played_) return playTime_;
  double now = 0;
  check(vtb_world_get_time(world_, &now));
  return now;
}

// False where the world has been undone to the step before and stands still now.
bool Pace::stepOnce() {
  const vtb_status status = vtb_world_step(world_, 1);
  if (status == VTB_E_DIVERGED) {
    paused = diverged = true;
    due_ = 0;
    return false;
  }
  if (status != VTB_E_UNSOLVED && status != VTB_E_INFEASIBLE) check(status);
  steps++;
  return true;
}

void Pace::step(const Cannon* cannon, const Grab& grab) {
  paused = true;
  due_ = 0;
  if (played_) {
    playTime_ = std::min(end_, playTime_ + 1.0 / 60);
    return;
  }
  history_.record(*cannon, grab);
  stepOnce();
}

bool Pace::back(double seconds, Cannon* cannon, Grab& grab, const char*& why) {
  if (played_) {
    playTime_ = std::max(0.0, playTime_ - seconds);
    return true;
  }
  const double now = time();
  const double* before = history_.before(now);
  if (!before && !history_.empty() && history_.earliest() >= now - 1e-12) {
    why = "there is no earlier snapshot";
    return false;
  }
  due_ = 0;
  if (!history_.back(before ? std::min(*before, now - seconds + 1e-9) : now, *cannon, grab, why)) return false;
  rewinds++;
  diverged = false;
  return true;
}

bool Pace::reset(Cannon* cannon, Grab& grab, const char*& why) {
  due_ = 0;
  if (played_) {
    playTime_ = 0;
    return true;
  }
  if (history_.empty()) return true;  // nothing was done yet
  if (!history_.back(-1, *cannon, grab, why)) return false;
  rewinds++;
  diverged = false;
  return true;
}

void Pace::forget(const Cannon& cannon, const Grab& grab) {
  history_.forget();
  history_.record(cannon, grab);
}

void Pace::measure(double seconds, double done) {
  samples_.push_back({secondsOfClock(), done, seconds * speed});
  while (samples_.size() > 2 && samples_.back().clock - samples_.front().clock > 1) samples_.pop_front();
  const double span = samples_.back().clock - samples_.front().clock;
  if (span <= 0) return;
  double sum = 0, asked = 0;
  for (const Sample& s : samples_) sum += s.done, asked += s.asked;
  frameRate_ = drawn_ ? static_cast<double>(samples_.size() - 1) / span : 0;
  realTime_ = asked > 0 ? sum / asked : 1;
}

}  // namespace vertebra::viewer
