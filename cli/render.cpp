// vertebra render: a picture, a film strip or a film of a robot, a motion, a robot with its trajectory, or a simulated scene, without a
// display.
#include "cli/output.hpp"
#include "cli/render_camera.hpp"
#include "cli/render_output.hpp"
#include "cli/render_source.hpp"
#include "cli/render_times.hpp"
#include "cli/verbs.hpp"
#include "cli/view_library.hpp"

namespace vertebra::cli {

namespace {

struct ViewDestroy {
  void operator()(vtb_view* view) const { viewLibrary().destroy(view); }
};
using View = std::unique_ptr<vtb_view, ViewDestroy>;

View viewOf(const OutputChoice& output, std::uint32_t shown) {
  const ViewLibrary& library = viewLibrary();
  vtb_view_def def;
  library.check(library.defInit(&def, sizeof def));
  def.width = output.width;
  def.height = output.height;
  def.shown |= shown;
  vtb_view* made = nullptr;
  library.check(library.create(&def, &made));
  return View(made);
}

int run(const Arguments& arguments) {
  const OutputChoice choice(arguments);
  const CameraChoice camera(arguments);
  const Span span(arguments);
  const std::uint32_t shown = shownBy(arguments);
  const ViewLibrary& library = viewLibrary();
  Source source(arguments.operand(0), arguments);
  if (!source.simulated() && (shown & (VTB_VIEW_CONTACTS | VTB_VIEW_FORCES)))
    throw UsageError("--show contacts and forces: only a simulated scene has them");
  const Sampling sampling{choice.kind == OutputKind::kPicture, choice.pictures, choice.sequence() ? choice.rate : 0};
  const std::vector<double> times = timesOf(span, sampling, source, arguments.operand(0));
  const std::unique_ptr<Output> output = openOutput(choice);
  const View view = viewOf(choice, shown);
  library.check(library.push(view.get(), source.world()));
  double lower[3], upper[3];
  if (library.getBox(view.get(), lower, upper) == VTB_OK) source.stand(lower[2]);
  const double aspect = static_cast<double>(choice.width) / choice.height;
  const std::vector<vtb_camera> cameras = camera.cameras(view.get(), aspect, source, times);

  std::vector<std::uint8_t> pixels(std::size_t{3} * static_cast<std::size_t>(choice.width) * static_cast<std::size_t>(choice.height));
  Progress progress("drawing");
  for (std::size_t i = 0; i < times.size(); i++) {
    source.goTo(times[i]);
    library.check(library.push(view.get(), source.world()));
    library.check(library.setCamera(view.get(), &cameras[i]));
    library.check(library.draw(view.get(), pixels.data(), pixels.size()));
    output->add(pixels, times[i]);
    progress.update(static_cast<double>(i + 1) / static_cast<double>(times.size()));
  }
  output->finish();
  print(choice.path + ": " + (times.size() == 1 ? "written" : std::to_string(times.size()) + " pictures written") + "\n");
  return 0;
}

}  // namespace

Verb renderVerb() {
  Syntax syntax;
  syntax.verb = "render";
  syntax.operands = "FILE";
  syntax.operandCount = 1;
  syntax.summary =
      "Draws a robot (URDF), a motion (BVH), a robot with its trajectory, or a simulated scene: a picture, a strip or a film, without a "
      "display.";
  syntax.options = {
      {"out", "OUT", "the picture, OUT.png; a film, OUT.mp4 or OUT.gif (by the program ffmpeg); numbered pictures, FOLDER/frame_%04d.png",
       false, 'o'},
      {"size", "WxH", "pixels (default 1280x720; of each picture of a strip 480x360)"},
      {"time", "A[:B]", "s: time of the picture, or first and last of a strip or film (default: all of a motion, 5 s of a scene)"},
      {"strip", "N", "so many pictures, evenly over the time, in one file"},
      {"fps", "N", "pictures a second of a film (default 30)"},
      {"camera", "VIEW", "corner (default), front, side, top, or x,y,z:tx,ty,tz; of a scene its own first one by default"},
      showOption(),
  };
  for (Option& option : sourceOptions()) syntax.options.push_back(std::move(option));
  for (Option& option : loadOptions())
    if (option.name != "json") syntax.options.push_back(std::move(option));
  syntax.options.push_back(baseOptions().front());
  return {syntax, run};
}

}  // namespace vertebra::cli
