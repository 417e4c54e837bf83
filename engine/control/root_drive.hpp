// RootDrive: a bounded spring and damper that holds the root link where the controllers before it want it, each axis on its own. The force
// is that at the end of the step, predicted with the root's inertia among its limbs, ((M + h C + h^2 K)^-1) of the figure at the root with
// the drives K, C of the controllers before it: any gain is stable. Drives at their limits count as absent.
// World axes, SI units.
#pragma once
#include <memory>
#include <vector>

#include "engine/control/command.hpp"

namespace vertebra::control {

struct RootDriveSettings {                                          // x, y, z, then about x, y, z
  std::array<double, 6> omega{25, 25, 25, 25, 25, 25};              // rad/s: of the figure as one body; 0: the place does not matter
  std::array<double, 6> rate{};                                     // 1/s: at which a velocity follows, besides
  std::array<double, 6> limit{kInf, kInf, kInf, kInf, kInf, kInf};  // N, N m
  double ratio = 1;                                                 // share of critical damping
  double weight = 0;                                                // share of the figure's weight that the root carries
};

class RootDrive : public Controller {
 public:
  RootDrive(std::shared_ptr<const figure::FigureModel> model, const RootDriveSettings& settings);

  const RootDriveSettings& settings() const { return settings_; }
  const Vec3& force() const { return force_; }    // of the last step, at the root link's origin
  const Vec3& moment() const { return moment_; }  // about it

  Failure apply(const Moment& now, Command& command) override;

 private:
  std::shared_ptr<const figure::FigureModel> model_;
  RootDriveSettings settings_;
  figure::FigureWorkspace workspace_;
  Vec6 inertia_ = Vec6::Zero();  // of the figure as one body in its neutral pose
  Vec3 force_ = Vec3::Zero(), moment_ = Vec3::Zero();
  std::vector<double> error_, tau_, still_, a_, drives_;
};

}  // namespace vertebra::control
