// vertebra render: a picture, a film strip or a film of a robot, a motion, a robot with its trajectory, or a simulated scene, without a
// display.
#include <algorithm>
#include <cmath>

#include "cli/output.hpp"
#include "cli/render_camera.hpp"
#include "cli/render_output.hpp"
#include "cli/render_source.hpp"
#include "cli/verbs.hpp"
#include "cli/view_library.hpp"

namespace vertebra::cli {

namespace {

constexpr double kMostPictures = 1e6;

struct ViewDestroy {
  void operator()(vtb_view* view) const { viewLibrary().destroy(view); }
};
using View = std::unique_ptr<vtb_view, ViewDestroy>;

// --time: of one picture, or first and last.
struct Span {
  double from = 0, to = 0;
  bool given = false, both = false;

  explicit Span(const Arguments& arguments) : given(arguments.has("time")) {
    if (!given) return;
    const auto parts = split(arguments.text("time"), ':');
    both = parts.size() == 2;
    bool good = parts.size() <= 2 && parseNumber(parts[0], from);
    to = from;
    if (both) good = good && parseNumber(parts[1], to);
    if (!good || from < 0 || to < from || (both && to == from))
      throw UsageError("--time: '" + arguments.text("time") + "' is not a time or A:B with 0 <= A < B, in s");
  }
};

std::vector<double> timesOf(const Span& span, const OutputChoice& output, const Source& source, const std::string& path) {
  const bool one = output.kind == OutputKind::kPicture;
  if (!source.moves() && (span.given || !one))
    throw UsageError(path + " does not move: a time, a strip or a film needs a motion (BVH), --motion F.csv or a scene");
  if (one && span.both) throw UsageError("--time A:B is for strips and films; for one picture --time A");
  if (!one && span.given && !span.both) throw UsageError("--time of a strip or film is A:B");
  const double from = span.from, to = span.given || one ? span.to : source.end();
  if (!source.simulated() && to > source.end() + 1e-9)
    throw UsageError("--time: " + readable(to) + " s is beyond the end, " + readable(source.end()) + " s");
  std::vector<double> times = {from};
  if (output.sequence()) {
    const double last = std::floor((to - from) * output.rate + 1e-6);
    if (last >= kMostPictures) throw UsageError("--time and --fps: more than a million pictures");
    for (int i = 1; i <= last; i++) times.push_back(std::min(to, from + i / output.rate));
  }
  for (int i = 1; i < output.pictures; i++) times.push_back(from + (to - from) * i / (output.pictures - 1));
  return times;
}

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
  const std::vector<double> times = timesOf(span, choice, source, arguments.operand(0));
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
