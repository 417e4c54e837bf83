// The laws of the parts: each row of a part from the speeds at the start of a step, and the readings after it. See driveline.hpp.
#include <algorithm>
#include <cmath>

#include "engine/driveline/driveline.hpp"

namespace vertebra::driveline {
namespace {

// Piecewise linear, constant beyond the ends.
struct Place {
  std::size_t at;
  double share;
};
Place placeIn(const std::vector<double>& x, double value) {
  if (x.size() < 2 || value <= x.front()) return {0, 0};
  std::size_t i = 1;
  while (i + 1 < x.size() && x[i] < value) i++;
  return {i - 1, std::min(1.0, (value - x[i - 1]) / (x[i] - x[i - 1]))};
}
double between(const double* y, const Place& p) { return p.share > 0 ? y[p.at] + p.share * (y[p.at + 1] - y[p.at]) : y[p.at]; }

// Speed ratio above which a converter's slip is treated as zero: its row, c = capacity w / (1 - r a), stays finite where it locks.
constexpr double kLeastSlip = 1e-3;

double throttleAt(const DrivelinePart& p, double speed) {
  const double governed = p.def.governorGain * (p.in.speed - speed) + p.state.integral;
  return std::clamp(std::max(p.in.throttle, governed), 0.0, 1.0);
}
double viscous(const DrivelineDefinition& d, double speed) { return (d.friction[1] + d.friction[2] * std::fabs(speed)) * speed; }
double netTorque(const DrivelinePart& p, double speed) {
  const DrivelineDefinition& d = p.def;
  double gas = 0;
  if (speed >= d.speeds.front()) {
    const Place s = placeIn(d.speeds, speed), u = placeIn(d.throttles, throttleAt(p, speed));
    const double* row = d.torques.data() + u.at * d.speeds.size();
    gas = between(row, s);
    if (u.share > 0) gas += u.share * (between(row + d.speeds.size(), s) - gas);
  }
  return gas - viscous(d, speed);
}

void set(DrivelinePart::Row& r, std::initializer_list<double> weights) {
  r.active = true;
  std::fill(r.weight.begin(), r.weight.end(), 0.0);
  std::copy(weights.begin(), weights.end(), r.weight.begin());
  r.rate = r.damping = 0;
  r.lower = -kInf;
  r.upper = kInf;
}
void bound(DrivelinePart::Row& r, double most) {
  r.lower = -most;
  r.upper = most;
  r.active &= most > 0;
}

// Torque, and its steepest fall over the range of speeds that the step may reach, estimated from the last step. An error of the gradient is
// an error of second order in the change of speed; but a torque that drops within a step must not be treated as constant.
void engine(DrivelinePart& p) {
  const double w = p.speed[0], torque = netTorque(p, w);
  const double reach = std::max(2 * p.state.change, 1e-3 * (1 + std::fabs(w)));
  double fall = 0;
  constexpr int kParts = 8;
  double last = netTorque(p, w - reach);
  for (int i = 1; i <= kParts; i++) {
    const double next = netTorque(p, w + reach * (2.0 * i / kParts - 1));
    fall = std::max(fall, (last - next) * kParts / (2 * reach));
    last = next;
  }
  DrivelinePart::Row& r = p.rows[0];
  set(r, {1});
  // A constant torque is a row too, so soft that changes of speed have no effect on it.
  r.damping = std::max(fall, 1e-6 * std::fabs(torque) / (1 + std::fabs(w)));
  r.active = r.damping > 0;
  if (r.active) r.rate = w + torque / r.damping;
  set(p.rows[1], {1});
  bound(p.rows[1], p.def.friction[0]);
}

void converter(DrivelinePart& p) {
  const DrivelineDefinition& d = p.def;
  const double impeller = p.speed[0], turbine = p.speed[1];
  const bool drives = std::fabs(impeller) >= std::fabs(turbine);  // otherwise the turbine drives and the stator runs free
  const double lead = drives ? impeller : turbine, ratio = lead == 0 ? 0 : (drives ? turbine : impeller) / lead;
  const Place at = placeIn(d.ratios, ratio);
  const double gain = drives ? between(d.torqueRatios.data(), at) : 1;
  DrivelinePart::Row& r = p.rows[0];
  set(r, {1, -gain});
  r.damping = between(d.capacities.data(), at) * std::fabs(lead) / std::max(kLeastSlip, 1 - ratio * gain);
  r.active = r.damping > 0;
  set(p.rows[1], {1, -1});
  bound(p.rows[1], p.in.lock > 0 ? p.in.lock * d.maxTorque : 0);
}

// Losses of the meshes and bearings of a part at its input: a share of the input torque of the last step.
void losses(DrivelinePart& p, DrivelinePart::Row& r, double perAxis) {
  set(r, {perAxis});
  bound(r, p.def.drag + (1 - p.def.efficiency) * std::fabs(p.state.input));
}

void gearbox(DrivelinePart& p, double h) {
  const DrivelineDefinition& d = p.def;
  double closed = p.in.clutch;
  if (p.state.shiftLeft > 0) {  // the middle of the step
    const double done = 1 - std::max(0.0, p.state.shiftLeft - 0.5 * h) / d.shiftTime;
    closed *= std::max(0.0, 2 * done - 1);
  }
  const double ratio = d.ratios[p.in.gear];
  p.state.ratio = closed > 0 ? ratio : 0;
  set(p.rows[0], {1, -ratio});
  bound(p.rows[0], p.state.ratio != 0 ? closed * d.maxTorque : 0);
  losses(p, p.rows[1], 1);
}

void differential(DrivelinePart& p) {
  const DrivelineDefinition& d = p.def;
  set(p.rows[0], {1, -d.ratio * d.split, -d.ratio * (1 - d.split)});
  set(p.rows[1], {0, 1, -1});
  const double locked = p.in.lock > 0 ? p.in.lock * d.maxTorque : 0;
  bound(p.rows[1], locked + d.preload + d.bias * std::fabs(p.state.input * d.ratio));
  losses(p, p.rows[2], 1);
}

// Flows in minus flows out, in units of the largest cylinder's travel, so that the row is a speed. Its force is pressure x that area.
void hydraulics(DrivelinePart& p) {
  const DrivelineDefinition& d = p.def;
  const bool pumped = d.type == DrivelineType::Pump;
  double area = 0;
  for (std::size_t k = pumped; k < d.axes.size(); k++) area = std::max(area, std::fabs(d.axes[k].coefficient));
  DrivelinePart::Row& r = p.rows[0];
  set(r, {});
  const double side = p.in.stroke < 0 ? d.areaRatio : 1;
  for (std::size_t k = 0; k < d.axes.size(); k++) r.weight[k] = (pumped && k == 0 ? -p.in.stroke : side) / area;
  if (!pumped) r.rate = p.in.stroke * d.flow / area;
  if (d.leak > 0) r.damping = area * area / d.leak;
  bound(r, d.pressure * area);
  if (pumped) losses(p, p.rows[1], 1 / d.axes[0].coefficient);
}

}  // namespace

void DrivelinePart::findRows(double h) {
  for (Row& r : rows) r.active = false;
  switch (def.type) {
    case DrivelineType::Engine:
      return engine(*this);
    case DrivelineType::Converter:
      return converter(*this);
    case DrivelineType::Gearbox:
      return gearbox(*this, h);
    case DrivelineType::Differential:
      return differential(*this);
    case DrivelineType::Pump:
    case DrivelineType::Cylinder:
      return hydraulics(*this);
  }
}

void DrivelinePart::conclude(double h, const double* after) {
  const std::size_t axes = def.axes.size();
  std::fill(torque.begin(), torque.end(), 0.0);
  for (const Row& r : rows)
    if (r.active)
      for (std::size_t k = 0; k < axes; k++) torque[k] += r.weight[k] * r.force;
  // With the means of the speeds before and after, the work of these torques equals the step's change of kinetic energy.
  double power[2] = {0, 0};  // of the first axis; of the others
  for (std::size_t k = 0; k < axes; k++) power[k > 0] += 0.5 * torque[k] * (speed[k] + after[k]);
  std::fill_n(state.torque, 4, 0.0);
  for (std::size_t k = 0; k < std::min<std::size_t>(4, axes); k++) state.torque[k] = torque[k] * def.axes[k].coefficient;
  state.input = def.type == DrivelineType::Pump ? state.torque[0] : torque[0];
  state.powerIn = -power[0];
  state.powerOut = power[1];
  switch (def.type) {
    case DrivelineType::Engine: {
      const double gas = (rows[0].active ? rows[0].force : 0) + viscous(def, after[0]);
      state.powerIn = 0.5 * gas * (speed[0] + after[0]);
      state.powerOut = power[0];
      state.throttle = throttleAt(*this, after[0]);
      state.fuelRate = def.fuel * std::max(0.0, state.powerIn);
      state.fuel += h * state.fuelRate;
      state.integral = std::clamp(state.integral + h * def.governorRate * (in.speed - after[0]), 0.0, 1.0);
      state.change = std::fabs(after[0] - speed[0]);
      break;
    }
    case DrivelineType::Converter:
      state.ratio = after[0] != 0 ? after[1] / after[0] : 0;
      break;
    case DrivelineType::Gearbox:
      state.shiftLeft = std::max(0.0, state.shiftLeft - h);
      break;
    case DrivelineType::Differential:
      break;
    case DrivelineType::Cylinder:
      state.powerOut = power[0] + power[1];
      state.powerIn = rows[0].force * rows[0].rate;
      [[fallthrough]];
    case DrivelineType::Pump: {
      double area = 0;
      for (std::size_t k = def.type == DrivelineType::Pump; k < axes; k++) area = std::max(area, std::fabs(def.axes[k].coefficient));
      state.pressure = rows[0].force / area;
      break;
    }
  }
  state.workIn += h * state.powerIn;
  state.workOut += h * state.powerOut;
}

}  // namespace vertebra::driveline
