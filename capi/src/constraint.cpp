// Constraints that users write: a callback gives rows over bodies and joint axes.
#include "capi/src/conversions_forces.hpp"
#include "capi/src/world_object.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

bool soundRow(const vtb_row& row) {
  if (!sound(description<vtb_row>(), &row)) return false;
  const bool rigid = row.stiffness >= kInf;  // otherwise something has to hold it, and of a rate only damping can
  if (!rigid && !(row.damping > 0) && !(row.level == VTB_ROW_LEVEL_POSITION && row.stiffness > 0)) return false;
  return row.lower <= row.upper && row.lower < kInf && row.upper > -kInf;
}

int callConstraint(void* context, int constraint, UserRow* rows) {
  const UserConstraint& c = *static_cast<UserConstraint*>(context);
  vtb_world& world = *c.world;
  const CallbackScope scope(world);
  const vtb_row& prepared = defaults<vtb_row>();
  int count = 0;
  for (int32_t k = 0; k < c.rows; k++) {
    vtb_row row = prepared;
    row.bodies = rows[count].bodies;
    row.joints = rows[count].joints;
    if (!c.evaluate(c.user, &world, {world.constraints.handle(constraint)}, k, &row)) break;
    bool good = soundRow(row);
    for (int i = 0; i < c.bodyNumbers; i++) good &= std::isfinite(rows[count].bodies[i]);
    for (int i = 0; i < c.jointNumbers; i++) good &= std::isfinite(rows[count].joints[i]);
    if (!good) return -1;
    UserRow& r = rows[count++];
    readPairs(RowPairs::list, row, r);
  }
  return count;
}

}  // namespace

vtb_status vtb_constraint_def_init(vtb_constraint_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }

vtb_status vtb_constraint_create(vtb_world* world, const vtb_constraint_def* given, vtb_constraint* out) {
  return changing(__func__, world, [&](vtb_world& w) {
    const vtb_constraint_def def = readStruct(given);
    required(out, "out");
    if (!def.evaluate) refuse(VTB_E_ARG, "evaluate is NULL");
    auto callback = std::make_unique<UserConstraint>();
    callback->world = &w;
    callback->evaluate = def.evaluate;
    callback->user = def.user;
    callback->rows = def.rows;
    UserConstraintDefinition d;
    for (uint32_t i = 0; i < def.body_count; i++) d.bodies.push_back(bodyOf(w, def.bodies[i], "bodies"));
    for (uint32_t i = 0; i < def.joint_count; i++) {
      d.joints.push_back(jointOf(w, def.joints[i], "joints"));
      callback->jointNumbers += w.engine.jointAxes(d.joints.back());
    }
    callback->bodyNumbers = 6 * static_cast<int>(def.body_count);
    d.rows = callback->rows;
    d.evaluate = callConstraint;
    d.user = callback.get();
    int id = -1;
    check(w.engine.createConstraint(d, id));
    if (id >= static_cast<int>(w.userConstraints.size())) w.userConstraints.resize(static_cast<std::size_t>(id) + 1);
    w.userConstraints[id] = std::move(callback);
    w.constraints.adopt(id);
    out->bits = w.constraints.handle(id);
  });
}

vtb_status vtb_points_def_init(vtb_points_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }

vtb_status vtb_constraint_create_points(vtb_world* world, const vtb_points_def* given, vtb_constraint* out) {
  return changing(__func__, world, [&](vtb_world& w) {
    const vtb_points_def def = readStruct(given);
    required(out, "out");
    UserConstraintDefinition d;
    readPairs(PointsPairs::list, def, d);
    for (uint32_t i = 0; i < def.point_count; i++) {
      d.pointBodies.push_back(bodyOrWorld(w, def.bodies[i], "bodies"));
      d.points.push_back(def.points ? vector(def.points + 3 * i, "points") : Vec3(Vec3::Zero()));
    }
    if (d.measure == PointMeasure::Length) finiteNotNegative(def.value, "value");
    if (!(def.lower <= def.upper) || !(def.lower < kInf) || !(def.upper > -kInf))
      refuse(VTB_E_ARG, "lower must not be above upper, and neither may exclude every finite force");
    if (d.softness.stiffness == 0 && d.softness.damping == 0)
      refuse(VTB_E_ARG, "stiffness and damping are both 0: nothing would hold the points");
    int id = -1;
    check(w.engine.createConstraint(d, id));
    w.constraints.adopt(id);
    out->bits = w.constraints.handle(id);
  });
}

vtb_status vtb_constraint_destroy(vtb_world* world, vtb_constraint constraint) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = constraintOf(w, constraint);
    w.engine.destroyConstraint(id);
    w.constraints.drop(id);
  });
}

vtb_status vtb_constraint_get_forces(const vtb_world* world, vtb_constraint constraint, double* forces, size_t capacity, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const std::vector<double>& all = w.engine.constraintForces(constraintOf(w, constraint));
    ArrayOut<double> array(forces, 1, capacity, 0, total, "forces");
    for (std::size_t i = 0; i < std::min(all.size(), capacity); i++) array.put(i, &all[i]);
    array.setTotal(all.size());
  });
}
