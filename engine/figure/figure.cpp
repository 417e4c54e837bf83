// See figure.hpp. Links become bodies in skeleton order, except that the root is created first, so that it roots the tree; loop joints
// become auxiliary joints; mimic joints are joints of the world with couplings.
#include "engine/figure/figure.hpp"

#include <algorithm>

#include "engine/math/rotation.hpp"

namespace vertebra::figure {
Failure Figure::create(world::World& world, const FigureDefinition& d, Figure& out) {
  const Skeleton& s = *d.model->skeleton;
  const Coordinates& c = d.model->coordinates;
  Figure f;
  f.model_ = d.model;
  f.bodies_.assign(s.links.size(), -1);
  f.joints_.assign(s.joints.size(), -1);
  auto fail = [&](Failure failure, const std::string& where) {
    f.destroy(world);
    failure.text = where + ": " + failure.text;
    return failure;
  };
  // Link frames at q = neutral.
  std::vector<double> q(c.nq);
  neutral(c, q.data());
  FigureWorkspace workspace(d.model);
  const Pose* poses = workspace.poses(q.data());
  const Pose place = d.pose * poses[s.root].inverse();
  const int mark = world.newFigureMark();
  auto addLink = [&](int link) {
    const LinkDescription& l = s.links[link];
    BodyDefinition b;
    b.pose = link == s.root ? d.pose : place * poses[link];
    b.mass = l.mass;
    b.com = l.com;
    b.inertia = l.inertia;
    b.figure = mark;
    f.bodies_[link] = world.createBody(b);
  };
  addLink(s.root);
  for (std::size_t i = 0; i < s.links.size(); i++)
    if (static_cast<int>(i) != s.root) addLink(static_cast<int>(i));
  if (!c.floatingBase) {
    JointDefinition j;
    j.type = dynamics::JointType::Fixed;
    j.b = f.bodies_[s.root];
    j.frameA = d.pose;
    if (Failure failure = world.createJoint(j, f.baseJoint_)) return fail(failure, "base of figure '" + s.name + "'");
  }
  for (std::size_t i = 0; i < s.joints.size(); i++) {
    const JointDescription& x = s.joints[i];
    JointDefinition j;
    j.type = x.type;
    j.a = x.parent < 0 ? -1 : f.bodies_[x.parent];
    j.b = f.bodies_[x.child];
    j.frameA = x.inParent;
    j.frameB = x.inChild;
    j.axis = x.axis;
    j.axis2 = x.axis2;
    j.pitch = x.pitch;
    j.swing = x.swing;
    j.twistLower = x.twistLower;
    j.twistUpper = x.twistUpper;
    j.auxiliary = x.loop;
    j.bodiesCollide = true;  // the skeleton's list of pairs decides
    if (Failure failure = world.createJoint(j, f.joints_[i])) return fail(failure, "joint '" + x.name + "'");
    for (int k = 0; k < dynamics::jointNv(x.type); k++) (void)world.setAxis(f.joints_[i], k, x.axes[k]);
  }
  for (std::size_t i = 0; i < s.joints.size(); i++) {
    const int part = c.partOfJoint[i];
    if (part < 0 || c.parts[part].q >= 0) continue;  // not a follower
    // The chain of mimics up to a joint with a coordinate, or a constant.
    double ratio = 1, offset = 0;
    int at = static_cast<int>(i);
    while (s.joints[at].mimic.master >= 0 && c.partOfJoint[at] >= 0 && c.parts[c.partOfJoint[at]].q < 0) {
      offset += ratio * s.joints[at].mimic.offset;
      ratio *= s.joints[at].mimic.multiplier;
      at = s.joints[at].mimic.master;
    }
    if (c.partOfJoint[at] < 0 || c.parts[c.partOfJoint[at]].q < 0) {  // a constant: its limits hold it
      dynamics::AxisParameters held = s.joints[i].axes[0];
      held.lower = held.upper = c.parts[part].offset;
      (void)world.setAxis(f.joints_[i], 0, held);
      continue;
    }
    int id;
    if (Failure failure = world.createCoupling(ratioCoupling(f.joints_[at], f.joints_[i], ratio, offset), id))
      return fail(failure, "mimic joint '" + s.joints[i].name + "'");
    f.couplings_.push_back(id);
  }
  for (std::size_t i = 0; i < s.links.size(); i++)
    for (const geometry::Shape& shape : s.links[i].shapes) {
      int id;
      if (Failure failure = world.createShape(f.bodies_[i], shape, -1, id)) return fail(failure, "link '" + s.links[i].name + "'");
      f.shapes_.push_back(id);
    }
  if (d.selfCollision) {
    for (const auto& pair : s.uncollidable) world.setPairCollides(f.bodies_[pair.first], f.bodies_[pair.second], false);
    for (const JointDescription& x : s.joints)
      if (x.parent >= 0) world.setPairCollides(f.bodies_[x.parent], f.bodies_[x.child], false);
  } else {
    for (std::size_t i = 0; i < f.bodies_.size(); i++)
      for (std::size_t k = 0; k < i; k++) world.setPairCollides(f.bodies_[k], f.bodies_[i], false);
  }
  std::vector<double> treeQ(c.treeNq);
  treeCoordinates(c, q.data(), treeQ.data());
  for (const CoordinatePart& part : c.parts)
    if (part.joint >= 0) world.startJoint(f.joints_[part.joint], treeQ.data() + part.treeQ);
  out = std::move(f);
  return {};
}

void Figure::destroy(world::World& world) {
  std::vector<int> made;
  for (int body : bodies_)
    if (body >= 0 && world.bodyAlive(body)) made.push_back(body);
  world.destroyBodies(made);
}

void Figure::q(const world::World& world, double* out) const {
  const Coordinates& c = model_->coordinates;
  const Skeleton& s = *model_->skeleton;
  for (const CoordinatePart& part : c.parts) {
    if (part.q < 0) continue;
    if (part.joint < 0) {
      const Pose p = world.bodyPose(bodies_[s.root]);
      for (int k = 0; k < 3; k++) out[part.q + k] = p.p[k];
      for (int k = 0; k < 4; k++) out[part.q + 3 + k] = p.q.coeffs()[k];
    } else {
      world.jointState(joints_[part.joint], out + part.q, nullptr);
    }
  }
}

void Figure::v(const world::World& world, double* out) const {
  const Coordinates& c = model_->coordinates;
  for (const CoordinatePart& part : c.parts) {
    if (part.v < 0) continue;
    if (part.joint < 0) {
      Vec3 linear, angular;
      world.bodyTwist(bodies_[model_->skeleton->root], linear, angular);
      for (int k = 0; k < 3; k++) out[part.v + k] = linear[k], out[part.v + 3 + k] = angular[k];
    } else {
      world.jointState(joints_[part.joint], nullptr, out + part.v);
    }
  }
}

Failure Figure::setState(world::World& world, const double* q, const double* v) const {
  const Coordinates& c = model_->coordinates;
  std::vector<double> treeQ(c.treeNq), treeV(c.treeNv);
  if (q) treeCoordinates(c, q, treeQ.data());
  if (v) treeVelocities(c, v, treeV.data());
  for (const CoordinatePart& part : c.parts) {
    if (part.joint < 0) {
      const int root = bodies_[model_->skeleton->root];
      if (q) {
        const double* x = q + part.q;
        if (Failure f = world.setBodyPose(root, Pose{Vec3(x[0], x[1], x[2]), normalized(Quat(x[6], x[3], x[4], x[5]))}, nullptr)) return f;
      }
      if (v) {
        const double* x = v + part.v;
        if (Failure f = world.setBodyTwist(root, Vec3(x[0], x[1], x[2]), Vec3(x[3], x[4], x[5]), nullptr)) return f;
      }
      continue;
    }
    Failure f = world.setJointState(joints_[part.joint], q ? treeQ.data() + part.treeQ : nullptr, v ? treeV.data() + part.treeV : nullptr);
    if (f) return f;
  }
  return world.placeByJoints(joints_);  // links fixed to a placed link move with it
}

Failure Figure::setMotors(world::World& world, const double* qTarget, const double* vTarget, const double* stiffness, const double* damping,
                          const double* maxForce) const {
  for (const CoordinatePart& part : model_->coordinates.parts) {
    if (part.joint < 0 || part.q < 0) continue;
    const int joint = joints_[part.joint];
    if (part.type == dynamics::JointType::Spherical) {
      const MotorSettings now = world.motor(joint, 0);
      const double* x = qTarget + part.q;
      const Vec3 rate = vTarget ? Vec3(vTarget[part.v], vTarget[part.v + 1], vTarget[part.v + 2]) : Vec3(Vec3::Zero());
      const Quat target(x[3], x[0], x[1], x[2]);
      if (Failure f = world.setOrientationMotor(joint, target, rate, stiffness ? stiffness[part.v] : now.stiffness,
                                                damping ? damping[part.v] : now.damping, maxForce ? maxForce[part.v] : now.maxForce))
        return f;
      continue;
    }
    if (part.type == dynamics::JointType::Floating) continue;
    for (int k = 0; k < dynamics::jointNv(part.type); k++) {
      MotorSettings m = world.motor(joint, k);
      m.mode = MotorMode::Position;
      m.position = qTarget[part.q + k];
      m.velocity = vTarget ? vTarget[part.v + k] : 0;
      if (stiffness) m.stiffness = stiffness[part.v + k];
      if (damping) m.damping = damping[part.v + k];
      if (maxForce) m.maxForce = maxForce[part.v + k];
      if (Failure f = world.setMotor(joint, k, m)) return f;
    }
  }
  return {};
}

Failure Figure::setTorques(world::World& world, const double* tau) const {
  for (const CoordinatePart& part : model_->coordinates.parts) {
    if (part.joint < 0 || part.v < 0) continue;
    for (int k = 0; k < dynamics::jointNv(part.type); k++) {
      MotorSettings m;
      m.mode = MotorMode::Torque;
      m.force = tau[part.v + k];
      if (Failure f = world.setMotor(joints_[part.joint], k, m)) return f;
    }
  }
  return {};
}

void Figure::motorForces(const world::World& world, double* tau) const {
  std::fill_n(tau, model_->nv(), 0.0);
  JointForces forces;
  for (const CoordinatePart& part : model_->coordinates.parts) {
    if (part.joint < 0 || part.v < 0) continue;
    world.jointForces(joints_[part.joint], forces);
    for (int k = 0; k < dynamics::jointNv(part.type); k++) tau[part.v + k] = forces.motor[k];
  }
}

}  // namespace vertebra::figure
