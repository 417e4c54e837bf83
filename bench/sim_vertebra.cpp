// vertebra on the scenes of the benchmark, through its C ABI only.
// options: stepper=impulse|variational|ode|spook|displacement, free=1 (free poses), tree_solver=articulated|sparse|dense,
// solver=pgs|dantzig|jacobi|cg|lemke, positions=1 (penetration by displacements), whole=, accelerate=, order=, relaxation=, substeps=,
// parts= (of a step that goes too deep; 1: never), iterations=, tolerance=, correction=0, sleep=1
#include <vertebra/vertebra.h>

#include "bench/harness.hpp"

namespace {

using namespace bench;

// By its value in the header: the world itself rejects unknown ones.
vtb_stepper stepperNamed(const std::string& name) {
  const std::string names[] = {"impulse", "variational", "ode", "spook", "displacement"};
  return static_cast<vtb_stepper>(std::find(std::begin(names), std::end(names), name) - std::begin(names));
}

class Vertebra : public Engine {
 public:
  ~Vertebra() override { vtb_world_destroy(world_); }
  std::string name() override { return std::string("vertebra-") + vtb_version(); }

  void build(const Scene& scene, const Arguments& a) override {
    vtb_world_def def;
    check(vtb_world_def_init(&def, sizeof def));
    def.time_step = a.step;
    if (a.text("sleep", "0") == "0") def.flags |= VTB_WORLD_FLAG_NO_SLEEP;
    if (a.text("correction", "1") == "0") def.flags |= VTB_WORLD_FLAG_NO_ENERGY_CORRECTION;
    if (a.text("free", "0") == "1") def.flags |= VTB_WORLD_FLAG_FREE_POSES;
    if (a.text("positions", "0") == "1") def.flags |= VTB_WORLD_FLAG_CONTACT_POSITIONS;
    def.substeps = static_cast<int32_t>(a.number("substeps", def.substeps));
    def.adaptive.substeps = static_cast<int32_t>(a.number("parts", def.adaptive.substeps));
    def.solver.iterations = static_cast<int32_t>(a.number("iterations", def.solver.iterations));
    def.solver.tolerance = a.number("tolerance", def.solver.tolerance);
    stepper_ = a.text("stepper", "impulse");
    def.stepper = stepperNamed(stepper_);
    treeSolver_ = a.text("tree_solver", "articulated");
    solver_ = a.text("solver", "pgs");
    def.joint.tree_solver = treeSolver_ == "sparse"  ? VTB_TREE_SOLVER_SPARSE
                            : treeSolver_ == "dense" ? VTB_TREE_SOLVER_DENSE
                                                     : VTB_TREE_SOLVER_ARTICULATED;
    def.solver.type = solver_ == "dantzig"  ? VTB_SOLVER_DANTZIG
                      : solver_ == "jacobi" ? VTB_SOLVER_JACOBI
                      : solver_ == "cg"     ? VTB_SOLVER_CG
                      : solver_ == "lemke"  ? VTB_SOLVER_LEMKE
                                            : VTB_SOLVER_PGS;
    def.solver.whole_contacts = static_cast<int32_t>(a.number("whole", def.solver.whole_contacts));
    def.solver.accelerate = static_cast<int32_t>(a.number("accelerate", def.solver.accelerate));
    def.solver.order = static_cast<vtb_sweep>(a.number("order", def.solver.order));
    def.solver.relaxation = a.number("relaxation", def.solver.relaxation);
    check(vtb_world_create(&def, &world_));
    if (scene.ground) addShape({}, VTB_SHAPE_TYPE_PLANE, {}, scene.friction, 1, ~0u);
    for (const Body& b : scene.bodies) addBody(scene, b);
    for (const Joint& j : scene.joints) addJoint(scene, j);
    check(vtb_world_reserve(world_, static_cast<int32_t>(16 * scene.bodies.size())));
  }

  void step() override {
    const vtb_status status = vtb_world_step(world_, 1);
    if (status == VTB_E_DIVERGED) diverged_ = true;
    if (status == VTB_E_INFEASIBLE) infeasible_++;
    if (status != VTB_OK && status != VTB_E_DIVERGED && status != VTB_E_INFEASIBLE) check(status);
  }

  State get(int body) override {
    double p[7], t[6];
    check(vtb_body_get_pose(world_, bodies_[body], p));
    check(vtb_body_get_twist(world_, bodies_[body], t));
    return {{p[0], p[1], p[2]}, {p[6], p[3], p[4], p[5]}, {t[0], t[1], t[2]}, {t[3], t[4], t[5]}};
  }

  bool diverged() override { return diverged_; }

  std::string notes() override {
    vtb_world_stats stats{};
    stats.struct_size = sizeof stats;
    check(vtb_world_get_stats(world_, &stats));
    return "double; " + stepper_ + ", " + treeSolver_ + ", " + solver_ + "; halv " + std::to_string(stats.halvings) + "; contacts " +
           std::to_string(stats.contacts) + ", rows " + std::to_string(stats.rows) + ", sweeps " + std::to_string(stats.solver_iterations) +
           (diverged_ ? "; DIVERGED" : "") + (infeasible_ ? "; infeasible steps " + std::to_string(infeasible_) : "");
  }

 private:
  static void check(vtb_status status) {
    if (status == VTB_OK) return;
    std::fprintf(stderr, "vertebra: %s: %s\n", vtb_status_name(status), vtb_last_error());
    std::exit(1);
  }

  void addShape(vtb_body body, vtb_shape_type type, Vec size, double friction, uint32_t group, uint32_t mask) {
    vtb_shape_def def;
    check(vtb_shape_def_init(&def, sizeof def));
    def.type = type;
    def.size[0] = size.x;
    def.size[1] = size.y;
    def.size[2] = size.z;
    def.surface.friction = friction;
    def.category = group;
    def.mask = mask;
    vtb_shape shape;
    check(vtb_shape_create(world_, body, &def, &shape));
  }

  void addBody(const Scene& scene, const Body& b) {
    vtb_body_def def;
    check(vtb_body_def_init(&def, sizeof def));
    set(def.pose, b.position, b.orientation);
    def.mass = b.mass;
    const double inertia[6] = {b.inertia.x, 0, 0, b.inertia.y, 0, b.inertia.z};
    std::copy(inertia, inertia + 6, def.inertia);
    vtb_body body;
    check(vtb_body_create(world_, &def, &body));
    bodies_.push_back(body);
    const vtb_shape_type type = b.shape == Shape::capsule ? VTB_SHAPE_TYPE_CAPSULE
                                : b.shape == Shape::box   ? VTB_SHAPE_TYPE_BOX
                                                          : VTB_SHAPE_TYPE_SPHERE;
    const Filter filter = filterOf(scene, b);
    if (scene.ground) addShape(body, type, b.size, scene.friction, filter.group, filter.mask);
  }

  // Joint frames have world axes at the start, so that anchors and axes can be given as in the scene.
  void addJoint(const Scene& scene, const Joint& j) {
    vtb_joint_def def;
    check(vtb_joint_def_init(&def, sizeof def));
    def.type = j.type == JointType::hinge  ? VTB_JOINT_TYPE_REVOLUTE
               : j.type == JointType::ball ? VTB_JOINT_TYPE_SPHERICAL
                                           : VTB_JOINT_TYPE_FIXED;
    if (j.parent >= 0) def.body_a = bodies_[j.parent];
    def.body_b = bodies_[j.child];
    const auto frame = [&](int body, double* pose) {
      if (body < 0) return set(pose, j.anchor, Quat{});
      const Body& b = scene.bodies[body];
      set(pose, rotate(conjugate(b.orientation), j.anchor - b.position), conjugate(b.orientation));
    };
    frame(j.parent, def.frame_a);
    frame(j.child, def.frame_b);
    const Vec axis = unit(j.axis);
    def.axis[0] = axis.x;
    def.axis[1] = axis.y;
    def.axis[2] = axis.z;
    if (j.limited && j.type == JointType::ball) {
      def.limits.swing = j.cone;
      def.limits.twist_lower = -j.twist;
      def.limits.twist_upper = j.twist;
    }
    vtb_joint joint;
    check(vtb_joint_create(world_, &def, &joint));
    joints_.push_back(joint);
    const int axes = j.type == JointType::hinge ? 1 : j.type == JointType::ball ? 3 : 0;
    for (int i = 0; i < axes; i++) {
      vtb_axis_def bounds;
      check(vtb_axis_def_init(&bounds, sizeof bounds));
      if (j.limited && j.type == JointType::hinge) {
        bounds.lower = j.lower;
        bounds.upper = j.upper;
      }
      bounds.stiffness = j.stiffness;
      bounds.damping = j.damping;
      check(vtb_joint_set_axis(world_, joint, i, &bounds));
    }
  }

  static void set(double* pose, Vec p, Quat q) {
    const double values[7] = {p.x, p.y, p.z, q.x, q.y, q.z, q.w};
    std::copy(values, values + 7, pose);
  }

  vtb_world* world_ = nullptr;
  std::vector<vtb_body> bodies_;
  std::vector<vtb_joint> joints_;
  std::string stepper_, treeSolver_, solver_;
  bool diverged_ = false;
  int infeasible_ = 0;
};

}  // namespace

int main(int argc, char** argv) { return bench::run<Vertebra>(argc, argv); }
