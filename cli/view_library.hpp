// libvertebra_view, opened when a picture is asked for: the command itself needs no OpenSceneGraph, and starts as fast without.
#pragma once
#include <vertebra_view.h>

namespace vertebra::cli {

struct ViewLibrary {
  decltype(&vtb_view_def_init) defInit;
  decltype(&vtb_view_create) create;
  decltype(&vtb_view_destroy) destroy;
  decltype(&vtb_view_last_error) lastError;
  decltype(&vtb_view_push) push;
  decltype(&vtb_view_get_box) getBox;
  decltype(&vtb_view_get_distance) getDistance;
  decltype(&vtb_view_set_camera) setCamera;
  decltype(&vtb_view_draw) draw;
  decltype(&vtb_view_write_png) writePng;
  decltype(&vtb_strip_create) stripCreate;
  decltype(&vtb_strip_destroy) stripDestroy;
  decltype(&vtb_strip_add) stripAdd;
  decltype(&vtb_strip_write) stripWrite;

  void check(vtb_status status) const;  // Failure with the library's text unless it is VTB_OK
};

const ViewLibrary& viewLibrary();  // Failure, with what to build or install, where it is not there

}  // namespace vertebra::cli
