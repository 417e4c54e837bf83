// See figure.hpp. Links become bodies in skeleton order, except that the root is created first, so that it roots the tree; loop joints
// become auxiliary joints; mimic joints are joints of the world with couplings.
#include "engine/figure/figure.hpp"

#include <algorithm>
#include <utility>

#include "engine/math/rotation.hpp"

namespace vertebra::figure {
namespace {

// Makes the parts of a figure in the world, in their order; where one fails, those made so far are left to the caller.
class Builder {
 public:
  Builder(world::World& world, const FigureDefinition& d)
      : world_(world), d_(d), s_(*d.model->skeleton), c_(d.model->coordinates), q_(c_.nq) {
    neutral(c_, q_.data());
    bodies.assign(s_.links.size(), -1);
    joints.assign(s_.joints.size(), -1);
  }

  Failure build() {
    addLinks();
    if (Failure failure = addBase()) return failure;
    if (Failure failure = addJoints()) return failure;
    if (Failure failure = addMimics()) return failure;
    if (Failure failure = addShapes()) return failure;
    keepApart();
    std::vector<double> treeQ(c_.treeNq);
    treeCoordinates(c_, q_.data(), treeQ.data());
    for (const CoordinatePart& part : c_.parts)
      if (part.joint >= 0) world_.startJoint(joints[part.joint], treeQ.data() + part.treeQ);
    return {};
  }

  std::vector<int> bodies, joints, shapes, couplings;  // as in Figure
  int baseJoint = -1;

 private:
  static Failure failed(Failure& failure, const std::string& where) {
    failure.within(where + ": ");
    return std::move(failure);
  }

  // In their frames at q = neutral.
  void addLinks() {
    FigureWorkspace workspace(d_.model);
    const Pose* poses = workspace.poses(q_.data());
    const Pose place = d_.pose * poses[s_.root].inverse();
    const int mark = world_.newFigureMark();
    auto addLink = [&](int link) {
      const LinkDescription& l = s_.links[link];
      BodyDefinition b;
      b.pose = link == s_.root ? d_.pose : place * poses[link];
      b.mass = l.mass;
      b.com = l.com;
      b.inertia = l.inertia;
      b.figure = mark;
      bodies[link] = world_.createBody(b);
    };
    addLink(s_.root);
    for (std::size_t i = 0; i < s_.links.size(); i++)
      if (static_cast<int>(i) != s_.root) addLink(static_cast<int>(i));
  }

  Failure addBase() {
    if (c_.floatingBase) return {};
    JointDefinition j;
    j.type = dynamics::JointType::Fixed;
    j.b = bodies[s_.root];
    j.frameA = d_.pose;
    if (Failure failure = world_.createJoint(j, baseJoint)) return failed(failure, "base of figure '" + s_.name + "'");
    return {};
  }

  Failure addJoints() {
    for (std::size_t i = 0; i < s_.joints.size(); i++) {
      const JointDescription& x = s_.joints[i];
      JointDefinition j;
      j.type = x.type;
      j.a = x.parent < 0 ? -1 : bodies[x.parent];
      j.b = bodies[x.child];
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
      if (Failure failure = world_.createJoint(j, joints[i])) return failed(failure, "joint '" + x.name + "'");
      for (int k = 0; k < dynamics::jointNv(x.type); k++) (void)world_.setAxis(joints[i], k, x.axes[k]);
    }
    return {};
  }

  // Joints that follow others get couplings to these.
  Failure addMimics() {
    for (std::size_t i = 0; i < s_.joints.size(); i++) {
      const int part = c_.partOfJoint[i];
      if (part < 0 || c_.parts[part].q >= 0) continue;  // not a follower
      // The chain of mimics up to a joint with a coordinate, or a constant.
      double ratio = 1, offset = 0;
      int at = static_cast<int>(i);
      while (s_.joints[at].mimic.master >= 0 && c_.partOfJoint[at] >= 0 && c_.parts[c_.partOfJoint[at]].q < 0) {
        offset += ratio * s_.joints[at].mimic.offset;
        ratio *= s_.joints[at].mimic.multiplier;
        at = s_.joints[at].mimic.master;
      }
      if (c_.partOfJoint[at] < 0 || c_.parts[c_.partOfJoint[at]].q < 0) {  // a constant: its limits hold it
        dynamics::AxisParameters held = s_.joints[i].axes[0];
        held.lower = held.upper = c_.parts[part].offset;
        (void)world_.setAxis(joints[i], 0, held);
        continue;
      }
      int id;
      if (Failure failure = world_.createCoupling(ratioCoupling(joints[at], joints[i], ratio, offset), id))
        return failed(failure, "mimic joint '" + s_.joints[i].name + "'");
      couplings.push_back(id);
    }
    return {};
  }

  Failure addShapes() {
    for (std::size_t i = 0; i < s_.links.size(); i++)
      for (const geometry::Shape& shape : s_.links[i].shapes) {
        int id;
        if (Failure failure = world_.createShape(bodies[i], shape, -1, id)) return failed(failure, "link '" + s_.links[i].name + "'");
        shapes.push_back(id);
      }
    return {};
  }

  // Pairs of its links that do not collide.
  void keepApart() {
    if (d_.selfCollision) {
      for (const auto& pair : s_.uncollidable) world_.setPairCollides(bodies[pair.first], bodies[pair.second], false);
      for (const JointDescription& x : s_.joints)
        if (x.parent >= 0) world_.setPairCollides(bodies[x.parent], bodies[x.child], false);
    } else {
      for (std::size_t i = 0; i < bodies.size(); i++)
        for (std::size_t k = 0; k < i; k++) world_.setPairCollides(bodies[k], bodies[i], false);
    }
  }

  world::World& world_;
  const FigureDefinition& d_;
  const Skeleton& s_;
  const Coordinates& c_;
  std::vector<double> q_;  // neutral
};

}  // namespace

Failure Figure::create(world::World& world, const FigureDefinition& d, Figure& out) {
  Builder builder(world, d);
  Failure failure = builder.build();
  Figure f;
  f.model_ = d.model;
  f.bodies_ = std::move(builder.bodies);
  f.joints_ = std::move(builder.joints);
  f.shapes_ = std::move(builder.shapes);
  f.couplings_ = std::move(builder.couplings);
  f.baseJoint_ = builder.baseJoint;
  if (failure) {
    f.destroy(world);
    return failure;
  }
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

Failure Figure::setState(world::World& world, const double* q, const double* v, bool followers) const {
  std::vector<int> joints;
  for (const CoordinatePart& part : model_->coordinates.parts)
    if (part.joint >= 0) joints.push_back(joints_[part.joint]);
  return world.setTogether(bodies_[model_->skeleton->root], joints, [&] { return setParts(world, q, v, followers); });
}

Failure Figure::setParts(world::World& world, const double* q, const double* v, bool followers) const {
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
    if (f && !(followers && f.kind() == Failure::Unsupported)) return f;
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
  for (const CoordinatePart& part : model_->coordinates.parts)
    if (part.joint >= 0 && part.v >= 0) world.motorForces(joints_[part.joint], tau + part.v);
}

}  // namespace vertebra::figure
