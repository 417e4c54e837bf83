// See view_library.hpp.
#include "cli/view_library.hpp"

#include <dlfcn.h>

#include <string>

#include "cli/arguments.hpp"

namespace vertebra::cli {

namespace {

ViewLibrary open() {
  void* library = dlopen("libvertebra_view.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw Failure(std::string("pictures need the viewer, libvertebra_view, which is not there (") + dlerror() +
                  "); build with -DVERTEBRA_BUILD_VIEWER=ON, or install it beside libvertebra");
  ViewLibrary made{};
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (!function) throw Failure(std::string("libvertebra_view has no ") + name + ": it is of another version than this command");
  };
  find(made.defInit, "vtb_view_def_init");
  find(made.create, "vtb_view_create");
  find(made.destroy, "vtb_view_destroy");
  find(made.lastError, "vtb_view_last_error");
  find(made.push, "vtb_view_push");
  find(made.setShown, "vtb_view_set_shown");
  find(made.getBox, "vtb_view_get_box");
  find(made.getDistance, "vtb_view_get_distance");
  find(made.setCamera, "vtb_view_set_camera");
  find(made.project, "vtb_view_project");
  find(made.draw, "vtb_view_draw");
  find(made.writePng, "vtb_view_write_png");
  find(made.getParts, "vtb_view_get_parts");
  find(made.getPartMesh, "vtb_view_get_part_mesh");
  find(made.getMarks, "vtb_view_get_marks");
  find(made.getGround, "vtb_view_get_ground");
  find(made.stripCreate, "vtb_strip_create");
  find(made.stripDestroy, "vtb_strip_destroy");
  find(made.stripAdd, "vtb_strip_add");
  find(made.stripWrite, "vtb_strip_write");
  find(made.viewerDefInit, "vtb_viewer_def_init");
  find(made.viewerCreate, "vtb_viewer_create");
  find(made.viewerDestroy, "vtb_viewer_destroy");
  find(made.viewerGetView, "vtb_viewer_get_view");
  find(made.viewerSend, "vtb_viewer_send");
  find(made.viewerFrame, "vtb_viewer_frame");
  find(made.viewerRun, "vtb_viewer_run");
  find(made.viewerGetState, "vtb_viewer_get_state");
  find(made.viewerSetCamera, "vtb_viewer_set_camera");
  find(made.viewerGetMessage, "vtb_viewer_get_message");
  find(made.viewerGetSliders, "vtb_viewer_get_sliders");
  find(made.viewerSetSlider, "vtb_viewer_set_slider");
  return made;
}

}  // namespace

void ViewLibrary::check(vtb_status status) const {
  if (status != VTB_OK) throw Failure(lastError());
}

std::uint32_t shownBy(const Arguments& arguments) {
  static constexpr struct {
    const char* name;
    std::uint32_t bit;
  } kMarks[] = {{"contacts", VTB_VIEW_CONTACTS}, {"forces", VTB_VIEW_FORCES},       {"axes", VTB_VIEW_AXES},
                {"com", VTB_VIEW_COM},           {"collision", VTB_VIEW_COLLISION}, {"skeleton", VTB_VIEW_SKELETON},
                {"limits", VTB_VIEW_LIMITS},     {"inertia", VTB_VIEW_INERTIA},     {"paths", VTB_VIEW_PATHS},
                {"skin", VTB_VIEW_SKIN}};
  std::uint32_t shown = 0;
  const std::string given = arguments.text("show");
  if (!arguments.has("show")) return shown;
  for (const std::string_view part : split(given, ',')) {
    std::uint32_t bit = 0;
    for (const auto& mark : kMarks)
      if (part == mark.name) bit = mark.bit;
    if (bit == 0)
      throw UsageError("--show: '" + std::string(part) +
                       "' is not one of contacts, forces, axes, com, collision, skeleton, limits, inertia, paths, skin");
    shown |= bit;
  }
  return shown;
}

Option showOption() {
  return {"show", "LIST",
          "besides: contacts, forces (both of what is simulated), axes (of joints), limits, com, inertia, collision (shapes in place of "
          "visuals), skeleton, paths, skin (a surface around the bones in place of links)"};
}

const ViewLibrary& viewLibrary() {
  static const ViewLibrary library = open();
  return library;
}

}  // namespace vertebra::cli
