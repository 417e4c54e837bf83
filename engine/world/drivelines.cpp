// World: parts of drivelines, their checks and inputs. Laws: driveline/laws.cpp.
#include <algorithm>
#include <cmath>

#include "engine/constraints/joint_forces.hpp"
#include "engine/driveline/driveline.hpp"
#include "engine/state/world_data.hpp"
#include "engine/trees/topology.hpp"
#include "engine/world/world.hpp"

namespace vertebra::world {
namespace {

bool ascending(const std::vector<double>& x) {
  for (std::size_t i = 1; i < x.size(); i++)
    if (!(x[i] > x[i - 1])) return false;
  return !x.empty();
}

Failure checkEngine(const driveline::DrivelineDefinition& d) {
  if (!ascending(d.speeds) || !ascending(d.throttles) || d.torques.size() != d.speeds.size() * d.throttles.size())
    return {Failure::Argument, "an engine needs speeds and throttles, each ascending, and a torque for every pair of them"};
  return {};
}
Failure checkConverter(const driveline::DrivelineDefinition& d) {
  if (!ascending(d.ratios) || d.ratios.size() < 2 || d.ratios.front() != 0 || d.ratios.back() != 1 ||
      d.torqueRatios.size() != d.ratios.size() || d.capacities.size() != d.ratios.size())
    return {Failure::Argument, "a converter needs speed ratios ascending from 0 to 1, with a torque ratio and a capacity for each"};
  for (std::size_t i = 0; i < d.ratios.size(); i++)
    if (!(d.capacities[i] >= 0) || !(d.torqueRatios[i] > 0) || d.ratios[i] * d.torqueRatios[i] > 1)
      return {Failure::Argument,
              "a converter's capacity is not below 0, and its torque ratio times its speed ratio, its efficiency, not above 1"};
  return {};
}

Failure checkPart(const WorldData& w, const driveline::DrivelineDefinition& d) {
  static constexpr std::size_t kLeast[] = {1, 2, 2, 3, 2, 1};
  const bool hydraulic = d.type == driveline::DrivelineType::Pump || d.type == driveline::DrivelineType::Cylinder;
  const std::size_t least = kLeast[static_cast<int>(d.type)];
  if (hydraulic ? d.axes.size() < least : d.axes.size() != least)
    return {Failure::Argument, "this part of a driveline has " + std::to_string(least) + (hydraulic ? " axes or more" : " axes")};
  for (std::size_t i = 0; i < d.axes.size(); i++) {
    const CouplingTerm& t = d.axes[i];
    if (!constraints::isScalar(w.joints[t.joint], t.axis))
      return {Failure::Unsupported, "a driveline needs axes with one coordinate each, which axis " + std::to_string(t.axis) + " of joint " +
                                        std::to_string(t.joint) + " is not"};
    if (t.coefficient == 0) return {Failure::Argument, "a coefficient of an axis is 0"};
    for (std::size_t k = 0; k < i; k++)
      if (d.axes[k].joint == t.joint && d.axes[k].axis == t.axis) return {Failure::Argument, "a part of a driveline names an axis twice"};
  }
  if (d.type == driveline::DrivelineType::Engine) return checkEngine(d);
  if (d.type == driveline::DrivelineType::Converter) return checkConverter(d);
  if (d.type == driveline::DrivelineType::Gearbox && d.ratios.empty()) return {Failure::Argument, "a gearbox needs ratios"};
  if (d.type == driveline::DrivelineType::Differential && !(d.ratio != 0)) return {Failure::Argument, "the ratio of a differential is 0"};
  return {};
}

Failure checkInput(const driveline::DrivelineDefinition& d, const driveline::DrivelineInput& in) {
  const int gears = d.type == driveline::DrivelineType::Gearbox ? static_cast<int>(d.ratios.size()) : 1;
  if (in.gear < 0 || in.gear >= gears)
    return {Failure::Argument, "gear is " + std::to_string(in.gear) + ", there are " + std::to_string(gears)};
  auto share = [](double x) { return x >= 0 && x <= 1; };
  if (!share(in.throttle) || !share(in.clutch) || !share(in.lock)) return {Failure::Argument, "throttle, clutch and lock are from 0 to 1"};
  if (!(in.stroke >= -1 && in.stroke <= 1)) return {Failure::Argument, "stroke is from -1 to 1"};
  if (!std::isfinite(in.speed)) return {Failure::Argument, "speed is not a finite number"};
  return {};
}

}  // namespace

Failure World::createDriveline(const driveline::DrivelineDefinition& d, int& id) {
  WorldData& w = *data_;
  if (Failure f = checkPart(w, d)) return f;
  auto part = std::make_unique<driveline::DrivelinePart>();
  part->def = d;
  const std::size_t axes = d.axes.size();
  for (std::vector<double>* x :
       {&part->speed, &part->speedAfter, &part->torque, &part->rows[0].weight, &part->rows[1].weight, &part->rows[2].weight})
    x->assign(axes, 0.0);
  if (d.type == driveline::DrivelineType::Gearbox) {
    const auto neutral = std::find(d.ratios.begin(), d.ratios.end(), 0.0);
    part->in.gear = neutral == d.ratios.end() ? 0 : static_cast<int>(neutral - d.ratios.begin());
  }
  UserConstraintDefinition c;
  for (const CouplingTerm& t : d.axes) {
    c.joints.push_back(t.joint);
    part->jointAxes.push_back(w.joints[t.joint].nv);
  }
  c.rows = 3;
  c.evaluate = driveline::evaluateDriveline;
  c.user = part.get();
  if (Failure f = createConstraint(c, id)) return f;
  w.constraints[id].driveline = std::move(part);
  return {};
}

bool World::isDriveline(int constraint) const { return data_->constraints[constraint].driveline != nullptr; }
const driveline::DrivelineDefinition& World::driveline(int constraint) const { return data_->constraints[constraint].driveline->def; }
const driveline::DrivelineInput& World::drivelineInput(int constraint) const { return data_->constraints[constraint].driveline->in; }
const driveline::DrivelineState& World::drivelineState(int constraint) const { return data_->constraints[constraint].driveline->state; }

Failure World::setDrivelineInput(int constraint, const driveline::DrivelineInput& in) {
  WorldData& w = *data_;
  driveline::DrivelinePart& p = *w.constraints[constraint].driveline;
  if (Failure f = checkInput(p.def, in)) return f;
  if (in.gear != p.in.gear) p.state.shiftLeft = p.def.shiftTime;
  p.in = in;
  for (const CouplingTerm& t : p.def.axes)
    for (int body : {w.joints[t.joint].a, w.joints[t.joint].b})
      if (body >= 0) wakeBody(body);
  return {};
}

}  // namespace vertebra::world
