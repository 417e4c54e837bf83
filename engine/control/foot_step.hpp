// A step by which a standing biped catches itself: where the capture point leaves the soles farther than they and the hips can bring back,
// one foot swings to where it will be by then. The capture point xi moves away from a centre of pressure p as p + (xi - p) e^(omega t)
// (Pratt et al. 2006; Koolen et al. 2012, "Capturability-based analysis"). World axes, Z up, level ground at height 0, SI units.
#pragma once
#include <memory>
#include <vector>

#include "engine/control/command.hpp"
#include "engine/control/course.hpp"
#include "engine/control/legs.hpp"

namespace vertebra::control {

struct FootStepSettings {
  double time = 0.25;      // s, that a step takes; 0: none is taken
  double outside = 0.015;  // m: how far outside of the soles the capture point is when a step begins
  double reach = 0.45;     // share of the height of the centre of mass: farthest that a foot lands from the other
  double apart = 0.7;      // share of the distance of the hips: nearest to the other, on its own side
  double lift = 0.035;     // share of the height of the centre of mass, by which a foot is lifted half way
};

class FootStep {
 public:
  using Vec2 = Eigen::Vector2d;

  FootStep(std::shared_ptr<const figure::FigureModel> model, const FootStepSettings& settings);
  // home: a pose in which the figure stands on `feet` (bodies) by `soles`.
  void findLegs(const std::vector<double>& home, const std::vector<SolePoint>& soles, const std::vector<int>& feet);

  bool able() const { return settings_.time > 0 && legs_.size() == 2; }  // it stands on the feet of two legs
  bool swings(int body) const { return moves(body) && !landed_; }
  bool movesBy(std::size_t velocity) const;  // an axis of the leg that swings, or has landed and is not flat yet
  int taken() const { return taken_; }

  // Begins a step, goes on with it for `h`, or ends it. q: the figure's; capture: its capture point; omega, height: of its pendulum, rad/s
  // and m; outside: m, how far the capture point is outside of the soles that stand.
  void follow(double h, const double* q, const Vec3& capture, double omega, double height, double outside);
  // By how much lower the centre of mass is for legs that stand apart.
  double lowered(const double* q);
  // The axes of both legs in a command, once a step was taken: of the one that swings by the way of its foot; of one that stands by where
  // its foot is under a root at `root` that is turned as the command's. end: coordinates at the end of the world's step.
  void drive(const double* q, const double* v, const double* end, const Vec3& root, Command& command);
  void exchange(ControllerState& state);

 private:
  struct Leg {
    int top = -1, foot = -1;         // bodies; toes may hang at the foot
    std::vector<int> bodies;         // foot and toes
    std::vector<std::size_t> soles;  // of these
    std::vector<int> qs, vs;         // coordinates and velocities of its axes
    Mat3 turn = Mat3::Identity();    // of the foot at home, in the frame of the root's heading
    double up = 0, away = 0;         // m: of the hip above the foot, and beside it, at home
  };
  struct Landing {
    Vec2 place = Vec2::Zero();  // of the foot's body
    double missed = 0;          // m, from where it should be
  };
  Landing landing(const Leg& leg, const Leg& other, const Vec2& capture, double omega, double height, double left);
  Mat3 heading(const double* q) const;
  Vec2 hip(const Leg& leg);
  Vec2 middle(const Leg& leg);
  bool moves(int body) const;
  int touching(const Leg& leg);      // soles
  double clearance(const Leg& leg);  // m: of its lowest sole above the ground

  std::shared_ptr<const figure::FigureModel> model_;
  FootStepSettings settings_;
  std::vector<SolePoint> soles_;
  LegSolver solver_;
  std::vector<Leg> legs_;
  std::vector<double> q_, v_;  // scratch
  std::vector<Vec2> points_;
  double hips_ = 0;  // m: their distance

  int swing_ = -1, taken_ = 0;                                             // swing_: leg, -1: none
  bool stepped_ = false;                                                   // the feet stand where steps left them
  bool landed_ = false;                                                    // and is not flat yet
  double time_ = 0, lift_ = 0;                                             // s since the step began; m
  Vec2 place_ = Vec2::Zero(), rate_ = Vec2::Zero(), goal_ = Vec2::Zero();  // of the body of the foot that swings
  double height_ = 0, climb_ = 0;                                          // of that above where it stands, and its rate
  Vec3 stand_[2] = {Vec3::Zero(), Vec3::Zero()};                           // where the bodies of both stand since they landed
  Vec3 last_[2] = {Vec3::Zero(), Vec3::Zero()};                            // where they were in the last step of the world
};

}  // namespace vertebra::control
