// Figures: a skeleton in a world, its coordinates, motors and dynamics.
#include "capi/src/controllers.hpp"
#include "capi/src/convert.hpp"
#include "capi/src/objects.hpp"
#include "capi/src/workspace.hpp"
#include "capi/src/world_object.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

// Equal figures of a world share one model.
std::shared_ptr<const figure::FigureModel> sharedModel(vtb_world& w, const std::shared_ptr<const figure::Skeleton>& skeleton,
                                                       figure::BaseKind base, bool reduceMimic) {
  auto& known = w.models;
  known.erase(std::remove_if(known.begin(), known.end(), [](const vtb_world::Model& m) { return m.model.expired(); }), known.end());
  for (const vtb_world::Model& m : known)
    if (m.base == base && m.reduceMimic == reduceMimic)
      if (auto model = m.model.lock(); model && model->skeleton == skeleton) return model;
  auto model = figure::makeFigureModel(skeleton, base, reduceMimic);
  known.push_back({base, reduceMimic, model});
  return model;
}

void adopt(vtb_world& w, const figure::Figure& figure, int slot) {
  for (int id : figure.bodies())
    if (id >= 0) w.bodies.adopt(id, slot);
  for (int id : figure.shapes())
    if (id >= 0) w.shapes.adopt(id, slot);
  for (int id : figure.joints())
    if (id >= 0) w.joints.adopt(id, slot);
  for (int id : figure.couplings())
    if (id >= 0) w.couplings.adopt(id, slot);
  if (figure.baseJoint() >= 0) w.joints.adopt(figure.baseJoint(), slot);
}

// The engine's present state of a figure, and a workspace made for its model. The model of a fixed base stands at the origin; `base`
// is where the figure's stands.
struct PresentState {
  const figure::Figure& figure;
  figure::FigureWorkspace& scratch;
  std::vector<double> q, v;
  Quat base;
};
PresentState presentState(const vtb_world& w, vtb_figure figure, vtb_workspace* workspace) {
  const figure::Figure& f = figureOf(w, figure);
  figure::FigureWorkspace& scratch = required(workspace, "workspace").scratch;
  const figure::FigureModel &own = f.model(), &given = scratch.model();
  if (&own != &given &&
      (own.skeleton != given.skeleton || own.coordinates.floatingBase != given.coordinates.floatingBase || own.nv() != given.nv()))
    refuse(VTB_E_ARG, "the workspace is not of this figure's skeleton, base and mimic joints; make it with vtb_figure_create_workspace");
  PresentState s{f, scratch, std::vector<double>(static_cast<std::size_t>(own.nq())),
                 std::vector<double>(static_cast<std::size_t>(own.nv())), Quat::Identity()};
  if (!own.coordinates.floatingBase) s.base = w.engine.bodyPose(f.bodies()[own.skeleton->root]).q;
  f.q(w.engine, s.q.data());
  f.v(w.engine, s.v.data());
  return s;
}

const double* optionalVelocities(const figure::FigureModel& model, const double* v, const char* name) {
  return v ? velocities(model, v, name) : nullptr;
}

const double* optionalGains(const figure::FigureModel& model, const double* gains, const char* name, bool infinityAllowed) {
  if (gains)
    for (int i = 0; i < model.nv(); i++) infinityAllowed ? notNegative(gains[i], name) : finiteNotNegative(gains[i], name);
  return gains;
}

void putValues(ArrayOut<double>& out, const std::vector<double>& values) {
  for (std::size_t i = 0; i < std::min(values.size(), out.capacity()); i++) out.put(i, &values[i]);
  out.setTotal(values.size());
}

}  // namespace

vtb_status vtb_figure_def_init(vtb_figure_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }

vtb_status vtb_figure_create(vtb_world* world, const vtb_figure_def* given, vtb_figure* out) {
  return changing(__func__, world, [&](vtb_world& w) {
    const vtb_figure_def def = readStruct(given);
    required(out, "out");
    const uint32_t flags = def.flags;
    const auto base = static_cast<figure::BaseKind>(def.base);
    figure::FigureDefinition d;
    d.pose = pose(def.pose, "pose");
    d.selfCollision = !(flags & VTB_FIGURE_FLAG_NO_SELF_COLLISION);
    d.model = sharedModel(w, required(def.skeleton, "skeleton").model, base, !(flags & VTB_FIGURE_FLAG_NO_MIMIC));
    const Integration own{def.step, def.integrator};
    check(w.engine.checkIntegration(own));
    figure::Figure figure;
    check(figure::Figure::create(w.engine, d, figure));
    if (own.asks())
      for (int body : figure.bodies()) check(w.engine.setBodyIntegration(body, own));
    std::size_t slot = w.firstFreeFigure;
    while (slot < w.figureSlots.size() && w.figureSlots[slot]) slot++;
    if (slot == w.figureSlots.size()) w.figureSlots.emplace_back();
    w.firstFreeFigure = slot + 1;
    w.figureSlots[slot] = std::move(figure);
    adopt(w, *w.figureSlots[slot], static_cast<int>(slot));
    w.figures.adopt(static_cast<int>(slot));
    out->bits = w.figures.handle(static_cast<int>(slot));
  });
}

vtb_status vtb_figure_destroy(vtb_world* world, vtb_figure figure) {
  return changing(__func__, world, [&](vtb_world& w) {
    figureOf(w, figure);
    const int slot = w.figures.find(figure.bits);
    w.figureSlots[slot]->destroy(w.engine);
    w.figureSlots[slot].reset();
    w.firstFreeFigure = std::min(w.firstFreeFigure, static_cast<std::size_t>(slot));
    w.figures.drop(slot);
    dropControllers(w);
    dropDestroyed(w);
  });
}

vtb_status vtb_figure_get_size(const vtb_world* world, vtb_figure figure, int32_t* links, int32_t* joints, int32_t* nq, int32_t* nv) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const figure::FigureModel& model = figureOf(w, figure).model();
    required(links, "links");
    required(joints, "joints");
    required(nq, "nq");
    required(nv, "nv");
    *links = static_cast<int32_t>(model.skeleton->links.size());
    *joints = static_cast<int32_t>(model.skeleton->joints.size());
    *nq = model.nq();
    *nv = model.nv();
  });
}

vtb_status vtb_figure_get_skeleton(const vtb_world* world, vtb_figure figure, vtb_skeleton** skeleton) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const figure::Figure& f = figureOf(w, figure);
    required(skeleton, "skeleton");
    *skeleton = new vtb_skeleton{f.sharedModel()->skeleton};
  });
}

vtb_status vtb_figure_get_body(const vtb_world* world, vtb_figure figure, int32_t link, vtb_body* body) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const auto& bodies = figureOf(w, figure).bodies();
    inRange(link, bodies.size(), "link");
    required(body, "body").bits = w.bodies.handle(bodies[link]);
  });
}

vtb_status vtb_figure_get_joint(const vtb_world* world, vtb_figure figure, int32_t joint, vtb_joint* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const auto& joints = figureOf(w, figure).joints();
    inRange(joint, joints.size(), "joint");
    required(out, "out").bits = w.joints.handle(joints[joint]);
  });
}

vtb_status vtb_figure_get_q(const vtb_world* world, vtb_figure figure, double* q, size_t capacity, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const figure::Figure& f = figureOf(w, figure);
    ArrayOut<double> out(q, 1, capacity, 0, total, "q");
    std::vector<double> values(static_cast<std::size_t>(f.model().nq()));
    f.q(w.engine, values.data());
    putValues(out, values);
  });
}

vtb_status vtb_figure_get_v(const vtb_world* world, vtb_figure figure, double* v, size_t capacity, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const figure::Figure& f = figureOf(w, figure);
    ArrayOut<double> out(v, 1, capacity, 0, total, "v");
    std::vector<double> values(static_cast<std::size_t>(f.model().nv()));
    f.v(w.engine, values.data());
    putValues(out, values);
  });
}

vtb_status vtb_figure_set_state(vtb_world* world, vtb_figure figure, const double* q, const double* v) {
  return changing(__func__, world, [&](vtb_world& w) {
    const figure::Figure& f = figureOf(w, figure);
    if (q) coordinates(f.model(), q, "q");
    optionalVelocities(f.model(), v, "v");
    check(f.setState(w.engine, q, v));
  });
}

vtb_status vtb_figure_get_poses(const vtb_world* world, vtb_figure figure, double* poses, size_t capacity, size_t stride_bytes,
                                size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const auto& bodies = figureOf(w, figure).bodies();
    ArrayOut<double> out(poses, 7, capacity, stride_bytes, total, "poses");
    double row[7];
    for (std::size_t i = 0; i < std::min(bodies.size(), out.capacity()); i++) {
      write(w.engine.bodyPose(bodies[i]), row);
      out.put(i, row);
    }
    out.setTotal(bodies.size());
  });
}

vtb_status vtb_figure_get_twists(const vtb_world* world, vtb_figure figure, double* twists, size_t capacity, size_t stride_bytes,
                                 size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const auto& bodies = figureOf(w, figure).bodies();
    ArrayOut<double> out(twists, 6, capacity, stride_bytes, total, "twists");
    double row[6];
    for (std::size_t i = 0; i < std::min(bodies.size(), out.capacity()); i++) {
      Vec3 velocity, omega;
      w.engine.bodyTwist(bodies[i], velocity, omega);
      write(velocity, row);
      write(omega, row + 3);
      out.put(i, row);
    }
    out.setTotal(bodies.size());
  });
}

vtb_status vtb_figure_set_motors(vtb_world* world, vtb_figure figure, const double* q_target, const double* v_target,
                                 const double* stiffness, const double* damping, const double* max_force) {
  return changing(__func__, world, [&](vtb_world& w) {
    const figure::Figure& f = figureOf(w, figure);
    const figure::FigureModel& model = f.model();
    jointCoordinates(model, q_target, "q_target");
    check(f.setMotors(w.engine, q_target, optionalVelocities(model, v_target, "v_target"),
                      optionalGains(model, stiffness, "stiffness", false), optionalGains(model, damping, "damping", false),
                      optionalGains(model, max_force, "max_force", true)));
  });
}

vtb_status vtb_figure_set_torques(vtb_world* world, vtb_figure figure, const double* tau) {
  return changing(__func__, world, [&](vtb_world& w) {
    const figure::Figure& f = figureOf(w, figure);
    check(f.setTorques(w.engine, jointForces(f.model(), tau, "tau")));
  });
}

vtb_status vtb_figure_get_motor_forces(const vtb_world* world, vtb_figure figure, double* tau, size_t capacity, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const figure::Figure& f = figureOf(w, figure);
    ArrayOut<double> out(tau, 1, capacity, 0, total, "tau");
    std::vector<double> values(static_cast<std::size_t>(f.model().nv()));
    f.motorForces(w.engine, values.data());
    putValues(out, values);
  });
}

vtb_status vtb_figure_create_workspace(const vtb_world* world, vtb_figure figure, vtb_workspace** out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const figure::Figure& f = figureOf(w, figure);
    required(out, "out");
    *out = new vtb_workspace(f.sharedModel());
  });
}

vtb_status vtb_figure_mass_matrix(const vtb_world* world, vtb_figure figure, vtb_workspace* workspace, double* matrix) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const PresentState s = presentState(w, figure, workspace);
    s.scratch.massMatrix(s.q.data(), requiredArray(matrix, s.v.size(), "matrix"));
  });
}

vtb_status vtb_figure_bias(const vtb_world* world, vtb_figure figure, vtb_workspace* workspace, double* tau) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const PresentState s = presentState(w, figure, workspace);
    s.scratch.bias(s.q.data(), s.v.data(), s.base.conjugate() * w.engine.settings().gravity, requiredArray(tau, s.v.size(), "tau"));
  });
}

vtb_status vtb_figure_jacobian(const vtb_world* world, vtb_figure figure, vtb_workspace* workspace, int32_t link, const double* point,
                               double* jacobian) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const PresentState s = presentState(w, figure, workspace);
    inRange(link, s.figure.model().links.size(), "link");
    const Vec3 at = point ? vector(point, "point") : Vec3(Vec3::Zero());
    s.scratch.jacobian(s.q.data(), link, at, requiredArray(jacobian, s.v.size(), "jacobian"));
    const int nv = s.figure.model().nv();
    Eigen::Map<Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>> linear(jacobian, 3, nv), angular(jacobian + 3 * nv, 3, nv);
    const Mat3 turn = s.base.toRotationMatrix();
    for (int i = 0; i < nv; i++) {
      linear.col(i) = Vec3(turn * linear.col(i));
      angular.col(i) = Vec3(turn * angular.col(i));
    }
  });
}

namespace {
// Its centre of mass and the velocity of that; refused where it has no mass.
void centreOf(const vtb_world& w, const figure::Figure& figure, Vec3& position, Vec3& velocity) {
  double total = 0;
  Vec3 moment = Vec3::Zero(), momentum = Vec3::Zero();
  for (int body : figure.bodies()) {
    double mass;
    Vec3 com, linear, omega;
    Mat3 inertia;
    w.engine.bodyMass(body, mass, com, inertia);
    const Pose pose = w.engine.bodyPose(body);
    w.engine.bodyTwist(body, linear, omega);
    const Vec3 arm = pose.q * com;
    total += mass;
    moment += mass * (pose.p + arm);
    momentum += mass * (linear + omega.cross(arm));
  }
  if (!(total > 0)) refuse(VTB_E_UNSUPPORTED, "a figure without mass has no centre of mass");
  position = moment / total;
  velocity = momentum / total;
}
}  // namespace

vtb_status vtb_figure_com(const vtb_world* world, vtb_figure figure, double* position, double* velocity) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const figure::Figure& f = figureOf(w, figure);
    required(position, "position");
    required(velocity, "velocity");
    Vec3 p, v;
    centreOf(w, f, p, v);
    write(p, position);
    write(v, velocity);
  });
}

vtb_status vtb_figure_get_energy(const vtb_world* world, vtb_figure figure, double* kinetic, double* potential) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const figure::Figure& f = figureOf(w, figure);
    double sum[2] = {0, 0}, part[2];
    for (int joint : f.joints()) {
      w.engine.jointEnergy(joint, part[0], part[1]);
      for (int k = 0; k < 2; k++) sum[k] += part[k];
    }
    for (int body : f.bodies()) {
      w.engine.bodyEnergy(body, part[0], part[1]);
      for (int k = 0; k < 2; k++) sum[k] += part[k];
    }
    requirePotential(sum[1]);
    if (kinetic) *kinetic = sum[0];
    if (potential) *potential = sum[1];
  });
}

vtb_status vtb_figure_get_momentum(const vtb_world* world, vtb_figure figure, const double* point, double* linear, double* angular) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const figure::Figure& f = figureOf(w, figure);
    Vec3 about, velocity, p, l, sum[2] = {Vec3::Zero(), Vec3::Zero()};
    if (point)
      about = vector(point, "point");
    else
      centreOf(w, f, about, velocity);
    for (int body : f.bodies()) {
      w.engine.bodyMomentum(body, about, p, l);
      sum[0] += p;
      sum[1] += l;
    }
    if (linear) write(sum[0], linear);
    if (angular) write(sum[1], angular);
  });
}
