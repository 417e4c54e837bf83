// Dynamics of a skeleton in generalised coordinates, without a world.
#include "capi/src/objects.hpp"
#include "capi/src/workspace.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace vertebra::capi {

namespace {
const double* checkedCoordinates(const figure::FigureModel& model, const double* q, const char* name, bool withBase) {
  const int base = withBase || !model.coordinates.floatingBase ? 0 : dynamics::jointNq(dynamics::JointType::Floating);
  requiredArray(q, model.nq(), name);
  withinReach(q + base, static_cast<std::size_t>(model.nq() - base), name);
  for (const figure::CoordinatePart& part : model.coordinates.parts) {
    if (part.q < base) continue;
    if (const int at = dynamics::traitsOf(part.type).quaternion; at >= 0) quaternion(q + part.q + at, name);
  }
  return q;
}
}  // namespace

const double* coordinates(const figure::FigureModel& model, const double* q, const char* name) {
  return checkedCoordinates(model, q, name, true);
}
const double* jointCoordinates(const figure::FigureModel& model, const double* q, const char* name) {
  return checkedCoordinates(model, q, name, false);
}

const double* velocities(const figure::FigureModel& model, const double* v, const char* name) {
  return withinReach(v, static_cast<std::size_t>(model.nv()), name);
}

const double* jointForces(const figure::FigureModel& model, const double* tau, const char* name) {
  return finiteArray(tau, static_cast<std::size_t>(model.nv()), name);
}

void centerOfMass(figure::FigureWorkspace& workspace, const double* q, const double* v, double* position, double* velocity) {
  required(position, "position");
  required(velocity, "velocity");
  Vec3 p, u;
  if (!workspace.centerOfMass(q, v, p, &u)) refuse(VTB_E_UNSUPPORTED, "a figure without mass has no centre of mass");
  write(p, position);
  write(u, velocity);
}

}  // namespace vertebra::capi

namespace {

// A workspace with a state q, v that has been checked.
struct State {
  figure::FigureWorkspace& scratch;
  const figure::FigureModel& model;
  const double* q;
  const double* v;
};
State stateOf(vtb_workspace* workspace, const double* q, const double* v) {
  figure::FigureWorkspace& scratch = required(workspace, "workspace").scratch;
  const figure::FigureModel& model = scratch.model();
  return {scratch, model, coordinates(model, q, "q"), velocities(model, v, "v")};
}
State stateOf(vtb_workspace* workspace, const double* q) {
  figure::FigureWorkspace& scratch = required(workspace, "workspace").scratch;
  return {scratch, scratch.model(), coordinates(scratch.model(), q, "q"), nullptr};
}

const figure::FigureModel& modelOf(const vtb_workspace* workspace) { return required(workspace, "workspace").scratch.model(); }

}  // namespace

vtb_status vtb_workspace_create(vtb_skeleton* skeleton, vtb_base base, uint32_t flags, vtb_workspace** out) {
  return guarded(__func__, [&] {
    required(skeleton, "skeleton");
    required(out, "out");
    const auto kind = static_cast<figure::BaseKind>(oneOf(base, "base"));
    const bool reduceMimic = !(flagsOf<vtb_model_flag>(flags, "flags") & VTB_MODEL_FLAG_NO_MIMIC);
    *out = new vtb_workspace(figure::makeFigureModel(skeleton->model, kind, reduceMimic));
  });
}

vtb_status vtb_workspace_destroy(vtb_workspace* workspace) {
  return guarded(__func__, [&] { delete workspace; });
}

vtb_status vtb_workspace_get_size(const vtb_workspace* workspace, int32_t* nq, int32_t* nv) {
  return guarded(__func__, [&] {
    const figure::FigureModel& model = modelOf(workspace);
    required(nq, "nq");
    required(nv, "nv");
    *nq = model.nq();
    *nv = model.nv();
  });
}

vtb_status vtb_workspace_get_q_name(const vtb_workspace* workspace, int32_t index, char* buffer, size_t size, size_t* needed) {
  return guarded(__func__, [&] {
    const auto& names = modelOf(workspace).coordinates.qNames;
    writeText(names[inRange(index, names.size(), "index")], buffer, size, needed);
  });
}

vtb_status vtb_workspace_get_v_name(const vtb_workspace* workspace, int32_t index, char* buffer, size_t size, size_t* needed) {
  return guarded(__func__, [&] {
    const auto& names = modelOf(workspace).coordinates.vNames;
    writeText(names[inRange(index, names.size(), "index")], buffer, size, needed);
  });
}

vtb_status vtb_workspace_get_joint(const vtb_workspace* workspace, int32_t joint, int32_t* q_index, int32_t* v_index) {
  return guarded(__func__, [&] {
    const figure::FigureModel& model = modelOf(workspace);
    inRange(joint, model.skeleton->joints.size(), "joint");
    required(q_index, "q_index");
    required(v_index, "v_index");
    *q_index = model.coordinates.jointQ(joint);
    *v_index = model.coordinates.jointV(joint);
  });
}

vtb_status vtb_workspace_neutral(const vtb_workspace* workspace, double* q) {
  return guarded(__func__, [&] {
    const figure::FigureModel& model = modelOf(workspace);
    figure::neutral(model.coordinates, requiredArray(q, model.nq(), "q"));
  });
}

vtb_status vtb_workspace_integrate(const vtb_workspace* workspace, const double* q, const double* v, double dt, double* q_out) {
  return guarded(__func__, [&] {
    const figure::FigureModel& model = modelOf(workspace);
    coordinates(model, q, "q");
    velocities(model, v, "v");
    finite(dt, "dt");
    figure::integrate(model.coordinates, q, v, dt, requiredArray(q_out, model.nq(), "q_out"));
  });
}

vtb_status vtb_workspace_difference(const vtb_workspace* workspace, const double* q0, const double* q1, double* v_out) {
  return guarded(__func__, [&] {
    const figure::FigureModel& model = modelOf(workspace);
    coordinates(model, q0, "q0");
    coordinates(model, q1, "q1");
    figure::difference(model.coordinates, q0, q1, requiredArray(v_out, model.nv(), "v_out"));
  });
}

vtb_status vtb_dynamics_poses(vtb_workspace* workspace, const double* q, double* poses, size_t capacity, size_t stride_bytes,
                              size_t* total) {
  return guarded(__func__, [&] {
    const State s = stateOf(workspace, q);
    ArrayOut<double> out(poses, 7, capacity, stride_bytes, total, "poses");
    putPoses(out, s.scratch.poses(q), s.model.links.size());
  });
}

vtb_status vtb_dynamics_twists(vtb_workspace* workspace, const double* q, const double* v, double* twists, size_t capacity,
                               size_t stride_bytes, size_t* total) {
  return guarded(__func__, [&] {
    const State s = stateOf(workspace, q, v);
    ArrayOut<double> out(twists, 6, capacity, stride_bytes, total, "twists");
    const Vec6* all = s.scratch.twists(q, v);
    for (std::size_t i = 0; i < s.model.links.size(); i++) out.put(i, all[i].data());
    out.setTotal(s.model.links.size());
  });
}

vtb_status vtb_dynamics_jacobian(vtb_workspace* workspace, const double* q, int32_t link, const double* point, double* jacobian) {
  return guarded(__func__, [&] {
    const State s = stateOf(workspace, q);
    inRange(link, s.model.links.size(), "link");
    const Vec3 at = point ? vector(point, "point") : Vec3(Vec3::Zero());
    s.scratch.jacobian(q, link, at, requiredArray(jacobian, s.model.nv(), "jacobian"));
  });
}

vtb_status vtb_dynamics_mass_matrix(vtb_workspace* workspace, const double* q, double* matrix) {
  return guarded(__func__, [&] {
    const State s = stateOf(workspace, q);
    s.scratch.massMatrix(q, requiredArray(matrix, s.model.nv(), "matrix"));
  });
}

vtb_status vtb_dynamics_bias(vtb_workspace* workspace, const double* q, const double* v, const double* gravity, double* tau) {
  return guarded(__func__, [&] {
    const State s = stateOf(workspace, q, v);
    s.scratch.bias(q, v, vector(gravity, "gravity"), requiredArray(tau, s.model.nv(), "tau"));
  });
}

vtb_status vtb_dynamics_gravity(vtb_workspace* workspace, const double* q, const double* gravity, double* tau) {
  return guarded(__func__, [&] {
    const State s = stateOf(workspace, q);
    s.scratch.gravity(q, vector(gravity, "gravity"), requiredArray(tau, s.model.nv(), "tau"));
  });
}

vtb_status vtb_dynamics_inverse(vtb_workspace* workspace, const double* q, const double* v, const double* a, const double* gravity,
                                double* tau) {
  return guarded(__func__, [&] {
    const State s = stateOf(workspace, q, v);
    velocities(s.model, a, "a");
    s.scratch.inverse(q, v, a, vector(gravity, "gravity"), requiredArray(tau, s.model.nv(), "tau"));
  });
}

vtb_status vtb_dynamics_forward(vtb_workspace* workspace, const double* q, const double* v, const double* tau, const double* gravity,
                                double* a) {
  return guarded(__func__, [&] {
    const State s = stateOf(workspace, q, v);
    jointForces(s.model, tau, "tau");
    const int link = s.scratch.forward(q, v, tau, vector(gravity, "gravity"), requiredArray(a, s.model.nv(), "a"));
    if (link >= 0) refuse(VTB_E_UNSUPPORTED, figure::noInertiaText(s.model, link));
  });
}

vtb_status vtb_dynamics_com(vtb_workspace* workspace, const double* q, const double* v, double* position, double* velocity) {
  return guarded(__func__, [&] { centerOfMass(stateOf(workspace, q, v).scratch, q, v, position, velocity); });
}

vtb_status vtb_dynamics_momentum(vtb_workspace* workspace, const double* q, const double* v, double* momentum) {
  return guarded(__func__, [&] {
    const State s = stateOf(workspace, q, v);
    required(momentum, "momentum");
    Vec3 linear, angular;
    s.scratch.momentum(q, v, linear, angular);
    write(linear, momentum);
    write(angular, momentum + 3);
  });
}

vtb_status vtb_dynamics_energy(vtb_workspace* workspace, const double* q, const double* v, const double* gravity, double* kinetic,
                               double* potential) {
  return guarded(__func__, [&] {
    const State s = stateOf(workspace, q, v);
    const Vec3 g = vector(gravity, "gravity");
    required(kinetic, "kinetic");
    required(potential, "potential");
    s.scratch.energy(q, v, g, *kinetic, *potential);
  });
}
