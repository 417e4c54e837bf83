// Tracker: before each step of a world it drives a figure along a course: feed-forward torques by inverse dynamics with contact, feedback
// of the axes by implicit drives whose stiffness follows the torque (Cline ch. 5.1.1), feedback of the root by the ground forces that the
// feet can give, and of what these lack a bounded wrench on the root, the assistance. Without assistance a biped's course moves with its
// feet (stepping.hpp). After each step it measures, against the course as it was given. SI units, world axes, Z up, level ground at height
// 0.
#pragma once
#include <memory>
#include <vector>

#include "engine/control/course.hpp"
#include "engine/control/feed_forward.hpp"
#include "engine/control/gains.hpp"
#include "engine/control/stepping.hpp"
#include "engine/figure/figure.hpp"

namespace vertebra::control {

struct TrackSettings {
  double omega = 15, ratio = 1;          // of the axes' feedback, rad/s and share of critical damping
  double rootOmega = 21, rootRatio = 1;  // of the root's
  double flexion = 0.1;                  // rad or m: stiffness grows by the torque over this; infinite: not at all
  double bend = 0.5;                     // rad or m: error of an axis at which its feedback alone is its limit of torque, or less
  double window = 0.05;                  // s: a foot may stand so much earlier or later than the course says
  double friction = 0.8;                 // of the ground, that the feed-forward counts on
  double assistForce = 0.5;              // largest force on the root as a share of the weight; 0: none
  double assistMoment = 0.5;             // largest moment as a share of the weight times the height of the centre of mass
  bool feedForward = true, feedback = true;
  bool stepping = true;  // of bipeds: legs that stand are soft; without assistance feet land where the body goes
  SteppingSettings steps;
};

// Of what was measured since the tracker was made.
struct TrackMeasures {
  double time = 0;                                    // s that were measured
  double fall = -1;                                   // s: when it fell; negative: it did not
  double assistMean = 0, assistPeak = 0;              // force on the root over the weight
  double assistMomentMean = 0, assistMomentPeak = 0;  // moment over weight times height of the centre of mass
  double errorMean = 0, errorPeak = 0;                // m: of the origins of moving links, against the course
  double clamped = 0;                                 // largest share of time that one axis spent at its limit of torque
  int clampedVelocity = -1;                           // which
  double slideMean = 0, slidePeak = 0;                // m: farthest that a sole moves along the ground while its foot should stand and does
  double depth = 0;                                   // m: deepest contact with the ground
  double moved = 0;                                   // m: farthest that the course was moved along the ground
  int contacts = 0, derivedEfforts = 0;
};

class Tracker {
 public:
  Tracker(std::shared_ptr<const Course> course, const figure::Figure& figure, const TrackSettings& settings);

  // The figure's state on the course at a time of it.
  Failure start(world::World& world, double time);
  // Before a step of the world, then after it. `offset`: time of the course at time 0 of the world.
  Failure before(world::World& world);
  void after(const world::World& world);
  TrackMeasures measures() const;
  const std::vector<double>& reference() const { return qRef_; }  // coordinates of the course after the last step, not moved
  bool fallen() const { return fall_ >= 0; }                      // the centre of mass is below 70 % of its height in the course

 private:
  void readStanding(const world::World& world);
  void addRootFeedback();
  bool assisted() const { return settings_.assistForce > 0 || settings_.assistMoment > 0; }
  bool steps() const { return settings_.stepping && settings_.feedback && settings_.feedForward && stepping_.able() && !assisted(); }
  bool softens() const { return settings_.stepping && settings_.feedForward && stepping_.able(); }
  double arm() const;
  Failure assist(world::World& world, const Vec6& lacking);
  void measureFeet(const world::World& world);
  void measureLinks();

  std::shared_ptr<const Course> course_;
  const figure::Figure& figure_;
  TrackSettings settings_;
  Gains gains_;
  Efforts efforts_;
  FeedForward feedForward_;
  Stepping stepping_;
  figure::FigureWorkspace reference_;
  std::vector<double> q_, v_, qRef_, vRef_, aRef_, qTarget_, vTarget_, tau_, stiffness_, damping_, motors_;
  std::vector<bool> stands_;
  double offset_ = 0, time_ = 0, weight_ = 0, height_ = 0;

  struct Foot {
    bool down = false;
    double slide = 0;  // m: farthest that a sole of it moved along the ground since it came down
  };
  struct Sole {
    bool down = false;
    Vec3 from = Vec3::Zero();  // on the ground
  };
  std::vector<Foot> feet_;
  std::vector<Sole> soles_;
  std::vector<double> slides_;  // of contacts that ended
  std::vector<int> atLimit_;
  int steps_ = 0;
  double fall_ = -1, assistSum_ = 0, assistPeak_ = 0, momentSum_ = 0, momentPeak_ = 0, errorSum_ = 0, errorPeak_ = 0, depth_ = 0,
         moved_ = 0;
};

}  // namespace vertebra::control
