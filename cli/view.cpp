// vertebra view: a robot, a motion, a scene or a figure that follows a motion, in a window, to look at and to take hold of.
#include <algorithm>
#include <cmath>

#include "cli/output.hpp"
#include "cli/render_camera.hpp"
#include "cli/render_output.hpp"
#include "cli/render_source.hpp"
#include "cli/verbs.hpp"
#include "cli/view_library.hpp"
#include "cli/view_script.hpp"
#include "cli/web.hpp"

namespace vertebra::cli {

namespace {

constexpr double kLongestRun = 1e6;  // s

struct ViewerDestroy {
  void operator()(vtb_viewer* viewer) const { viewLibrary().viewerDestroy(viewer); }
};
using Viewer = std::unique_ptr<vtb_viewer, ViewerDestroy>;

vtb_status follow(void* user, vtb_world*, double time) {
  Source* source = static_cast<Source*>(user);
  try {
    if (source->simulated() || !source->moves())
      source->accompany(time);
    else
      source->goTo(time);
    return VTB_OK;
  } catch (const std::exception&) {  // vtb_last_error has the text of the call that failed
    return VTB_E_ARG;
  }
}

// A still robot stands on its lowest point, of what is shown or of what touches.
void stand(vtb_viewer* viewer, Source& source, std::uint32_t shown) {
  const ViewLibrary& library = viewLibrary();
  vtb_view* view = nullptr;
  library.check(library.viewerGetView(viewer, &view));
  double lower[3], upper[3], lowest = 1e300;
  for (const std::uint32_t collision : {std::uint32_t{0}, std::uint32_t{VTB_VIEW_COLLISION}}) {
    library.check(library.setShown(view, shown | collision));
    library.check(library.push(view, source.world()));
    if (library.getBox(view, lower, upper) == VTB_OK) lowest = std::min(lowest, lower[2]);
  }
  library.check(library.setShown(view, shown));
  if (lowest < 1e299) source.stand(lowest);
  library.check(library.push(view, source.world()));  // cameras frame what was pushed last
}

Viewer viewerOf(const Arguments& arguments, Source& source) {
  const ViewLibrary& library = viewLibrary();
  auto def = sized<vtb_viewer_def>();
  library.check(library.viewerDefInit(&def, sizeof def));
  readSize(arguments, def.width, def.height);
  def.shown |= shownBy(arguments);
  const std::string title = arguments.operand(0) + " - vertebra";
  def.title = title.c_str();
  const bool played = source.moves() && !source.simulated();
  if (arguments.has("offscreen") || arguments.has("web")) def.flags |= VTB_VIEWER_OFFSCREEN;
  if (arguments.has("bare") || arguments.has("web")) def.flags |= VTB_VIEWER_BARE;
  if (played) def.flags |= VTB_VIEWER_PLAYED;
  // A robot alone waits for its user: it would fall or hang limp.
  if (arguments.has("paused") || (!source.simulated() && !source.moves() && !arguments.has("run"))) def.flags |= VTB_VIEWER_PAUSED;
  if (arguments.has("samples")) def.samples = static_cast<int32_t>(arguments.integer("samples", 0, 0, 16));
  def.end = source.end();
  def.front = source.motion() || arguments.has("figure") ? -0.5 * M_PI : 0;  // a clip's figure looks along -y
  def.follow = follow;
  def.user = &source;
  if (arguments.has("script")) def.patience = INFINITY;  // the same in every run
  vtb_viewer* made = nullptr;
  library.check(library.viewerCreate(&def, source.world(), &made));
  return Viewer(made);
}

void setCamera(vtb_viewer* viewer, const CameraChoice& choice, const Source& source) {
  const ViewLibrary& library = viewLibrary();
  auto camera = sized<vtb_camera>();
  if (choice.placed(camera) || (!choice.given() && source.scene() && vtb_scene_get_camera(source.scene(), 0, &camera) == VTB_OK)) {
    library.check(library.viewerSetCamera(viewer, &camera));
    return;
  }
  auto event = sized<vtb_viewer_event>();
  event.type = VTB_VIEWER_EVENT_KEY;
  event.key = choice.viewKey();
  library.check(library.viewerSend(viewer, &event));
}

int run(const Arguments& arguments) {
  checkWeb(arguments);
  if (arguments.has("export")) {
    exportWeb(arguments);
    return 0;
  }
  const CameraChoice camera(arguments);
  const double seconds = arguments.has("for") ? arguments.positive("for", 0) : 0;
  if (seconds > kLongestRun) throw UsageError("--for is at most 1e6 s");
  if (arguments.has("offscreen") && !arguments.has("script"))
    throw UsageError("--offscreen needs --script: nobody else can do anything there");
  std::vector<ViewAction> script;
  if (arguments.has("script")) script = readViewScript(arguments.text("script"));
  const ViewLibrary& library = viewLibrary();
  Source source(arguments.operand(0), arguments);
  const bool still = !source.moves();
  if (still && (source.floating() || arguments.has("ground"))) source.makeGround();
  const Viewer viewer = viewerOf(arguments, source);
  if (still) stand(viewer.get(), source, VTB_VIEW_GROUND | VTB_VIEW_SHADOWS | shownBy(arguments));
  setCamera(viewer.get(), camera, source);
  library.check(library.viewerFrame(viewer.get(), 0));
  if (arguments.has("web")) {
    serveWeb(viewer.get(), source, arguments, seconds);
    return 0;
  }
  Mouse mouse;
  for (const ViewAction& action : script) act(action, viewer.get(), mouse, source.world(), arguments.text("script"));
  if (!arguments.has("script") || arguments.has("for")) library.check(library.viewerRun(viewer.get(), seconds));
  if (arguments.has("out")) writePicture(viewer.get(), arguments.text("out"));
  if (arguments.has("json")) print(stateAsJson(viewer.get(), source.world()));
  return 0;
}

}  // namespace

Verb viewVerb() {
  Syntax syntax;
  syntax.verb = "view";
  syntax.operands = "FILE";
  syntax.operandCount = 1;
  syntax.summary = "Opens a robot (URDF), a motion (BVH), a figure or a scene in a window: run it, look at it, take hold of it.";
  syntax.options = {
      {"size", "WxH", "pixels (default 1280x720)"},
      {"camera", "VIEW", "corner (default), front, side, top, or x,y,z:tx,ty,tz; of a scene its own first one by default"},
      showOption(),
      {"paused", "", "it starts paused; a robot alone always does, unless --run"},
      {"run", "", "a robot alone starts running: free, or held where its root is fixed"},
      {"ground", "", "a ground at z = 0 under a fixed base too"},
      {"bare", "", "nothing is written over the picture"},
      {"samples", "N", "of a pixel, 0 to 16 (default 4; 0 where no GPU draws the window): smooth edges; 0 is the fastest"},
      {"for", "S", "end after so many seconds"},
      {"script", "FILE", "what a user would do, a line each, below; then end, unless --for"},
      {"offscreen", "", "with --script: no window"},
      {"out", "OUT.png", "write what is seen at the end", false, 'o'},
  };
  for (Option& option : webOptions()) syntax.options.push_back(std::move(option));
  for (Option& option : sourceOptions()) syntax.options.push_back(std::move(option));
  for (Option& option : loadOptions()) syntax.options.push_back(std::move(option));
  syntax.options.push_back(baseOptions().front());
  syntax.details =
      "In the window: ? shows all keys. Left button on a body drags it; beside it, orbits; Space pauses, . steps, , goes back.\n"
      "A script has one action a line; # begins a comment:\n" +
      viewScriptHelp() +
      "JSON, at the end: time, paused, speed, steps, frames, rewinds, rewind_to, shots, left_out [s], frame_rate, real_time, held,\n"
      "hold_force [N], under, followed, bodies[name, position, pixel]. With --web, at once: url, port. With --export: path, pictures, "
      "bodies,\n"
      "bytes.\n";
  return {syntax, run};
}

}  // namespace vertebra::cli
