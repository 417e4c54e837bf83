// ODE on the scenes of the benchmark.
// options: stepper=world|quick, iters= (20, for quick), erp=, cfm=
#include <ode/ode.h>

#include "bench/harness.hpp"

namespace {

using namespace bench;

class Ode : public Engine {
 public:
  ~Ode() override {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
  }
  std::string name() override { return quick_ ? "ode-quick" : "ode-world"; }

  void build(const Scene& scene, const Arguments& a) override {
    scene_ = scene;
    quick_ = a.text("stepper", "world") == "quick";
    step_ = a.step;
    dInitODE2(0);
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    contacts_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, 0, 0, -kGravity);
    dWorldSetQuickStepNumIterations(world_, static_cast<int>(a.number("iters", 20)));
    dWorldSetAutoDisableFlag(world_, 0);
    if (a.has("erp")) dWorldSetERP(world_, a.number("erp", 0));
    if (a.has("cfm")) dWorldSetCFM(world_, a.number("cfm", 0));
    for (const Body& b : scene_.bodies) addBody(b);
    if (scene_.ground) plane_ = dCreatePlane(space_, 0, 0, 1, 0);
    for (const Joint& j : scene_.joints) addJoint(j);
  }

  void step() override {
    contactCount_ = 0;
    if (scene_.ground) dSpaceCollide(space_, this, collide);
    for (std::size_t i = 0; i < springs_.size(); i++) {
      const Joint& j = springs_[i];
      const State a = get(j.parent), b = get(j.child);
      const Vec r = rotate(a.orientation, rotationVector(conjugate(a.orientation) * b.orientation * conjugate(rest_[i])));
      const Vec t = (-j.stiffness) * r + (-j.damping) * (b.omega - a.omega);
      dBodyAddTorque(bodies_[j.child], t.x, t.y, t.z);
      dBodyAddTorque(bodies_[j.parent], -t.x, -t.y, -t.z);
    }
    if (quick_)
      dWorldQuickStep(world_, step_);
    else
      dWorldStep(world_, step_);
    dJointGroupEmpty(contacts_);
  }

  State get(int i) override {
    const dReal *p = dBodyGetPosition(bodies_[i]), *q = dBodyGetQuaternion(bodies_[i]), *v = dBodyGetLinearVel(bodies_[i]),
                *w = dBodyGetAngularVel(bodies_[i]);
    return {{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}, {v[0], v[1], v[2]}, {w[0], w[1], w[2]}};
  }

  std::string notes() override {
    char text[200];
    std::snprintf(text, sizeof text, "%s; erp %.3g cfm %.3g%s%s", sizeof(dReal) == 8 ? "double" : "float", dWorldGetERP(world_),
                  dWorldGetCFM(world_), scene_.ground ? (", contacts " + std::to_string(contactCount_)).c_str() : "",
                  springs_.empty() ? "" : ", springs as explicit torques");
    return text;
  }

 private:
  void addBody(const Body& b) {
    const dBodyID body = dBodyCreate(world_);
    dMass mass;
    dMassSetParameters(&mass, b.mass, 0, 0, 0, b.inertia.x, b.inertia.y, b.inertia.z, 0, 0, 0);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, b.position.x, b.position.y, b.position.z);
    const dReal q[4] = {b.orientation.w, b.orientation.x, b.orientation.y, b.orientation.z};
    dBodySetQuaternion(body, q);
    bodies_.push_back(body);
    if (!scene_.ground) return;
    const dGeomID shape = b.shape == Shape::capsule ? dCreateCapsule(space_, b.size.x, 2 * b.size.z)
                          : b.shape == Shape::box   ? dCreateBox(space_, 2 * b.size.x, 2 * b.size.y, 2 * b.size.z)
                                                    : dCreateSphere(space_, b.size.x);
    dGeomSetBody(shape, body);
    const Filter filter = filterOf(scene_, b);
    dGeomSetCategoryBits(shape, filter.group);
    dGeomSetCollideBits(shape, filter.mask);
  }

  void addJoint(const Joint& j) {
    const dBodyID parent = j.parent < 0 ? nullptr : bodies_[j.parent], child = bodies_[j.child];
    if (j.type == JointType::hinge) {
      const dJointID joint = dJointCreateHinge(world_, nullptr);
      dJointAttach(joint, child, parent);  // the angle of the child relative to the parent
      dJointSetHingeAnchor(joint, j.anchor.x, j.anchor.y, j.anchor.z);
      dJointSetHingeAxis(joint, j.axis.x, j.axis.y, j.axis.z);
      if (j.limited) {
        dJointSetHingeParam(joint, dParamLoStop, j.lower);
        dJointSetHingeParam(joint, dParamHiStop, j.upper);
      }
    } else if (j.type == JointType::ball) {
      const dJointID joint = dJointCreateBall(world_, nullptr);
      dJointAttach(joint, parent, child);
      dJointSetBallAnchor(joint, j.anchor.x, j.anchor.y, j.anchor.z);
      if (j.limited) addConeAndTwist(j, parent, child);
      if (j.stiffness > 0) {
        springs_.push_back(j);
        rest_.push_back(conjugate(scene_.bodies[j.parent].orientation) * scene_.bodies[j.child].orientation);
      }
    } else {
      const dJointID joint = dJointCreateFixed(world_, nullptr);
      dJointAttach(joint, parent, child);
      dJointSetFixed(joint);
    }
  }

  // ODE limits Euler angles, so the cone becomes a pyramid.
  void addConeAndTwist(const Joint& j, dBodyID parent, dBodyID child) {
    const dJointID motor = dJointCreateAMotor(world_, nullptr);
    dJointAttach(motor, parent, child);
    dJointSetAMotorMode(motor, dAMotorEuler);
    const Vec x = perpendicular(j.axis);
    dJointSetAMotorAxis(motor, 0, 1, x.x, x.y, x.z);
    dJointSetAMotorAxis(motor, 2, 2, j.axis.x, j.axis.y, j.axis.z);
    const double second = std::min(j.cone, 1.5);  // the middle angle must stay below a right angle
    dJointSetAMotorParam(motor, dParamLoStop, -j.cone);
    dJointSetAMotorParam(motor, dParamHiStop, j.cone);
    dJointSetAMotorParam(motor, dParamLoStop2, -second);
    dJointSetAMotorParam(motor, dParamHiStop2, second);
    dJointSetAMotorParam(motor, dParamLoStop3, -j.twist);
    dJointSetAMotorParam(motor, dParamHiStop3, j.twist);
  }

  static void collide(void* self, dGeomID a, dGeomID b) {
    Ode& ode = *static_cast<Ode*>(self);
    if (!ode.scene_.bodiesCollide && a != ode.plane_ && b != ode.plane_) return;
    dContact contacts[8];
    const int count = dCollide(a, b, 8, &contacts[0].geom, sizeof(dContact));
    for (int i = 0; i < count; i++) {
      contacts[i].surface.mode = dContactApprox1;
      contacts[i].surface.mu = ode.scene_.friction;
      dJointAttach(dJointCreateContact(ode.world_, ode.contacts_, &contacts[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
    ode.contactCount_ += count;
  }

  Scene scene_;
  dWorldID world_ = nullptr;
  dSpaceID space_ = nullptr;
  dJointGroupID contacts_ = nullptr;
  dGeomID plane_ = nullptr;
  std::vector<dBodyID> bodies_;
  std::vector<Joint> springs_;
  std::vector<Quat> rest_;
  bool quick_ = false;
  double step_ = 0;
  int contactCount_ = 0;
};

}  // namespace

int main(int argc, char** argv) { return bench::run<Ode>(argc, argv); }
