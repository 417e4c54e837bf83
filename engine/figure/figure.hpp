// Figure: a skeleton in a world as bodies, shapes, joints and couplings, with the generalised coordinates of the whole. Order and meaning
// of coordinates: FigureModel (figure_model.hpp) and capi/include/vertebra/.
#pragma once
#include <memory>
#include <vector>

#include "engine/figure/figure_model.hpp"
#include "engine/world/world.hpp"

namespace vertebra::figure {

struct FigureDefinition {
  std::shared_ptr<const FigureModel> model;  // fixes the skeleton, the base and whether mimic joints have coordinates
  Pose pose;                                 // root link frame in the world
  bool selfCollision = true;
};

class Figure {
 public:
  // Creates everything or nothing.
  static Failure create(world::World& world, const FigureDefinition& d, Figure& out);
  void destroy(world::World& world);  // lastDestroyed of the world then lists everything destroyed

  const FigureModel& model() const { return *model_; }
  std::shared_ptr<const FigureModel> sharedModel() const { return model_; }
  const std::vector<int>& bodies() const { return bodies_; }  // by link of the skeleton
  const std::vector<int>& joints() const { return joints_; }  // by joint of the skeleton
  const std::vector<int>& shapes() const { return shapes_; }
  const std::vector<int>& couplings() const { return couplings_; }
  int baseJoint() const { return baseJoint_; }  // fixed joint of a fixed base to the world, or -1

  void q(const world::World& world, double* out) const;
  void v(const world::World& world, double* out) const;
  // Either may be null; all or nothing. `followers`: joints that close a cycle, which others move, are passed over instead of refused.
  Failure setState(world::World& world, const double* q, const double* v, bool followers = false) const;
  Failure setMotors(world::World& world, const double* qTarget, const double* vTarget, const double* stiffness, const double* damping,
                    const double* maxForce) const;
  Failure setTorques(world::World& world, const double* tau) const;
  void motorForces(const world::World& world, double* tau) const;

 private:
  Failure setParts(world::World& world, const double* q, const double* v, bool followers) const;

  std::shared_ptr<const FigureModel> model_;
  std::vector<int> bodies_, joints_, shapes_, couplings_;
  int baseJoint_ = -1;
};

}  // namespace vertebra::figure
