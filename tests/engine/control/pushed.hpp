// A figure on level ground whose drives follow a command that a controller changes, and pushes on its root from any side.
#pragma once
#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/control/balance.hpp"
#include "engine/control/drive.hpp"
#include "engine/control/stack.hpp"
#include "engine/retarget/target.hpp"

namespace pushed {

using namespace vertebra;
using namespace vertebra::control;

struct Push {
  double at = 0, lasts = 0.2;       // s
  double force = 0, direction = 0;  // N; rad about z from x
};

class Stand {
 public:
  world::World world;
  figure::Figure figure;
  Stack stack;
  std::vector<double> reference, q, v;  // coordinates to stand in; of the figure now

  Stand(std::shared_ptr<const figure::FigureModel> model, double step, double friction = 0.8)
      : world(settings(step)), stack(model), model_(model) {
    geometry::Shape ground;
    ground.geometry.type = geometry::ShapeType::Plane;
    ground.surface.friction = friction;
    ground.surface.frictionRule = geometry::Combine::Minimum;
    int id = -1;
    failure = world.createShape(-1, ground, -1, id);
    figure::FigureDefinition d;
    d.model = model;
    d.selfCollision = false;
    if (!failure) failure = figure::Figure::create(world, d, figure);
    reference.resize(static_cast<std::size_t>(model->nq()));
    q = reference;
    v.resize(static_cast<std::size_t>(model->nv()));
    figure::neutral(model->coordinates, reference.data());
  }

  Failure failure;

  // The reference's root as high as its lowest point needs, and the figure in it.
  void stand(const figure::Surface& surface) {
    retarget::Kinematics k(model_);
    k.update(reference.data());
    double low = 1e9;
    for (std::size_t b = 0; b < surface.size(); b++)
      for (const figure::SurfacePoint& p : surface[b]) low = std::min(low, k.position({static_cast<int>(b), p.point}).z() - p.radius);
    reference[2] -= low;
    failure = figure.setState(world, reference.data(), nullptr);
  }

  // One step; force: on the root link's centre of mass.
  Failure step(Controller& controller, const Vec3& force) {
    if (stack.controllers().empty()) {  // the pose first, then the controller, which outlives this
      stack.controllers().push_back(std::make_shared<Reference>(reference));
      stack.controllers().emplace_back(&controller, [](Controller*) {});
    }
    if (Failure f = stack.before(world, figure)) return f;
    if (force.squaredNorm() > 0) world.addForce(figure.bodies()[static_cast<std::size_t>(model_->skeleton->root)], force, nullptr, false);
    Failure f = world.step();
    figure.q(world, q.data());
    figure.v(world, v.data());
    return f;
  }

  // Centre of pressure of the ground's forces in the last step, and their sum.
  Vec3 pressure(double& load) const {
    Vec3 sum = Vec3::Zero();
    load = 0;
    for (const Contact& c : world.contacts()) {
      if (c.bodyA >= 0 && c.bodyB >= 0) continue;
      const double up = std::fabs(c.force.z());
      sum += up * c.position;
      load += up;
    }
    return load > 0 ? Vec3(sum / load) : sum;
  }

 private:
  struct Reference : Controller {  // the pose to stand in
    explicit Reference(const std::vector<double>& pose) : q(pose) {}
    Failure apply(const Moment&, Command& command) override {
      command.q = q;
      return {};
    }
    const std::vector<double>& q;
  };
  static WorldSettings settings(double step) {
    WorldSettings s;
    s.timeStep = step;
    s.sleeping = false;
    return s;
  }
  std::shared_ptr<const figure::FigureModel> model_;
};

inline Vec3 forceAt(double t, const std::vector<Push>& pushes) {
  Vec3 sum = Vec3::Zero();
  for (const Push& p : pushes)
    if (t >= p.at - 1e-9 && t < p.at + p.lasts - 1e-9) sum += p.force * Vec3(std::cos(p.direction), std::sin(p.direction), 0);
  return sum;
}

}  // namespace pushed
