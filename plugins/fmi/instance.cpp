// See instance.hpp.
#include "plugins/fmi/instance.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace vertebra::fmi {

namespace {

constexpr double kRoundOff = 1e-6;  // of an inner step

void checkValue(vtb_status status) {
  if (status != VTB_OK) throw Refused(vtb_last_error());
}

bool equal(const vtb_motor_def& a, const vtb_motor_def& b) {
  return a.mode == b.mode && a.position == b.position && a.velocity == b.velocity && a.force == b.force && a.stiffness == b.stiffness &&
         a.damping == b.damping && a.max_force == b.max_force;
}

}  // namespace

Instance::Instance(const std::string& resources) : model_(resources) { makeWorld(); }

void Instance::makeWorld() {
  world_ = model_.makeWorld();
  joints_ = listOf<vtb_joint>(world_.get(), vtb_world_get_joints);
  bodies_ = listOf<vtb_body>(world_.get(), vtb_world_get_bodies);
  parts_ = listOf<vtb_constraint>(world_.get(), vtb_world_get_constraints);
  sensors_ = listOf<vtb_sensor>(world_.get(), vtb_world_get_sensors);
  motors_.clear();
  for (const JointLinks& links : model_.joints) {
    std::vector<vtb_motor_def> motors(static_cast<std::size_t>(links.nv), sized<vtb_motor_def>());
    for (int i = 0; i < links.nv; ++i)
      if (vtb_joint_get_motor(world_.get(), joints_[links.at], i, &motors[static_cast<std::size_t>(i)]) != VTB_OK)
        motors[static_cast<std::size_t>(i)].mode = VTB_MOTOR_MODE_OFF;
    motors_.push_back(std::move(motors));
  }
  values_.clear();
  for (const Variable& v : model_.variables) values_.push_back(v.start);
  contactForces_.assign(3 * model_.bodies.size(), 0);
  contactsSummed_ = false;
  startTime_ = stopTime_ = time_ = lastGood_ = 0;
  stopDefined_ = false;
  steps_ = 0;
  applyDrives();  // drives with their targets act from the start
}

void Instance::reset() { makeWorld(); }

// --- values -----------------------------------------------------------------------------------------------------------------------------

double Instance::get(std::size_t index) {
  const Variable& v = model_.variables[index];
  const vtb_world* w = world_.get();
  const std::size_t c = static_cast<std::size_t>(v.component);
  if (v.settable()) return values_[index];
  switch (v.role) {
    case Role::kTime:
      return time_;
    case Role::kQ:
    case Role::kV: {
      const JointLinks& links = model_.joints[v.owner];
      std::vector<double> q(static_cast<std::size_t>(links.nq)), rate(static_cast<std::size_t>(links.nv));
      check(vtb_joint_get_state(w, joints_[links.at], q.data(), rate.data()), "reading a joint");
      return v.role == Role::kQ ? q[c] : rate[c];
    }
    case Role::kMotorForce: {
      auto forces = sized<vtb_joint_forces>();
      check(vtb_joint_get_forces(w, joints_[model_.joints[v.owner].at], &forces), "reading a joint's forces");
      return forces.motor[c];
    }
    case Role::kPosition:
    case Role::kOrientation: {
      double pose[7];
      check(vtb_body_get_pose(w, bodies_[model_.bodies[v.owner].at], pose), "reading a pose");
      return pose[c + (v.role == Role::kOrientation ? 3 : 0)];
    }
    case Role::kVelocity:
    case Role::kAngularVelocity: {
      double twist[6];
      check(vtb_body_get_twist(w, bodies_[model_.bodies[v.owner].at], twist), "reading a twist");
      return twist[c + (v.role == Role::kAngularVelocity ? 3 : 0)];
    }
    case Role::kContactForce:
      sumContacts();
      return contactForces_[3 * v.owner + c];
    case Role::kContacts:
      sumContacts();
      return contacts_;
    case Role::kPartTorque:
    case Role::kPartReading: {
      auto state = sized<vtb_driveline_state>();
      check(vtb_driveline_get_state(w, parts_[model_.parts[v.owner].at], &state), "reading a part of a driveline");
      if (v.role == Role::kPartTorque) return state.torque[c];
      const double readings[] = {state.power_in, state.power_out, state.throttle, state.fuel_rate, state.fuel, state.ratio, state.pressure};
      return readings[c];
    }
    case Role::kSensor: {
      double values[7];
      size_t total = 0;
      check(vtb_sensor_get_values(w, sensors_[model_.sensors[v.owner].at], values, 7, &total), "reading a sensor");
      return values[c];
    }
    case Role::kKinetic:
    case Role::kPotential: {
      auto energy = sized<vtb_energy>();
      check(vtb_world_get_energy(w, &energy), "reading the energy");
      return v.role == Role::kKinetic ? energy.kinetic : energy.potential;
    }
    default:
      throw Failure("the variable " + v.name + " has no value");
  }
}

void Instance::sumContacts() {
  if (contactsSummed_) return;
  size_t total = 0;
  check(vtb_world_get_contacts(world_.get(), nullptr, 0, 0, &total), "counting the contacts");
  std::vector<vtb_contact> contacts(total);
  if (total > 0) check(vtb_world_get_contacts(world_.get(), contacts.data(), total, 0, &total), "reading the contacts");
  std::map<uint64_t, std::size_t> places;
  for (std::size_t i = 0; i < model_.bodies.size(); ++i) places[bodies_[model_.bodies[i].at].bits] = i;
  std::fill(contactForces_.begin(), contactForces_.end(), 0.0);
  for (const vtb_contact& contact : contacts)
    for (const auto& [body, sign] : {std::pair{contact.body_a, -1.0}, std::pair{contact.body_b, 1.0}})
      if (const auto place = places.find(body.bits); place != places.end())
        for (std::size_t k = 0; k < 3; ++k) contactForces_[3 * place->second + k] += sign * contact.force[k];
  contacts_ = static_cast<std::int32_t>(total);
  contactsSummed_ = true;
}

void Instance::set(const std::vector<std::size_t>& indices, const std::vector<double>& values) {
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const Variable& v = model_.variables[indices[i]];
    if (!std::isfinite(values[i])) throw Refused(v.name + " is not a finite number");
    if (values[i] < v.min || values[i] > v.max)
      throw Refused(v.name + " = " + std::to_string(values[i]) + " is outside of its min and max");
  }
  std::vector<double> before;
  for (const std::size_t index : indices) before.push_back(values_[index]);
  for (std::size_t i = 0; i < indices.size(); ++i) values_[indices[i]] = values[i];
  try {
    for (std::size_t i = 0; i < indices.size(); ++i)
      if (values[i] != before[i]) apply(indices[i]);
  } catch (const Refused&) {
    for (std::size_t i = indices.size(); i-- > 0;) values_[indices[i]] = before[i];
    for (const std::size_t index : indices) apply(index);
    throw;
  }
}

void Instance::apply(std::size_t index) {
  const Variable& v = model_.variables[index];
  switch (v.role) {
    case Role::kGravity:
      applyGravity();
      break;
    case Role::kStartQ:
    case Role::kStartV:
      applyStart(model_.joints[v.owner]);
      break;
    case Role::kTau:
    case Role::kTargetQ:
    case Role::kTargetV:
    case Role::kStiffness:
    case Role::kDamping:
    case Role::kMaxForce:
      applyMotor(model_.joints[v.owner], v.component);
      break;
    case Role::kThrottle:
    case Role::kSpeed:
    case Role::kGear:
    case Role::kClutch:
    case Role::kLock:
    case Role::kStroke:
      applyPart(model_.parts[v.owner]);
      break;
    default:
      break;  // forces are added step by step
  }
}

void Instance::applyGravity() {
  auto settings = sized<vtb_world_def>();
  check(vtb_world_get_settings(world_.get(), &settings), "reading the settings");
  const double* wanted = &values_[model_.gravity];
  if (std::equal(wanted, wanted + 3, settings.gravity)) return;
  std::copy(wanted, wanted + 3, settings.gravity);
  checkValue(vtb_world_set_settings(world_.get(), &settings));
  check(vtb_world_wake_all(world_.get()), "waking the world");
}

// The joint's state at the start, and that of those that follow it.
void Instance::applyStart(const JointLinks& links) {
  std::vector<double> q(values_.begin() + static_cast<std::ptrdiff_t>(links.startQ),
                        values_.begin() + static_cast<std::ptrdiff_t>(links.startQ) + links.nq);
  std::vector<double> v(values_.begin() + static_cast<std::ptrdiff_t>(links.startV),
                        values_.begin() + static_cast<std::ptrdiff_t>(links.startV) + links.nv);
  if (links.type == VTB_JOINT_TYPE_SPHERICAL) {
    double norm = 0;
    for (const double x : q) norm += x * x;
    if (norm < 1e-12) return;  // its parts may come one by one; a zero turns nothing
    for (double& x : q) x /= std::sqrt(norm);
  }
  checkValue(vtb_joint_set_state(world_.get(), joints_[links.at], q.data(), v.data()));
  for (const JointLinks::Follower& follower : links.followers) {
    int32_t nq = 0, nv = 0;
    check(vtb_joint_get_size(world_.get(), joints_[follower.at], &nq, &nv), "reading a joint");
    if (nq != 1 || links.nq != 1) continue;
    const double along = follower.multiplier * q[0] + follower.offset, rate = follower.multiplier * v[0];
    checkValue(vtb_joint_set_state(world_.get(), joints_[follower.at], &along, &rate));
  }
  contactsSummed_ = false;
}

// The drive of an axis: the scene's own, with what the inputs change in it.
vtb_motor_def Instance::wantedMotor(const JointLinks& links, int axis) const {
  const std::size_t joint = static_cast<std::size_t>(&links - model_.joints.data()), a = static_cast<std::size_t>(axis);
  vtb_motor_def motor = motors_[joint][a];
  if (links.tau != kNone) {
    const double tau = values_[links.tau + a];
    motor.force += tau;
    if (motor.mode == VTB_MOTOR_MODE_OFF && tau != 0) motor.mode = VTB_MOTOR_MODE_TORQUE;
    if (tau == 0) motor = motors_[joint][a];
    return motor;
  }
  motor.mode = links.targetQ != kNone ? VTB_MOTOR_MODE_POSITION : VTB_MOTOR_MODE_VELOCITY;
  if (links.targetQ != kNone) motor.position = values_[links.targetQ + a];
  motor.velocity = values_[links.targetV + a];
  motor.stiffness = links.stiffness != kNone ? values_[links.stiffness + a] : 0;
  motor.damping = values_[links.damping + a];
  motor.max_force = values_[links.maxForce + a];
  return motor;
}

void Instance::applyBall(const JointLinks& links) {
  double q[4], norm = 0;
  std::copy_n(&values_[links.targetQ], 4, q);
  for (const double x : q) norm += x * x;
  if (norm < 1e-12) return;  // its parts may come one by one
  for (double& x : q) x /= std::sqrt(norm);
  checkValue(vtb_joint_set_orientation_motor(world_.get(), joints_[links.at], q, &values_[links.targetV], values_[links.stiffness],
                                             values_[links.damping], values_[links.maxForce]));
}

void Instance::applyMotor(const JointLinks& links, int axis) {
  if (links.type == VTB_JOINT_TYPE_SPHERICAL && links.targetQ != kNone) return applyBall(links);
  const vtb_motor_def wanted = wantedMotor(links, axis);
  auto present = sized<vtb_motor_def>();
  check(vtb_joint_get_motor(world_.get(), joints_[links.at], axis, &present), "reading a motor");
  if (!equal(present, wanted)) checkValue(vtb_joint_set_motor(world_.get(), joints_[links.at], axis, &wanted));
}

void Instance::applyPart(const PartLinks& links) {
  auto driver = sized<vtb_driveline_input>();
  check(vtb_driveline_get_input(world_.get(), parts_[links.at], &driver), "reading a part of a driveline");
  const double* v = &values_[links.first];
  const auto gear = static_cast<int32_t>(v[5]);
  if (driver.throttle == v[0] && driver.speed == v[1] && driver.clutch == v[2] && driver.lock == v[3] && driver.stroke == v[4] &&
      driver.gear == gear)
    return;
  driver.throttle = v[0];
  driver.speed = v[1];
  driver.clutch = v[2];
  driver.lock = v[3];
  driver.stroke = v[4];
  driver.gear = gear;
  checkValue(vtb_driveline_set_input(world_.get(), parts_[links.at], &driver));
}

void Instance::applyDrives() {
  for (const JointLinks& links : model_.joints)
    if (links.targetV != kNone)
      for (int axis = 0; axis < (links.type == VTB_JOINT_TYPE_SPHERICAL ? 1 : links.nv); ++axis) applyMotor(links, axis);
}

// --- time -------------------------------------------------------------------------------------------------------------------------------

void Instance::begin(double startTime, bool stopDefined, double stopTime) {
  startTime_ = time_ = lastGood_ = startTime;
  stopDefined_ = stopDefined;
  stopTime_ = stopTime;
}

void Instance::addForces() {
  for (const BodyLinks& links : model_.bodies) {
    if (links.force == kNone) continue;
    const double *force = &values_[links.force], *moment = force + 3;
    if (force[0] != 0 || force[1] != 0 || force[2] != 0)
      check(vtb_body_add_force(world_.get(), bodies_[links.at], force, nullptr, VTB_DURATION_ONE_STEP), "adding a force");
    if (moment[0] != 0 || moment[1] != 0 || moment[2] != 0)
      check(vtb_body_add_torque(world_.get(), bodies_[links.at], moment, VTB_DURATION_ONE_STEP), "adding a torque");
  }
}

StepResult Instance::step(double point, double length) {
  const double h = model_.timeStep(), tolerance = kRoundOff * h + 1e-12 * std::fabs(point);
  if (!std::isfinite(point) || !std::isfinite(length) || !(length > 0)) throw Failure("a communication step must be longer than 0 s");
  if (std::fabs(point - time_) > tolerance)
    throw Failure("the communication point " + std::to_string(point) + " s is not where the FMU stands: " + std::to_string(time_) + " s");
  if (stopDefined_ && point + length > stopTime_ + tolerance)
    throw Failure("the step ends after the stop time of " + std::to_string(stopTime_) + " s");
  const double steps = std::floor((point + length - startTime_) / h + kRoundOff);
  if (!(steps < 1e15)) throw Failure("the step has more inner steps than can be counted");
  const std::uint64_t target = static_cast<std::uint64_t>(std::max(steps, 0.0));
  StepResult result;
  while (steps_ < target) {
    addForces();
    const vtb_status status = vtb_world_step(world_.get(), 1);
    contactsSummed_ = false;
    if (status == VTB_E_INFEASIBLE || status == VTB_E_UNSOLVED) {
      result.warning = vtb_last_error();
    } else if (status == VTB_E_DIVERGED) {
      result.diverged = true;
      result.warning = vtb_last_error();
      lastGood_ = startTime_ + static_cast<double>(steps_) * h;
      time_ = lastGood_;
      return result;
    } else {
      check(status, "an inner step");
    }
    ++steps_;
  }
  time_ = lastGood_ = point + length;
  return result;
}

// --- states -----------------------------------------------------------------------------------------------------------------------------

namespace {

template <class T>
void put(std::vector<char>& bytes, const T& value) {
  const char* from = reinterpret_cast<const char*>(&value);
  bytes.insert(bytes.end(), from, from + sizeof(T));
}
template <class T>
T take(const std::vector<char>& bytes, std::size_t& at) {
  if (bytes.size() - at < sizeof(T)) throw Failure("the bytes are no state of this FMU: they end early");
  T value;
  std::memcpy(&value, &bytes[at], sizeof(T));
  at += sizeof(T);
  return value;
}

}  // namespace

std::vector<char> Instance::save() const {
  size_t needed = 0;
  vtb_world_save(world_.get(), nullptr, 0, &needed);
  std::vector<char> bytes;
  put(bytes, startTime_);
  put(bytes, stopTime_);
  put(bytes, time_);
  put(bytes, lastGood_);
  put(bytes, static_cast<std::uint64_t>(stopDefined_));
  put(bytes, steps_);
  put(bytes, static_cast<std::uint64_t>(values_.size()));
  for (const double value : values_) put(bytes, value);
  const std::size_t head = bytes.size();
  bytes.resize(head + needed);
  check(vtb_world_save(world_.get(), bytes.data() + head, needed, &needed), "saving the world");
  return bytes;
}

void Instance::restore(const std::vector<char>& bytes) {
  std::size_t at = 0;
  const double start = take<double>(bytes, at), stop = take<double>(bytes, at), time = take<double>(bytes, at),
               good = take<double>(bytes, at);
  const bool defined = take<std::uint64_t>(bytes, at) != 0;
  const auto steps = take<std::uint64_t>(bytes, at), count = take<std::uint64_t>(bytes, at);
  if (count != values_.size()) throw Failure("the bytes are no state of this FMU: it has other variables");
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(take<double>(bytes, at));
  check(vtb_world_restore(world_.get(), bytes.data() + at, bytes.size() - at), "restoring the world");
  values_ = std::move(values);
  startTime_ = start;
  stopTime_ = stop;
  time_ = time;
  lastGood_ = good;
  stopDefined_ = defined;
  steps_ = steps;
  contactsSummed_ = false;
  // The world's state holds its motors; its settings and what drivers set may be those of another time.
  applyGravity();
  for (const PartLinks& links : model_.parts) applyPart(links);
}

}  // namespace vertebra::fmi
