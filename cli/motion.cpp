// vertebra motion: a clip, a record of markers or a trajectory worked on: mended, trimmed, filtered, with other joints, mirrored, faster,
// followed by another, as a period, in place; written in any form; or what is found in it.
#include <fstream>
#include <initializer_list>
#include <tuple>

#include "cli/model.hpp"
#include "cli/motion_files.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"

namespace vertebra::cli {

namespace {

// a:b in seconds, as frames; an end left out is the clip's own.
std::pair<int, int> rangeOf(const Motion& motion, const std::string& option, const std::string& text) {
  const vtb_motion_info info = infoOf(motion.get());
  const auto parts = split(text, ':');
  if (parts.size() != 2) throw UsageError("--" + option + ": '" + text + "' is not a range first:last of seconds");
  const auto frame = [&](std::string_view part, int otherwise) {
    double seconds = 0;
    if (part.empty()) return otherwise;
    if (!parseNumber(part, seconds)) throw UsageError("--" + option + ": '" + std::string(part) + "' is not a number of seconds");
    const double at = seconds / info.frame_time + 0.5;
    return static_cast<int>(at < 0 ? -1 : at < 2e9 ? at : 2e9);
  };
  const int first = frame(parts[0], 0), last = frame(parts[1], info.frames - 1);
  if (first < 0 || last < first || last >= info.frames)
    throw UsageError("--" + option + ": " + text + " is not a range between 0 and " + readable((info.frames - 1) * info.frame_time) + " s");
  return {first, last};
}

int jointNamed(const vtb_motion* motion, const std::string& name, const std::string& doing) {
  int32_t joint = 0;
  check(vtb_motion_find_joint(motion, name.c_str(), &joint), doing);
  return joint;
}

// What was done that a caller may want to know.
struct Done {
  int first = -1, last = -1;  // frames of the period that was cut out, at the time of cutting
  std::vector<double> path;   // taken out: x, y, heading of each frame
};

void cutPeriod(Motion& motion, const Arguments& arguments, Done& done) {
  const std::string text = arguments.text("cycle");
  if (text == "auto") {
    double error = 0;
    int32_t first = 0, last = 0;
    check(vtb_motion_find_loop(motion.get(), arguments.positive("loop", 0.5), &first, &last, &error), "looking for a period");
    done.first = first, done.last = last;
  } else {
    if (arguments.has("loop")) throw UsageError("--loop is for --inspect and --cycle auto");
    std::tie(done.first, done.last) = rangeOf(motion, "cycle", text);
    if (done.last - done.first < 2) throw UsageError("--cycle: " + text + " is shorter than two frames");
  }
  vtb_motion* made = nullptr;
  check(vtb_motion_looped(motion.get(), done.first, done.last, arguments.number("blend", 0.3), &made), "closing the period");
  motion.reset(made);
}

void mend(Motion& motion, const Arguments& arguments, std::vector<Diagnostic>& diagnostics) {
  const auto how = static_cast<vtb_mend>(arguments.choice("mend", {"cut", "interpolate"}, 0));
  vtb_diagnostics* list = nullptr;
  vtb_motion* made = nullptr;
  check(vtb_motion_mended(motion.get(), how, &list, &made), "mending");
  motion.reset(made);
  for (Diagnostic& d : take(list)) diagnostics.push_back(std::move(d));
}

Done work(Motion& motion, const vtb_skeleton* figure, const Arguments& arguments, std::vector<Diagnostic>& diagnostics) {
  Done done;
  const auto replace = [&](const char* option, const char* doing, auto&& make) {
    if (!arguments.has(option)) return;
    vtb_motion* made = nullptr;
    check(make(&made), doing);
    motion.reset(made);
  };
  if (arguments.has("mend")) mend(motion, arguments, diagnostics);
  replace("trim", "trimming", [&](vtb_motion** made) {
    const auto [first, last] = rangeOf(motion, "trim", arguments.text("trim"));
    return vtb_motion_trimmed(motion.get(), first, last, made);
  });
  replace("resample", "resampling",
          [&](vtb_motion** made) { return vtb_motion_resampled(motion.get(), arguments.positive("resample", 0), made); });
  for (const char* kind : {"filter", "spline"})
    replace(kind, "filtering", [&](vtb_motion** made) {
      const vtb_filter filter = kind[0] == 's' ? VTB_FILTER_SPLINE : VTB_FILTER_LOW_PASS;
      return vtb_motion_filtered(motion.get(), filter, arguments.positive(kind, 0), made);
    });
  for (const std::string& text : arguments.all("reparent"))
    replace("reparent", "hanging a joint on another parent", [&](vtb_motion** made) {
      const auto [name, parent] = parted("reparent", text);
      const int joint = jointNamed(motion.get(), name, "--reparent");
      return vtb_motion_reparented(motion.get(), joint, parent.empty() ? -1 : jointNamed(motion.get(), parent, "--reparent"), made);
    });
  for (const std::string& name : arguments.all("drop"))
    replace("drop", "dropping a joint",
            [&](vtb_motion** made) { return vtb_motion_dropped(motion.get(), jointNamed(motion.get(), name, "--drop"), made); });
  replace("mirror", "mirroring", [&](vtb_motion** made) { return vtb_motion_mirrored(motion.get(), -1, made); });
  replace("speed", "changing the speed",
          [&](vtb_motion** made) { return vtb_motion_faster(motion.get(), arguments.positive("speed", 1), made); });
  replace("append", "appending", [&](vtb_motion** made) {
    const double blend = arguments.number("blend", 0.3);
    const Motion second = readMotion(arguments.text("append"), figure, arguments.has("fill"), arguments, diagnostics);
    return vtb_motion_appended(motion.get(), second.get(), blend, made);
  });
  if (arguments.has("cycle")) cutPeriod(motion, arguments, done);
  replace("in-place", "taking the path out", [&](vtb_motion** made) {
    size_t total = 0;
    done.path.resize(3 * static_cast<std::size_t>(infoOf(motion.get()).frames));
    return vtb_motion_in_place(motion.get(), done.path.data(), done.path.size() / 3, 0, &total, made);
  });
  return done;
}

void writePath(const std::string& file, const std::vector<double>& path, double frameTime) {
  std::ofstream out(file, std::ios::binary);
  out << "time,x,y,heading\n";
  for (std::size_t i = 0; i < path.size() / 3; ++i)
    out << shortest(static_cast<double>(i) * frameTime) << ',' << shortest(path[3 * i]) << ',' << shortest(path[3 * i + 1]) << ','
        << shortest(path[3 * i + 2]) << '\n';
  if (!out.flush()) throw Failure("cannot write " + file);
}

struct Found {
  std::vector<Diagnostic> outliers;
  int first = -1, last = -1;  // of the loop
  double error = 0;
  std::vector<std::pair<std::string, std::vector<uint32_t>>> resting;  // of joints given, by frame
};

Found inspect(const vtb_motion* motion, const Arguments& arguments) {
  Found found;
  size_t total = 0;
  vtb_diagnostics* list = nullptr;
  check(vtb_motion_find_outliers(motion, &list, nullptr, 0, &total), "looking for outliers");
  found.outliers = take(list);
  int32_t first = 0, last = 0;
  const double shortest = arguments.positive("loop", 0.5);
  const vtb_status status = vtb_motion_find_loop(motion, shortest, &first, &last, &found.error);
  if (status == VTB_OK)
    found.first = first, found.last = last;
  else if (status != VTB_E_UNSUPPORTED)  // the clip is shorter than that
    check(status, "looking for a loop");
  for (const std::string& name : arguments.all("contacts")) {
    const int joint = jointNamed(motion, name, "looking for contacts");
    std::vector<uint32_t> frames(static_cast<std::size_t>(infoOf(motion).frames));
    check(vtb_motion_get_resting(motion, joint, nullptr, frames.data(), frames.size(), &total), "looking for contacts");
    found.resting.emplace_back(name, std::move(frames));
  }
  return found;
}

// [first, last] of each run of ones.
std::vector<std::pair<int, int>> runs(const std::vector<uint32_t>& on) {
  std::vector<std::pair<int, int>> out;
  for (std::size_t i = 0; i < on.size(); ++i) {
    if (!on[i]) continue;
    if (i == 0 || !on[i - 1]) out.emplace_back(static_cast<int>(i), static_cast<int>(i));
    out.back().second = static_cast<int>(i);
  }
  return out;
}

void write(Json& json, const Found& found) {
  json.key("outliers");
  write(json, found.outliers);
  json.key("loop");
  if (found.first < 0)
    json.null();
  else
    json.beginObject().member("first", found.first).member("last", found.last).member("error", found.error).endObject();
  json.key("contacts").beginObject();
  for (const auto& [name, frames] : found.resting) {
    json.key(name).beginArray();
    for (const auto& [first, last] : runs(frames)) json.beginArray().value(first).value(last).endArray();
    json.endArray();
  }
  json.endObject();
}

std::string describe(const Found& found, double frameTime) {
  std::string text;
  for (const Diagnostic& outlier : found.outliers) text += outlier.code + ": " + outlier.element + " " + outlier.message + "\n";
  if (found.first >= 0)
    text += "loop: frames " + std::to_string(found.first) + " to " + std::to_string(found.last) + ", " +
            readable((found.last - found.first) * frameTime) + " s, error " + readable(found.error) + " m\n";
  for (const auto& [name, frames] : found.resting) {
    text += name + " rests in frames";
    for (const auto& [first, last] : runs(frames)) text += " " + std::to_string(first) + "-" + std::to_string(last);
    text += "\n";
  }
  return text;
}

int run(const Arguments& arguments) {
  const std::string &from = arguments.operand(0), out = arguments.text("out");
  const auto isFor = [&](const char* option, std::initializer_list<const char*> others) {
    std::string known;
    for (const char* other : others) {
      if (!arguments.has(option) || arguments.has(other)) return;
      known += (known.empty() ? "--" : " and --") + std::string(other);
    }
    throw UsageError(std::string("--") + option + " is for " + known);
  };
  isFor("blend", {"append", "cycle"});
  isFor("loop", {"inspect", "cycle"});
  isFor("contacts", {"inspect"});
  isFor("path", {"in-place"});
  isFor("columns", {"table"});
  isFor("at", {"table"});
  const std::string table = arguments.text("table");
  if (out.empty() && table.empty() && !arguments.has("inspect")) throw UsageError("one of --out, --table and --inspect is needed");
  if (!out.empty()) checkMotionName(out);
  const MotionForm form = motionFormOf(from);
  std::vector<Diagnostic> diagnostics;
  Model model;
  if (arguments.has("figure")) model = loadModel(arguments.text("figure"), arguments);
  diagnostics = model.diagnostics;
  const bool fill = arguments.has("fill") || (out.empty() && table.empty());  // what is only looked at is told of its gaps
  Motion motion = readMotion(from, model.skeleton.get(), fill, arguments, diagnostics);
  if (infoOf(motion.get()).frames == 0) throw Failure("the motion has no frames");
  const Done done = work(motion, model.skeleton.get(), arguments, diagnostics);
  if (!out.empty()) writeMotion(out, motion.get(), form, model.skeleton.get(), diagnostics);
  if (!table.empty()) writeMotionTable(table, motion.get(), arguments);
  printDiagnostics(diagnostics, arguments);
  const vtb_motion_info info = infoOf(motion.get());
  if (arguments.has("path")) writePath(arguments.text("path"), done.path, info.frame_time);
  Found found;
  if (arguments.has("inspect")) found = inspect(motion.get(), arguments);
  if (arguments.has("json")) {
    Json json;
    json.beginObject().member("input", from).member("output", out).member("frames", info.frames).member("frame_time", info.frame_time);
    if (done.first >= 0) json.key("cycle").beginArray().value(done.first).value(done.last).endArray();
    if (arguments.has("inspect")) write(json, found);
    json.key("diagnostics");
    write(json, diagnostics);
    print(json.endObject().text() + "\n");
    return 0;
  }
  print((out.empty() ? from : out) + ": " + std::to_string(info.joints) + " joints, " + std::to_string(info.frames) + " frames, " +
        readable(info.frame_time) + " s each\n" +
        (done.first < 0 ? "" : "period: frames " + std::to_string(done.first) + " to " + std::to_string(done.last) + "\n") +
        describe(found, info.frame_time));
  return 0;
}

}  // namespace

Verb motionVerb() {
  Syntax syntax;
  syntax.verb = "motion";
  syntax.operands = "CLIP";
  syntax.operandCount = 1;
  syntax.summary =
      "Works on a motion (BVH, TRC, CSV of coordinates) in the order of the options below, writes it, tells what is found in it.";
  syntax.options = {
      {"figure", "FIGURE", "URDF or BVH whose coordinates a CSV, JSON or NPZ holds; to write, default: one made from the clip"},
      {"fill", "", "TRC: put markers on straight lines where they are missing; otherwise gaps are refused"},
      {"mend", "HOW", "frames that do not fit: cut takes them out, interpolate puts them between their neighbours"},
      {"trim", "A:B", "keep from A to B seconds; either may be left out"},
      {"resample", "HZ", "frames a second of the result; rotations are interpolated on the group"},
      {"filter", "HZ", "low-pass without a shift in time; what vibrates at HZ keeps 0.707 of its size"},
      {"spline", "HZ", "the same by a smoothing spline"},
      {"reparent", "J=P", "hang joint J on joint P, on none after J=; all joints keep their poses; may be repeated", true},
      {"drop", "JOINT", "take a joint out; its children hang on its parent and keep their poses; may be repeated", true},
      {"mirror", "", "exchange left and right"},
      {"speed", "K", "K times as fast"},
      {"append", "CLIP2", "CLIP2 behind it, turned and moved so that it goes on there"},
      {"cycle", "A:B", "one period, from A to B seconds, closed so that it can be repeated; auto: the part that repeats itself best"},
      {"blend", "S", "with --append: seconds in which both run; with --cycle: in which it closes; default 0.3"},
      {"in-place", "", "take out the root's path over the ground and its heading"},
      {"path", "OUT.csv", "with --in-place: write what was taken out: time, x, y, heading; s, m, rad"},
      {"inspect", "", "tell frames that jump, the part that can be repeated, contacts"},
      {"loop", "S", "with --inspect and --cycle auto: least length of the part that can be repeated; default 0.5 s"},
      {"contacts", "JOINT", "with --inspect: frames in which JOINT rests on the ground; may be given several times", true},
      {"out", "OUT", "write it as .bvh, as .trc (a marker at each joint) or as coordinates: .csv, .json, .npz", false, 'o'},
      {"table", "OUT.csv", "write numbers of all joints in the world, a row a time; metres, seconds, Z up"},
      {"columns", "LIST", "of --table: positions (x.. and quaternion q..; default), velocities (v.. w..), accelerations (a.. b..)"},
      {"at", "TIMES", "of --table: seconds T,T,... or FIRST:LAST:STEP, not the frames; rates on lines between theirs"},
  };
  for (Option& option : loadOptions()) syntax.options.push_back(std::move(option));
  syntax.details =
      "A CSV without --figure is refused: its coordinates mean nothing alone. Markers are points: they can be worked on and written as TRC "
      "or\n"
      "table; for rotations fit a figure to them (vertebra markers --figure).\n"
      "JSON: input, output, frames, frame_time, with --cycle cycle[first, last], with --inspect outliers[],\n"
      "loop{first, last, error}, contacts{joint: [[first, last], ...]}; diagnostics.\n";
  return {syntax, run};
}

}  // namespace vertebra::cli
