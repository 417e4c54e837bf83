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
  find(made.getBox, "vtb_view_get_box");
  find(made.getDistance, "vtb_view_get_distance");
  find(made.setCamera, "vtb_view_set_camera");
  find(made.draw, "vtb_view_draw");
  find(made.writePng, "vtb_view_write_png");
  find(made.stripCreate, "vtb_strip_create");
  find(made.stripDestroy, "vtb_strip_destroy");
  find(made.stripAdd, "vtb_strip_add");
  find(made.stripWrite, "vtb_strip_write");
  return made;
}

}  // namespace

void ViewLibrary::check(vtb_status status) const {
  if (status != VTB_OK) throw Failure(lastError());
}

const ViewLibrary& viewLibrary() {
  static const ViewLibrary library = open();
  return library;
}

}  // namespace vertebra::cli
