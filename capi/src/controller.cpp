// Controllers of figures: created, set, read.
#include "capi/src/controller_defs.hpp"
#include "capi/src/controllers.hpp"
#include "capi/src/play.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

int slotOf(const vtb_world& w, vtb_controller controller) {
  if (controller.bits == 0) refuse(VTB_E_ARG, "controller is the zero handle");
  const int id = w.controllers.find(controller.bits);
  if (id < 0) refuse(VTB_E_STALE, "controller no longer exists, or belongs to another world");
  return id;
}

const ControllerSlot& controllerOf(const vtb_world& w, vtb_controller controller) {
  return *w.controllerSlots[static_cast<std::size_t>(slotOf(w, controller))];
}

template <class T>
T& typed(const vtb_world& w, vtb_controller controller, const char* wanted) {
  T* const out = dynamic_cast<T*>(controllerOf(w, controller).controller.get());
  if (!out) refuse(VTB_E_ARG, std::string("the controller is not of type ") + wanted);
  return *out;
}

// To be changed by a call: what a scene file says of it holds no more.
template <class T>
T& altered(const vtb_world& w, vtb_controller controller, const char* wanted) {
  T& out = typed<T>(w, controller, wanted);
  w.controllerSlots[static_cast<std::size_t>(slotOf(w, controller))]->changed = true;
  return out;
}

void add(vtb_world& w, vtb_figure figure, vtb_controller_type type, std::shared_ptr<control::Controller> controller, vtb_controller* out) {
  auto slot = std::make_shared<ControllerSlot>(ControllerSlot{figure, type, controller});
  auto has = std::find_if(w.controlled.begin(), w.controlled.end(), [&](const auto& c) { return c->figure.bits == figure.bits; });
  if (has == w.controlled.end()) {
    w.controlled.push_back(std::make_shared<ControlledFigure>(figure, figureOf(w, figure).sharedModel()));
    has = std::prev(w.controlled.end());
  }
  std::size_t id = 0;
  while (id < w.controllerSlots.size() && w.controllerSlots[id]) id++;
  if (id == w.controllerSlots.size()) w.controllerSlots.emplace_back();
  auto& list = (*has)->stack.controllers();
  list.reserve(list.size() + 1);
  w.controllers.adopt(static_cast<int>(id));  // nothing below allocates
  list.push_back(std::move(controller));
  w.controllerSlots[id] = std::move(slot);
  out->bits = w.controllers.handle(static_cast<int>(id));
}

// Makes a controller of a figure that follows no clip by itself.
template <class Make>
vtb_status create(const char* function, vtb_world* world, vtb_figure figure, vtb_controller_type type, vtb_controller* out, Make&& make) {
  return changing(function, world, [&](vtb_world& w) {
    const figure::Figure& f = figureOf(w, figure);
    required(out, "out");
    for (const auto& p : w.players)
      if (p->figure.bits == figure.bits)
        refuse(VTB_E_ARG, "the figure follows a clip; to mend: end that by vtb_figure_play without a motion");
    add(w, figure, type, make(w, f), out);
  });
}

std::vector<double>& put(std::vector<double>& into, const double* values) {
  if (values)
    std::copy_n(values, into.size(), into.begin());
  else
    std::fill(into.begin(), into.end(), 0.0);
  return into;
}

void tell(const std::vector<double>& values, double* out) {
  if (out) std::copy(values.begin(), values.end(), out);
}

// Of the frame that the figure's coordinates have.
Pose basePoseOf(const vtb_world& w, vtb_figure figure) {
  const figure::Figure& f = figureOf(w, figure);
  return f.model().coordinates.floatingBase ? Pose() : w.engine.bodyPose(f.bodies()[static_cast<std::size_t>(f.model().skeleton->root)]);
}

// Places and directions in that frame.
Vec3 targetOf(const vtb_world& w, vtb_figure figure, control::PointKind kind, const double* target) {
  const Pose base = basePoseOf(w, figure);
  const Vec3 out = vector(target, "target");
  if (kind != control::PointKind::Direction) return base.inverse() * out;
  if (!(out.norm() > 1e-9)) refuse(VTB_E_ARG, "target is a direction and has no length");
  return base.q.conjugate() * Vec3(out.normalized());
}

}  // namespace

vtb_status vtb_drive_def_init(vtb_drive_def* def, uint32_t size) { return initStruct(__func__, def, size); }
vtb_status vtb_animation_def_init(vtb_animation_def* def, uint32_t size) { return initStruct(__func__, def, size); }
vtb_status vtb_play_def_init(vtb_play_def* def, uint32_t size) { return initStruct(__func__, def, size); }
vtb_status vtb_root_drive_def_init(vtb_root_drive_def* def, uint32_t size) { return initStruct(__func__, def, size); }
vtb_status vtb_marker_drive_def_init(vtb_marker_drive_def* def, uint32_t size) { return initStruct(__func__, def, size); }
vtb_status vtb_marker_play_def_init(vtb_marker_play_def* def, uint32_t size) { return initStruct(__func__, def, size); }
vtb_status vtb_inverse_dynamics_def_init(vtb_inverse_dynamics_def* def, uint32_t size) { return initStruct(__func__, def, size); }
vtb_status vtb_balance_def_init(vtb_balance_def* def, uint32_t size) { return initStruct(__func__, def, size); }
vtb_status vtb_goal_def_init(vtb_goal_def* def, uint32_t size) { return initStruct(__func__, def, size); }

vtb_status vtb_controller_destroy(vtb_world* world, vtb_controller controller) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = slotOf(w, controller);
    const auto& slot = w.controllerSlots[static_cast<std::size_t>(id)];
    for (const auto& c : w.controlled) {
      auto& list = c->stack.controllers();
      list.erase(std::remove(list.begin(), list.end(), slot->controller), list.end());
    }
    w.controllers.drop(id);
    w.controllerSlots[static_cast<std::size_t>(id)].reset();
    dropControllers(w);
  });
}

vtb_status vtb_figure_get_controllers(const vtb_world* world, vtb_figure figure, vtb_controller* list, size_t capacity, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    figureOf(w, figure);
    ArrayOut<vtb_controller> out(list, 1, capacity, 0, total, "out");
    std::size_t count = 0;
    for (const auto& c : w.controlled) {
      if (c->figure.bits != figure.bits) continue;
      for (const auto& controller : c->stack.controllers())
        for (std::size_t id = 0; id < w.controllerSlots.size(); id++)
          if (w.controllerSlots[id] && w.controllerSlots[id]->controller == controller) {
            const vtb_controller handle{w.controllers.handle(static_cast<int>(id))};
            out.put(count++, &handle);
          }
    }
    out.setTotal(count);
  });
}

vtb_status vtb_controller_get_info(const vtb_world* world, vtb_controller controller, vtb_controller_info* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const ControllerSlot& slot = controllerOf(w, controller);
    vtb_controller_info info{};
    info.type = slot.type;
    info.figure = slot.figure;
    describe(*slot.controller, info);
    writeStruct(out, info);
  });
}

vtb_status vtb_figure_add_drive(vtb_world* world, vtb_figure figure, const vtb_drive_def* given, vtb_controller* out) {
  return create(__func__, world, figure, VTB_CONTROLLER_TYPE_DRIVE, out, [&](vtb_world&, const figure::Figure& f) {
    return std::make_shared<control::Drive>(f.sharedModel(), settingsOf(readOptional(given)));
  });
}

vtb_status vtb_drive_set_pose(vtb_world* world, vtb_controller controller, const double* q, const double* v) {
  return changing(__func__, world, [&](vtb_world& w) {
    auto& drive = altered<control::Drive>(w, controller, "drive");
    withinReach(q, drive.targetQ().size(), "q");
    if (v) withinReach(v, drive.targetV().size(), "v");
    put(drive.targetQ(), q);
    put(drive.targetV(), v);
    drive.givePose();
  });
}

vtb_status vtb_drive_get_pose(const vtb_world* world, vtb_controller controller, double* q, double* v) {
  return reading(__func__, world, [&](const vtb_world& w) {
    auto& drive = typed<control::Drive>(w, controller, "drive");
    tell(drive.targetQ(), q);
    tell(drive.targetV(), v);
  });
}

vtb_status vtb_drive_set_gains(vtb_world* world, vtb_controller controller, const double* stiffness, const double* damping,
                               const double* max_force) {
  return changing(__func__, world, [&](vtb_world& w) {
    auto& drive = altered<control::Drive>(w, controller, "drive");
    const std::size_t n = drive.driven().size();
    std::vector<double> k = drive.stiffness(), c = drive.damping();
    std::vector<bool> driven = drive.driven();
    if (stiffness) std::copy_n(stiffness, n, k.begin());
    if (damping) std::copy_n(damping, n, c.begin());
    for (std::size_t i = 0; i < n; i++) {
      if (max_force) notNegative(max_force[i], "max_force");
      if (stiffness || damping) driven[i] = !(k[i] == -1 && c[i] == -1);
      if (!driven[i]) continue;
      finiteNotNegative(k[i], "stiffness");
      finiteNotNegative(c[i], "damping");
    }
    drive.stiffness() = k;
    drive.damping() = c;
    drive.driven() = driven;
    if (max_force) put(drive.limit(), max_force);
  });
}

vtb_status vtb_drive_get_gains(const vtb_world* world, vtb_controller controller, double* stiffness, double* damping, double* max_force) {
  return reading(__func__, world, [&](const vtb_world& w) {
    auto& drive = typed<control::Drive>(w, controller, "drive");
    tell(drive.stiffness(), stiffness);
    tell(drive.damping(), damping);
    tell(drive.limit(), max_force);
    for (std::size_t i = 0; i < drive.driven().size(); i++) {
      if (drive.driven()[i]) continue;
      if (stiffness) stiffness[i] = -1;
      if (damping) damping[i] = -1;
    }
  });
}

vtb_status vtb_figure_add_animation(vtb_world* world, vtb_figure figure, const vtb_animation_def* given, vtb_controller* out) {
  return create(__func__, world, figure, VTB_CONTROLLER_TYPE_ANIMATION, out, [&](vtb_world&, const figure::Figure& f) {
    return std::make_shared<control::Animation>(f.sharedModel(), settingsOf(readOptional(given)));
  });
}

vtb_status vtb_animation_play(vtb_world* world, vtb_controller controller, const vtb_play_def* given) {
  return changing(__func__, world, [&](vtb_world& w) {
    auto& animation = altered<control::Animation>(w, controller, "animation");
    const vtb_play_def def = readStruct(given);
    const figure::Figure& f = figureOf(w, controllerOf(w, controller).figure);
    control::PlayedClip clip = clipOf(def, f.sharedModel());
    clip.begin = std::max({clip.begin, w.engine.time(), animation.lastBegin()});
    animation.play(clip, w.engine.time());
  });
}

vtb_status vtb_figure_add_root_drive(vtb_world* world, vtb_figure figure, const vtb_root_drive_def* given, vtb_controller* out) {
  return create(__func__, world, figure, VTB_CONTROLLER_TYPE_ROOT_DRIVE, out, [&](vtb_world&, const figure::Figure& f) {
    if (!f.model().coordinates.floatingBase) refuse(VTB_E_ARG, "the figure's base is fixed: nothing can move its root");
    return std::make_shared<control::RootDrive>(f.sharedModel(), settingsOf(readOptional(given)));
  });
}

vtb_status vtb_figure_add_marker_drive(vtb_world* world, vtb_figure figure, const vtb_marker_drive_def* given, vtb_controller* out) {
  return create(__func__, world, figure, VTB_CONTROLLER_TYPE_MARKER_DRIVE, out, [&](vtb_world&, const figure::Figure& f) {
    const vtb_marker_drive_def def = readStruct(given);
    requiredArray(def.links, def.count, "links");
    finiteArray(def.points, 3 * static_cast<std::size_t>(def.count), "points");
    std::vector<control::MarkerSite> sites;
    for (uint32_t i = 0; i < def.count; i++)
      sites.push_back({inRange(def.links[i], f.model().links.size(), "links"), vector(def.points + 3 * i, "points")});
    return std::make_shared<control::MarkerDrive>(f.sharedModel(), settingsOf(def), std::move(sites));
  });
}

vtb_status vtb_marker_drive_set_places(vtb_world* world, vtb_controller controller, const double* places, const double* velocities,
                                       size_t count) {
  return changing(__func__, world, [&](vtb_world& w) {
    auto& drive = altered<control::MarkerDrive>(w, controller, "marker_drive");
    if (count != drive.sites().size())
      refuse(VTB_E_ARG, "count is " + std::to_string(count) + ", the controller has " + std::to_string(drive.sites().size()) + " points");
    requiredArray(places, 3 * count, "places");
    if (velocities) withinReach(velocities, 3 * count, "velocities");
    for (std::size_t i = 0; i < 3 * count; i++)
      if (std::fabs(places[i]) > kFarthest)
        refuse(VTB_E_ARG, "places[" + std::to_string(i) + "] must be from -1e100 to 1e100, or not a number");
    put(drive.places(), places);
    put(drive.velocities(), velocities);
    drive.rest();
  });
}

vtb_status vtb_marker_drive_get_places(const vtb_world* world, vtb_controller controller, double* places, size_t capacity, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    auto& drive = typed<control::MarkerDrive>(w, controller, "marker_drive");
    ArrayOut<double> out(places, 3, capacity, 0, total, "places");
    for (std::size_t i = 0; i < std::min(capacity, drive.sites().size()); i++) out.put(i, &drive.places()[3 * i]);
    out.setTotal(drive.sites().size());
  });
}

vtb_status vtb_marker_drive_play(vtb_world* world, vtb_controller controller, const vtb_marker_play_def* given) {
  return changing(__func__, world, [&](vtb_world& w) {
    auto& drive = altered<control::MarkerDrive>(w, controller, "marker_drive");
    const vtb_marker_play_def def = readStruct(given);
    if (def.count != drive.sites().size())
      refuse(VTB_E_ARG,
             "count is " + std::to_string(def.count) + ", the controller has " + std::to_string(drive.sites().size()) + " points");
    control::PlayedMarkers played;
    played.record = required(def.markers, "markers").record;
    if (played.record->frames() == 0) refuse(VTB_E_ARG, "the record has no frames");
    requiredArray(def.columns, def.count, "columns");
    for (uint32_t i = 0; i < def.count; i++)
      played.columns.push_back(def.columns[i] == -1 ? -1 : inRange(def.columns[i], played.record->names.size(), "columns"));
    played.begin = def.begin;
    played.place = pose(def.pose, "pose");
    drive.play(std::move(played));
  });
}

vtb_status vtb_figure_add_inverse_dynamics(vtb_world* world, vtb_figure figure, const vtb_inverse_dynamics_def* given,
                                           vtb_controller* out) {
  return create(__func__, world, figure, VTB_CONTROLLER_TYPE_INVERSE_DYNAMICS, out, [&](vtb_world&, const figure::Figure& f) {
    return std::make_shared<control::InverseDynamics>(f.sharedModel(), settingsOf(readOptional(given)));
  });
}

vtb_status vtb_figure_add_balance(vtb_world* world, vtb_figure figure, const vtb_balance_def* given, vtb_controller* out) {
  return create(__func__, world, figure, VTB_CONTROLLER_TYPE_BALANCE, out, [&](vtb_world&, const figure::Figure& f) {
    return std::make_shared<control::Balance>(f.sharedModel(), settingsOf(readOptional(given)));
  });
}

vtb_status vtb_figure_add_point(vtb_world* world, vtb_figure figure, vtb_controller* out) {
  return create(__func__, world, figure, VTB_CONTROLLER_TYPE_POINT, out, [&](vtb_world&, const figure::Figure& f) {
    return std::make_shared<control::Point>(f.sharedModel(), control::PointSettings());
  });
}

vtb_status vtb_point_add_goal(vtb_world* world, vtb_controller controller, const vtb_goal_def* given, int32_t* index) {
  return changing(__func__, world, [&](vtb_world& w) {
    auto& point = altered<control::Point>(w, controller, "point");
    const vtb_goal_def def = readStruct(given);
    required(index, "goal");
    control::PointGoal goal = goalOf(def);
    if (goal.kind != control::PointKind::Still) goal.target = targetOf(w, controllerOf(w, controller).figure, goal.kind, def.target);
    point.goals().push_back(goal);
    if (Failure failure = point.refresh()) {
      point.goals().pop_back();
      (void)point.refresh();
      check(failure);
    }
    *index = static_cast<int32_t>(point.goals().size()) - 1;
  });
}

vtb_status vtb_point_set_target(vtb_world* world, vtb_controller controller, int32_t index, const double* target) {
  return changing(__func__, world, [&](vtb_world& w) {
    auto& point = altered<control::Point>(w, controller, "point");
    control::PointGoal& goal = point.goals()[static_cast<std::size_t>(inRange(index, point.goals().size(), "goal"))];
    goal.target = targetOf(w, controllerOf(w, controller).figure, goal.kind, target);
  });
}

vtb_status vtb_point_get_goal(const vtb_world* world, vtb_controller controller, int32_t index, vtb_goal_def* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    auto& point = typed<control::Point>(w, controller, "point");
    const control::PointGoal& goal = point.goals()[static_cast<std::size_t>(inRange(index, point.goals().size(), "goal"))];
    vtb_goal_def def = describe(goal);
    if (goal.kind != control::PointKind::Still) {
      const Pose base = basePoseOf(w, controllerOf(w, controller).figure);
      write(goal.kind == control::PointKind::Direction ? Vec3(base.q * goal.target) : Vec3(base * goal.target), def.target);
    }
    writeStruct(out, def);
  });
}

vtb_status vtb_point_get_error(const vtb_world* world, vtb_controller controller, int32_t index, double* error) {
  return reading(__func__, world, [&](const vtb_world& w) {
    auto& point = typed<control::Point>(w, controller, "point");
    const figure::Figure& f = figureOf(w, controllerOf(w, controller).figure);
    inRange(index, point.goals().size(), "goal");
    required(error, "error");
    std::vector<double> q(static_cast<std::size_t>(f.model().nq()));
    f.q(w.engine, q.data());
    *error = point.error(static_cast<std::size_t>(index), q.data());
  });
}
