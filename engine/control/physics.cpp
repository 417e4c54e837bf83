// See physics.hpp.
#include "engine/control/physics.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::control {

namespace {
constexpr double kMostParts = 2147483647;  // of a frame
}

std::string playByPhysics(std::shared_ptr<const figure::FigureModel> model, std::shared_ptr<const figure::Trajectory> trajectory,
                          const PhysicsSettings& settings, PhysicsResult& out) {
  if (trajectory->nq() != model->nq() || !model->coordinates.floatingBase)
    return "the trajectory has " + std::to_string(trajectory->nq()) + " coordinates, the figure with a moving root " +
           std::to_string(model->nq()) + "; retarget the motion onto this figure";
  if (!(settings.start < trajectory->frameTime * (trajectory->frames() - 1)) && trajectory->frames() > 1)
    return "the start lies at the end of the trajectory or behind it";
  if (trajectory->frames() < 2) return "the trajectory has fewer than two frames; there is nothing to track";
  const figure::Surface& surface = model->surface();
  if (std::all_of(surface.begin(), surface.end(), [](const auto& points) { return points.empty(); }))
    return "no link of the figure has a collision shape, so it cannot stand on the ground; give it some, or load it with "
           "VTB_LOAD_FLAG_DERIVE_COLLISION (--derive-collision)";
  out = {};
  if (settings.prepares) trajectory = prepare(model, trajectory, settings.preparation, out.shift);
  const auto course = std::make_shared<const Course>(model, trajectory);
  const double steps = std::max(1.0, std::ceil(trajectory->frameTime / settings.step - 1e-9));
  if (!(steps <= kMostParts)) return "a frame would be " + std::to_string(steps) + " steps, 2^31 at most; give a longer step";
  const int parts = static_cast<int>(steps);
  WorldSettings of;
  of.timeStep = trajectory->frameTime / parts;
  of.sleeping = false;
  world::World world(of);
  geometry::Shape ground;
  ground.geometry.type = geometry::ShapeType::Plane;
  ground.surface.friction = settings.track.friction;
  ground.surface.frictionRule = geometry::Combine::Minimum;
  int id = -1;
  if (Failure f = world.createShape(-1, ground, -1, id)) return f.text();
  figure::Figure figure;
  figure::FigureDefinition d;
  d.model = model;
  d.selfCollision = settings.selfCollision;
  if (Failure f = figure::Figure::create(world, d, figure)) return f.text();
  Tracker tracker(course, figure, settings.track);
  const int first = std::clamp(static_cast<int>(std::lround(settings.start / trajectory->frameTime)), 0, trajectory->frames() - 2);
  out.started = first * trajectory->frameTime;
  if (Failure f = tracker.start(world, out.started)) return f.text();
  out.trajectory = *trajectory;
  out.trajectory.q.clear();
  std::vector<double> q(static_cast<std::size_t>(model->nq()));
  for (int i = first; i < trajectory->frames() && !tracker.fallen(); i++) {
    figure.q(world, q.data());
    out.trajectory.q.insert(out.trajectory.q.end(), q.begin(), q.end());
    for (int k = 0; k < parts && i + 1 < trajectory->frames() && !tracker.fallen(); k++) {
      if (Failure f = tracker.before(world)) return f.text();
      if (Failure f = world.step()) return f.text();
      tracker.after(world);
    }
  }
  out.measures = tracker.measures();
  return {};
}

}  // namespace vertebra::control
