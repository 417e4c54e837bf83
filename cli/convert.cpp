// vertebra convert: a BVH rewritten: trimmed, resampled, scaled; a scene written again.
#include <charconv>

#include "cli/model.hpp"
#include "cli/output.hpp"
#include "cli/scene.hpp"
#include "cli/verbs.hpp"

namespace vertebra::cli {

namespace {

// a:b, both ends meant; an end left out is the clip's own.
void parseTrim(const std::string& text, int frames, int& first, int& last) {
  const auto parts = split(text, ':');
  const auto end = [&](std::string_view part, int fallback) {
    if (part.empty()) return fallback;
    int value = 0;
    const auto [stop, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc() || stop != part.data() + part.size())
      throw UsageError("--trim: '" + std::string(part) + "' is not a frame number");
    return value;
  };
  if (parts.size() != 2) throw UsageError("--trim: '" + text + "' is not a range first:last");
  first = end(parts[0], 0);
  last = end(parts[1], frames - 1);
  if (first < 0 || last < first || last >= frames)
    throw UsageError("--trim: " + text + " is not a range of frames between 0 and " + std::to_string(frames - 1));
}

int run(const Arguments& arguments) {
  const std::string &from = arguments.operand(0), &to = arguments.operand(1);
  if (isScene(from)) return convertScene(arguments);
  const double scale = arguments.positive("scale", 1), rate = arguments.positive("resample", 0);
  std::vector<Diagnostic> diagnostics;
  if (!isBvh(from)) throw Failure(from + " is not a BVH");
  Motion motion = loadMotion(from, arguments, diagnostics);
  printDiagnostics(diagnostics, arguments);
  vtb_motion* made = nullptr;
  if (arguments.has("trim")) {
    int first = 0, last = 0;
    parseTrim(arguments.text("trim"), infoOf(motion.get()).frames, first, last);
    check(vtb_motion_trimmed(motion.get(), first, last, &made), "trimming");
    motion.reset(made);
  }
  if (arguments.has("resample")) {
    check(vtb_motion_resampled(motion.get(), rate, &made), "resampling");
    motion.reset(made);
  }
  if (arguments.has("scale")) {
    check(vtb_motion_scaled(motion.get(), scale, &made), "scaling");
    motion.reset(made);
  }
  check(vtb_motion_save_bvh(motion.get(), to.c_str()), "writing " + to);

  const vtb_motion_info info = infoOf(motion.get());
  if (arguments.has("json")) {
    Json json;
    json.beginObject().member("input", from).member("output", to).member("joints", info.joints).member("frames", info.frames);
    json.member("frame_time", info.frame_time).key("diagnostics");
    write(json, diagnostics);
    print(json.endObject().text() + "\n");
  } else {
    print(to + ": " + std::to_string(info.joints) + " joints, " + std::to_string(info.frames) + " frames, " + readable(info.frame_time) +
          " s each\n");
  }
  return 0;
}

}  // namespace

Verb convertVerb() {
  Syntax syntax;
  syntax.verb = "convert";
  syntax.operands = "IN OUT";
  syntax.operandCount = 2;
  syntax.summary = "Reads a BVH of any dialect and writes it again, in the order trimmed, resampled, scaled; a scene as it is.";
  syntax.options = {
      {"trim", "A:B", "keep frames A to B, both counted from 0 and both kept; either may be left out"},
      {"resample", "FPS", "frames per second of the result; rotations are interpolated on the group"},
      {"scale", "S", "lengths times S"},
      {"strict", "", "refuse what would be repaired otherwise"},
      {"verbose", "", "list every finding, also alike ones"},
      {"json", "", "print one JSON object"},
  };
  syntax.details = "JSON: input, output, joints, frames, frame_time, diagnostics. Axes and units stay those of the file.\n";
  return {syntax, run};
}

}  // namespace vertebra::cli
