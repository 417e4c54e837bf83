// The time of a viewed world: steps that keep up with the clock, pause, single steps, speed, going back. Seconds of the world unless said.
#pragma once
#include <deque>

#include "viewer/history.hpp"
#include "viewer/include/vertebra_view.h"

namespace vertebra::viewer {

class Pace {
 public:
  Pace(const vtb_viewer_def& def, vtb_world* world);

  // So much of the clock's time goes by. before: called before each step.
  template <class Before>
  void advance(double seconds, const Cannon* cannon, const Grab& grab, Before&& before);
  void step(const Cannon* cannon, const Grab& grab);  // one; cannon null: played
  // By so much; false, with the reason in why, if that is not possible.
  bool back(double seconds, Cannon* cannon, Grab& grab, const char*& why);
  bool reset(Cannon* cannon, Grab& grab, const char*& why);
  void forget(const Cannon& cannon, const Grab& grab);  // all snapshots but that of now

  bool played() const { return played_; }
  double time() const;
  double end() const { return end_; }

  bool paused = false;
  double speed = 1;
  // Read only.
  std::uint64_t steps = 0, frames = 0, rewinds = 0;
  double leftOut = 0, stepSeconds = 0;  // stepSeconds: of the clock, a step of the last frame
  bool diverged = false;
  double realTime() const { return realTime_; }
  double frameRate() const { return frameRate_; }
  double earliest() const { return played_ ? 0 : history_.earliest(); }

 private:
  bool stepOnce();
  void measure(double seconds, double done);

  struct Sample {
    double clock, done, asked;
  };
  vtb_world* world_;
  bool played_, drawn_;  // drawn_: each frame has a picture
  double end_, patience_, step_ = 0, due_ = 0, playTime_ = 0;
  double realTime_ = 1, frameRate_ = 0;
  std::deque<Sample> samples_;
  History history_;
};

double secondsOfClock();  // of a clock that never goes back

template <class Before>
void Pace::advance(double seconds, const Cannon* cannon, const Grab& grab, Before&& before) {
  frames++;
  double done = 0;
  if (played_) {
    if (!paused) playTime_ += seconds * speed, done = seconds * speed;
    if (playTime_ > end_) playTime_ = end_ > 0 ? playTime_ - end_ * static_cast<long>(playTime_ / end_) : 0;
  } else if (!paused) {
    due_ += seconds * speed;
    if (due_ >= step_ * (1 - 1e-9)) history_.record(*cannon, grab);
    const double start = secondsOfClock();
    int made = 0;
    while (due_ >= step_ * (1 - 1e-9)) {
      if (made > 0 && secondsOfClock() - start > patience_) {  // the world is slower than asked for; steps stay as long as they are
        leftOut += due_;
        due_ = 0;
        break;
      }
      before(step_);
      if (!stepOnce()) break;
      due_ -= step_;
      done += step_;
      made++;
    }
    if (made > 0) stepSeconds = (secondsOfClock() - start) / made;
  }
  measure(seconds, done);
}

}  // namespace vertebra::viewer
