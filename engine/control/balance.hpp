// Balance: a figure stands over its feet without any force on its root. The capture point xi = c + c' / omega0, omega0^2 = g / height of
// the centre of mass c (Pratt et al. 2006; the linear inverted pendulum of Kajita et al. 2001), is brought to that of the reference pose by
// the centre of pressure p = xi_ref + (1 + k)(xi - xi_ref), kept within the soles (zero moment point: Vukobratovic and Borovac 2004): the
// ankles' part. What p asks for beyond the soles, up to a bound, the ground forces give at the cost of a moment that turns the body: the
// hips' part. Where that is not enough, a biped steps (foot_step.hpp). Forces: least squares in pyramids of friction, then inverse dynamics
// (FeedForward). Legs get these torques and weak drives, other axes the reference's drives. SI units, world axes, Z up, level ground at
// height 0.
#pragma once
#include <memory>
#include <vector>

#include "engine/control/command.hpp"
#include "engine/control/feed_forward.hpp"
#include "engine/control/foot_step.hpp"
#include "engine/control/gains.hpp"

namespace vertebra::control {

struct BalanceSettings {
  double capture = 3;                     // k above: the capture point returns at the rate k omega0
  double centred = 0.75;                  // the centre of mass wanted: 0: the reference's; 1: over the middle of the soles
  double height = 8, heightRatio = 1;     // rad/s and share of critical damping: of the centre of mass up and down
  double upright = 10, uprightRatio = 1;  // rad/s, likewise: of the root's orientation towards the reference
  double hip = 0.03;                      // m: how far beyond the soles the centre of pressure may be wanted; 0: no hip strategy
  double arm = 1;                         // missing forces weigh as missing moments at this share of the height of the centre of mass
  double legs = 0.2;                      // share of their stiffness that drives of the legs keep
  double friction = 0.8;                  // of the ground, that the controller counts on
  FootStepSettings step;
};

// Of the last step.
struct BalanceState {
  Vec3 centre = Vec3::Zero(), velocity = Vec3::Zero();  // of mass
  Vec3 capture = Vec3::Zero(), wanted = Vec3::Zero();   // capture points on the ground: now, of the reference
  Vec3 pressure = Vec3::Zero();                         // centre of pressure of the forces that were planned
  double outside = 0;                                   // m: how far the capture point is outside of the soles that stand
  int standing = 0;                                     // soles near the ground
  int steps = 0;                                        // taken until now
};

class Balance : public Controller {
 public:
  Balance(std::shared_ptr<const figure::FigureModel> model, const BalanceSettings& settings);
  ~Balance() override;

  // The command's q is the reference: its feet may stand elsewhere on the ground, the reference is shifted to them. The first call takes
  // the soles from the lowest points of the figure as it stands.
  Failure apply(const Moment& now, Command& command) override;
  void exchange(ControllerState& state) override;
  const BalanceSettings& settings() const { return settings_; }
  const BalanceState& state() const { return state_; }
  const std::vector<SolePoint>& soles() const { return soles_; }

 private:
  Failure begin(const Moment& now);
  void readFeet(const Moment& now, const Command& command);
  Vec3 wantedAcceleration(double gravity);
  Vec3 wantedTurn(const Moment& now, const Command& command) const;
  void driveLegs(const Moment& now, Command& command);
  void driveAxes(const Moment& now, Command& command);

  std::shared_ptr<const figure::FigureModel> model_;
  BalanceSettings settings_;
  figure::FigureWorkspace workspace_;
  std::unique_ptr<FeedForward> forward_;
  FootStep step_;
  Gains gains_;
  Efforts efforts_;
  std::vector<SolePoint> soles_;
  std::vector<int> feet_;
  std::vector<bool> stands_, leg_;  // by sole; by velocity
  std::vector<Eigen::Vector2d> support_;
  std::vector<double> first_, a_, tau_, error_, end_;  // first_: pose from which the soles were taken
  Vec3 reference_ = Vec3::Zero();                      // centre of mass of the reference, over the feet as they stand
  Vec3 rootOfReference_ = Vec3::Zero();                // from there
  BalanceState state_;
  bool begun_ = false;
};

}  // namespace vertebra::control
