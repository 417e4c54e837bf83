// Animation: clips one after the other as the pose that is wanted, with drives of the axes that follow it. Where one clip begins, or begins
// again, both run for a while and weights 10u^3 - 15u^4 + 6u^5 lead from one to the other: positions linear, rotations on the rotation
// group. A figure that is far from its pose, or is hit, is let go: its drives become weak, and after a while they take the motion up again.
// SI units, radians; time is the world's.
#pragma once
#include <memory>
#include <vector>

#include "engine/control/clip.hpp"
#include "engine/control/command.hpp"
#include "engine/control/drive.hpp"

namespace vertebra::control {

enum class Repeat {
  No,      // its last frame stays
  Stay,    // again from the clip's own place
  Travel,  // again from where it has come to
};

struct PlayedClip {
  std::shared_ptr<Clip> clip;
  double begin = 0;            // s: when it begins
  double blend = 0.3;          // s, from then on, in which it takes over from those before it; 0: at once
  double from = 0, to = kInf;  // s of the clip: the part that is played; at most its duration
  double speed = 1;            // > 0
  Repeat repeat = Repeat::No;  // and with a seam of
  double seam = 0.2;           // s of the clip, at most half of the part
  Place place;                 // of its root
  bool joins = false;          // its place is set when it begins, so that the root goes on from where the motion before it has it
};

struct AnimationSettings {
  double omega = 25, ratio = 1;  // of the axes' drives, as in Drive
  double strength = 1;           // likewise
  std::vector<double> share;     // of omega squared, by velocity; empty: 1
  double largestError = kInf;    // m: mean distance of the links from their pose, relative to the root, from which on the figure is let go
  double largestImpact = kInf;   // N: likewise, force of a contact with another body that moves
  double limp = 0.02;            // share of stiffness while it is let go
  double rest = 0.5;             // s for which it is at least
  double resume = 1;             // s in which drives and pose return
};

class Animation : public Controller {
 public:
  Animation(std::shared_ptr<const figure::FigureModel> model, const AnimationSettings& settings);

  // Behind those that were given before, none of which begins later. Those that no longer act at `now` [s] are forgotten.
  void play(const PlayedClip& clip, double now);
  const AnimationSettings& settings() const { return settings_; }
  bool letGo() const { return state_ == State::LetGo; }
  double error() const { return error_; }    // m: of the last step, as largestError has it; 0 where that is infinite
  double impact() const { return impact_; }  // N: likewise
  double lastBegin() const { return clips_.empty() ? 0 : clips_.back().played.begin; }
  int count() const { return static_cast<int>(clips_.size()); }

  Failure apply(const Moment& now, Command& command) override;
  void exchange(ControllerState& state) override;

 private:
  enum class State { Follows, LetGo, Resumes };
  struct Sample {  // coordinates, velocities, accelerations
    std::vector<double> q, v, a;
  };
  struct Entry {
    PlayedClip played;
    bool begun = false;  // what follows is known
    Place step;          // from one repetition to the next
    Place round, last;   // of repetition `index`, and of the one before it
    double index = 0;
  };
  void begin(Entry& entry, std::size_t index);
  void poseAt(double time, std::size_t count);  // of the first `count` clips, from base_ on, into pose_
  void sample(Entry& entry, double time, Sample& out);
  void sampleAt(const PlayedClip& played, const Place& place, double t, Sample& out);
  void mix(double w, double rate, const Sample& other, Sample& into);  // w: weight of `other`; rate: its derivative, 1/s
  void watch(const Moment& now);
  double share(const Moment& now);
  void drive(Command& command, double share);

  std::shared_ptr<const figure::FigureModel> model_;
  AnimationSettings settings_;
  Gains gains_;
  std::vector<double> limit_;
  std::vector<Entry> clips_;
  figure::FigureWorkspace workspace_;
  State state_ = State::Follows;
  double since_ = 0, error_ = 0, impact_ = 0;
  Sample base_, pose_, other_, seam_, held_;
  std::vector<double> difference_;
  std::vector<Pose> wanted_;
  std::vector<int> bodies_;  // of the figure, ascending
  bool started_ = false;     // pose_ is that of the last step
};

}  // namespace vertebra::control
