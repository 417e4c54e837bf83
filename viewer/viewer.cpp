// The functions of vertebra_view.h for viewers: a session whose view is drawn in a window, or off-screen when it is asked for.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "viewer/guard.hpp"
#include "viewer/offscreen.hpp"
#include "viewer/panels.hpp"
#include "viewer/session.hpp"
#include "viewer/view.hpp"
#include "viewer/window.hpp"

using namespace vertebra::viewer;

namespace {
constexpr double kFastest = 1.0 / 60;  // s of the clock, a picture
constexpr std::uint32_t kAllFlags = VTB_VIEWER_OFFSCREEN | VTB_VIEWER_PAUSED | VTB_VIEWER_PLAYED | VTB_VIEWER_BARE;

vtb_view_def viewOf(const vtb_viewer_def& def) { return {sizeof(vtb_view_def), def.width, def.height, def.shown}; }

void checkDef(const vtb_viewer_def& def) {
  checkSize(def.width, def.height);
  checkShown(def.shown);
  if (def.flags & ~kAllFlags) throw Refused(VTB_E_ARG, "flags has bits that are no VTB_VIEWER_*");
  if (def.samples < -1 || def.samples > 16) throw Refused(VTB_E_ARG, "samples is " + std::to_string(def.samples) + "; from -1 to 16");
  const double times[] = {def.history, def.memory, def.end, def.front};
  finite(times, 4, "of history, memory, end and front one");
  if (def.history < 0 || def.memory < 0 || def.end < 0) throw Refused(VTB_E_ARG, "history, memory or end is negative");
  if (!(def.patience > 0)) throw Refused(VTB_E_ARG, "patience is not positive");
  if ((def.flags & VTB_VIEWER_PLAYED) && !def.follow) throw Refused(VTB_E_ARG, "follow is NULL: a played world needs it");
}
}  // namespace

struct vtb_viewer {
  vtb_view view;
  Hud hud;
  Panels panels;
  Session session;
  Window* window = nullptr;  // the view's stage, if it is one
  std::string message;       // that was asked for last

  vtb_viewer(const vtb_viewer_def& def, vtb_world* world) : view(viewOf(def)), session(def, world, view.world) {}
  void show();
};

// The picture's state from the session's.
void vtb_viewer::show() {
  view.def.width = session.width;
  view.def.height = session.height;
  view.def.shown = session.shown;
  view.setCamera(session.rig.camera());
  panels.draw(hud, session);
}

vtb_status vtb_viewer_def_init(vtb_viewer_def* def, uint32_t struct_size) {
  return guarded(__func__, [&] {
    required(def, "def");
    if (struct_size != sizeof *def) throw Refused(VTB_E_ARG, "struct_size is not the size of vtb_viewer_def in this library");
    *def = {};
    def->struct_size = struct_size;
    def->width = 1280;
    def->height = 720;
    def->shown = VTB_VIEW_GROUND | VTB_VIEW_SHADOWS;
    def->samples = -1;
    def->history = 60;
    def->memory = 2.5e8;
    def->patience = 0.2;
  });
}

vtb_status vtb_viewer_create(const vtb_viewer_def* def, vtb_world* world, vtb_viewer** out) {
  return guarded(__func__, [&] {
    if (required(def, "def").struct_size != sizeof *def)
      throw Refused(VTB_E_ARG, "struct_size is not the size of vtb_viewer_def; call vtb_viewer_def_init first");
    required(world, "world");
    required(out, "out");
    checkDef(*def);
    std::string error;
    std::unique_ptr<Stage> stage;
    Window* window = nullptr;
    if (def->flags & VTB_VIEWER_OFFSCREEN) {
      stage = Offscreen::create(def->width, def->height, def->samples < 0 ? kSamples : def->samples, error);
    } else {
      std::unique_ptr<Window> opened = Window::create(def->width, def->height, def->samples, def->title ? def->title : "vertebra", error);
      window = opened.get();
      stage = std::move(opened);
    }
    if (!stage) throw Refused(VTB_E_UNSUPPORTED, error);
    auto viewer = std::make_unique<vtb_viewer>(*def, world);
    viewer->window = window;
    osg::ref_ptr<osg::Group> all = new osg::Group;
    all->addChild(viewer->view.scene.root());
    all->addChild(viewer->hud.root());
    viewer->show();
    viewer->view.setStage(std::move(stage), all);
    *out = viewer.release();
  });
}

vtb_status vtb_viewer_destroy(vtb_viewer* viewer) {
  return guarded(__func__, [&] { delete viewer; });
}

vtb_status vtb_viewer_get_view(vtb_viewer* viewer, vtb_view** view) {
  return guarded(__func__, [&] { required(view, "view") = &required(viewer, "viewer").view; });
}

vtb_status vtb_viewer_send(vtb_viewer* viewer, const vtb_viewer_event* event) {
  return guarded(__func__, [&] {
    required(viewer, "viewer");
    if (required(event, "event").struct_size != sizeof *event) throw Refused(VTB_E_ARG, "struct_size is not the size of vtb_viewer_event");
    if (event->type < VTB_VIEWER_EVENT_MOVE || event->type > VTB_VIEWER_EVENT_CLOSE)
      throw Refused(VTB_E_ARG, "type is no VTB_VIEWER_EVENT_*");
    if (event->type == VTB_VIEWER_EVENT_RESIZE && !viewer->window) throw Refused(VTB_E_UNSUPPORTED, "off-screen the size stays");
    const double numbers[] = {event->x, event->y, event->scroll};
    finite(numbers, 3, "of x, y and scroll one");
    viewer->session.handle({event->type, event->x, event->y, event->button, event->key, event->modifiers, event->scroll});
    viewer->show();
  });
}

vtb_status vtb_viewer_frame(vtb_viewer* viewer, double seconds) {
  return guarded(__func__, [&] {
    required(viewer, "viewer");
    if (!(seconds >= 0 && std::isfinite(seconds))) throw Refused(VTB_E_ARG, "seconds is negative or no number");
    if (viewer->window)
      for (const Event& event : viewer->window->events()) viewer->session.handle(event);
    viewer->session.advance(seconds);
    viewer->panels.record(viewer->session);
    viewer->show();
    if (viewer->window) viewer->view.draw();
  });
}

vtb_status vtb_viewer_run(vtb_viewer* viewer, double seconds) {
  return guarded(__func__, [&] {
    if (!required(viewer, "viewer").window) throw Refused(VTB_E_UNSUPPORTED, "off-screen there is no clock: vtb_viewer_frame");
    if (!(seconds >= 0)) throw Refused(VTB_E_ARG, "seconds is negative");
    const double start = secondsOfClock();
    double last = start;
    while (!viewer->session.closed && (seconds == 0 || last - start < seconds)) {
      const double now = secondsOfClock();
      if (vtb_viewer_frame(viewer, now - last) != VTB_OK) throw Refused(VTB_E_UNSUPPORTED, lastError());
      last = now;
      const double spare = kFastest - (secondsOfClock() - now);
      if (spare > 0) std::this_thread::sleep_for(std::chrono::duration<double>(spare));
    }
  });
}

vtb_status vtb_viewer_get_state(const vtb_viewer* viewer, vtb_viewer_state* state) {
  return guarded(__func__, [&] {
    required(viewer, "viewer");
    if (required(state, "state").struct_size != sizeof *state) throw Refused(VTB_E_ARG, "struct_size is not the size of vtb_viewer_state");
    *state = viewer->session.state();
  });
}

vtb_status vtb_viewer_set_camera(vtb_viewer* viewer, const vtb_camera* camera) {
  return guarded(__func__, [&] {
    required(viewer, "viewer");
    checkCamera(required(camera, "camera"));
    viewer->session.rig.set(*camera);
    viewer->show();
  });
}

vtb_status vtb_viewer_get_message(vtb_viewer* viewer, const char** text) {
  return guarded(__func__, [&] {
    required(text, "text");
    required(viewer, "viewer").message = viewer->session.message();
    *text = viewer->message.c_str();
  });
}

vtb_status vtb_viewer_get_sliders(vtb_viewer* viewer, vtb_viewer_slider* sliders, size_t capacity, size_t* total) {
  return guarded(__func__, [&] {
    Sliders& panel = required(viewer, "viewer").session.sliders();
    if (capacity > 0 && required(sliders, "sliders").struct_size != sizeof *sliders)
      throw Refused(VTB_E_ARG, "struct_size is not the size of vtb_viewer_slider");
    const auto& rows = panel.read();
    for (std::size_t i = 0; i < std::min(capacity, rows.size()); i++) {
      const Sliders::Row& row = rows[i];
      sliders[i] = {sizeof *sliders,        row.axis,   row.joint, row.name.c_str(), row.lower, row.upper, panel.value(row, false),
                    panel.value(row, true), row.slides, 0};
    }
    if (total) *total = rows.size();
  });
}

vtb_status vtb_viewer_set_slider(vtb_viewer* viewer, vtb_joint joint, int32_t axis, int32_t target, double value) {
  return guarded(__func__, [&] {
    Sliders& panel = required(viewer, "viewer").session.sliders();
    finite(&value, 1, "value");
    const auto& rows = panel.read();
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const Sliders::Row& r) { return r.joint.bits == joint.bits && r.axis == axis; });
    if (row == rows.end()) throw Refused(VTB_E_ARG, "no slider is of axis " + std::to_string(axis) + " of that joint");
    panel.set(*row, target != 0, value);
  });
}
