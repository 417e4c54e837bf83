// Simbody (reduced coordinates) on the scenes without ground.
// options: integrator=see|rkm|rk3 (see: semi-explicit Euler with fixed step), accuracy= (1e-3, for rkm and rk3)
#include <Simbody.h>

#include "bench/harness.hpp"

namespace {

using namespace bench;

SimTK::Vec3 toSimTK(Vec a) { return {a.x, a.y, a.z}; }
SimTK::Rotation toSimTK(Quat q) { return SimTK::Rotation(SimTK::Quaternion(q.w, q.x, q.y, q.z)); }
Vec fromSimTK(const SimTK::Vec3& a) { return {a[0], a[1], a[2]}; }

class Simbody : public Engine {
 public:
  std::string name() override { return "simbody"; }

  void build(const Scene& scene, const Arguments& a) override {
    if (scene.ground) {
      std::fprintf(stderr, "simbody: scenes with ground are not built\n");
      std::exit(2);
    }
    step_ = a.step;
    kind_ = a.text("integrator", "see");
    bodies_.resize(scene.bodies.size());
    for (const Joint& j : scene.joints) addJoint(scene, j);
    const SimTK::State start = system_.realizeTopology();
    if (kind_ == "see")
      integrator_ = std::make_unique<SimTK::SemiExplicitEulerIntegrator>(system_, step_);
    else if (kind_ == "rk3")
      integrator_ = std::make_unique<SimTK::RungeKutta3Integrator>(system_);
    else
      integrator_ = std::make_unique<SimTK::RungeKuttaMersonIntegrator>(system_);
    if (kind_ != "see") {
      integrator_->setAccuracy(a.number("accuracy", 1e-3));
      integrator_->setMaximumStepSize(step_);
    }
    stepper_ = std::make_unique<SimTK::TimeStepper>(system_, *integrator_);
    stepper_->initialize(start);
  }

  void step() override {
    time_ += step_;
    stepper_->stepTo(time_);
  }

  void sync() override { system_.realize(integrator_->getAdvancedState(), SimTK::Stage::Velocity); }

  State get(int i) override {
    const SimTK::State& s = integrator_->getAdvancedState();
    const SimTK::Quaternion q = bodies_[i].getBodyRotation(s).convertRotationToQuaternion();
    return {fromSimTK(bodies_[i].getBodyOriginLocation(s)),
            {q[0], q[1], q[2], q[3]},
            fromSimTK(bodies_[i].getBodyOriginVelocity(s)),
            fromSimTK(bodies_[i].getBodyAngularVelocity(s))};
  }

  std::string notes() override {
    return "double; integrator " + kind_ + ", " + std::to_string(integrator_->getNumStepsTaken()) + " internal steps";
  }

 private:
  void addJoint(const Scene& scene, const Joint& j) {
    using SimTK::MobilizedBody;
    const Body& b = scene.bodies[j.child];
    const SimTK::Inertia inertia(b.inertia.x, b.inertia.y, b.inertia.z);
    const SimTK::Body::Rigid body(SimTK::MassProperties(b.mass, SimTK::Vec3(0), inertia));
    MobilizedBody& parent = j.parent < 0 ? matter_.updGround() : bodies_[j.parent];
    const Vec parentPosition = j.parent < 0 ? Vec{} : scene.bodies[j.parent].position;
    const Quat parentOrientation = j.parent < 0 ? Quat{} : scene.bodies[j.parent].orientation;
    const SimTK::Rotation axes(SimTK::UnitVec3(toSimTK(j.axis)), SimTK::ZAxis);
    const SimTK::Transform inParent(~toSimTK(parentOrientation) * axes,
                                    toSimTK(rotate(conjugate(parentOrientation), j.anchor - parentPosition)));
    const SimTK::Transform inChild(~toSimTK(b.orientation) * axes, toSimTK(rotate(conjugate(b.orientation), j.anchor - b.position)));
    if (j.type == JointType::hinge)
      bodies_[j.child] = MobilizedBody::Pin(parent, inParent, body, inChild);
    else if (j.type == JointType::ball)
      bodies_[j.child] = MobilizedBody::Ball(parent, inParent, body, inChild);
    else
      bodies_[j.child] = MobilizedBody::Weld(parent, inParent, body, inChild);
    if (j.stiffness > 0)
      SimTK::Force::LinearBushing(forces_, parent, inParent, bodies_[j.child], inChild,
                                  SimTK::Vec6(j.stiffness, j.stiffness, j.stiffness, 0, 0, 0),
                                  SimTK::Vec6(j.damping, j.damping, j.damping, 0, 0, 0));
  }

  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_{system_};
  SimTK::GeneralForceSubsystem forces_{system_};
  SimTK::Force::Gravity gravity_{forces_, matter_, SimTK::Vec3(0, 0, -kGravity)};
  std::vector<SimTK::MobilizedBody> bodies_;
  std::unique_ptr<SimTK::Integrator> integrator_;
  std::unique_ptr<SimTK::TimeStepper> stepper_;
  std::string kind_;
  double step_ = 0, time_ = 0;
};

}  // namespace

int main(int argc, char** argv) { return bench::run<Simbody>(argc, argv); }
