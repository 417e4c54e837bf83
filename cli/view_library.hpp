// libvertebra_view, opened when a picture is asked for: the command itself needs no OpenSceneGraph, and starts as fast without.
#pragma once
#include <cstdint>

#include <vertebra_view.h>

#include "cli/arguments.hpp"

namespace vertebra::cli {

struct ViewLibrary {
  decltype(&vtb_view_def_init) defInit;
  decltype(&vtb_view_create) create;
  decltype(&vtb_view_destroy) destroy;
  decltype(&vtb_view_last_error) lastError;
  decltype(&vtb_view_push) push;
  decltype(&vtb_view_set_shown) setShown;
  decltype(&vtb_view_get_box) getBox;
  decltype(&vtb_view_get_distance) getDistance;
  decltype(&vtb_view_set_camera) setCamera;
  decltype(&vtb_view_project) project;
  decltype(&vtb_view_draw) draw;
  decltype(&vtb_view_write_png) writePng;
  decltype(&vtb_view_get_parts) getParts;
  decltype(&vtb_view_get_part_mesh) getPartMesh;
  decltype(&vtb_view_get_marks) getMarks;
  decltype(&vtb_view_get_ground) getGround;
  decltype(&vtb_strip_create) stripCreate;
  decltype(&vtb_strip_destroy) stripDestroy;
  decltype(&vtb_strip_add) stripAdd;
  decltype(&vtb_strip_write) stripWrite;
  decltype(&vtb_viewer_def_init) viewerDefInit;
  decltype(&vtb_viewer_create) viewerCreate;
  decltype(&vtb_viewer_destroy) viewerDestroy;
  decltype(&vtb_viewer_get_view) viewerGetView;
  decltype(&vtb_viewer_send) viewerSend;
  decltype(&vtb_viewer_frame) viewerFrame;
  decltype(&vtb_viewer_run) viewerRun;
  decltype(&vtb_viewer_get_state) viewerGetState;
  decltype(&vtb_viewer_set_camera) viewerSetCamera;
  decltype(&vtb_viewer_get_message) viewerGetMessage;
  decltype(&vtb_viewer_get_sliders) viewerGetSliders;
  decltype(&vtb_viewer_set_slider) viewerSetSlider;

  void check(vtb_status status) const;  // Failure with the library's text unless it is VTB_OK
};

std::uint32_t shownBy(const Arguments& arguments);  // VTB_VIEW_* bits of --show, besides what is shown by default
Option showOption();

const ViewLibrary& viewLibrary();  // Failure, with what to build or install, where it is not there

}  // namespace vertebra::cli
