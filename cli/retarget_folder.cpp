// vertebra retarget DIR FIGURE -o OUT: every BVH below a folder onto one figure, several at a time; what is there already is kept, a clip
// that fails does not stop the others. Results get their name when they are whole.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <thread>

#include "cli/output.hpp"
#include "cli/retarget.hpp"

namespace vertebra::cli {

namespace {

namespace fs = std::filesystem;

struct Clip {
  fs::path from, to;
  std::string state = "failed", error;  // made, kept or failed
  vtb_retarget_report_info info{};      // of what was made; its texts are not kept
  double seconds = 0;
  std::vector<Diagnostic> findings, roles;  // of what was made
};

std::vector<Clip> clipsOf(const fs::path& folder, const fs::path& out) {
  std::vector<Clip> clips;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    std::string end = entry.path().extension().string();
    std::transform(end.begin(), end.end(), end.begin(),
                   [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
    if (!entry.is_regular_file() || end != ".bvh") continue;
    Clip clip;
    clip.from = entry.path();
    clip.to = out / fs::relative(entry.path(), folder).replace_extension(".csv");
    clips.push_back(std::move(clip));
  }
  std::sort(clips.begin(), clips.end(), [](const Clip& a, const Clip& b) { return a.from < b.from; });
  return clips;
}

bool newer(const fs::path& result, const std::vector<fs::path>& than) {
  std::error_code gone;
  const auto time = fs::last_write_time(result, gone);
  if (gone) return false;
  return std::all_of(than.begin(), than.end(), [&](const fs::path& p) { return fs::last_write_time(p, gone) <= time && !gone; });
}

// What a result was made with, as the comment that its CSV begins with: only one that agrees is kept.
std::string settingsLine(const Arguments& arguments) {
  std::string line = "# made with figure=" + fs::absolute(arguments.operand(1)).lexically_normal().string();
  for (const char* option : {"rate", "unit", "up", "map"}) line += std::string(" ") + option + "=" + arguments.text(option);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return line;
}

std::string firstLine(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  std::getline(file, line);
  return line;
}

void make(Clip& clip, const Model& model, const vtb_retarget_def& def, const Arguments& arguments, const std::string& settings) {
  const Motion motion = loadMotion(clip.from.string(), arguments, clip.findings);
  const Retargeted made = retargetClip(motion, model, def);
  clip.roles = made.roles;
  clip.findings.insert(clip.findings.end(), made.findings.begin(), made.findings.end());
  clip.info = infoOf(measureClip(motion, model, made, def.map));
  clip.info.depth_link = clip.info.overlap_links = "";
  clip.seconds = made.seconds;
  fs::create_directories(clip.to.parent_path());
  const fs::path part = clip.to.string() + ".part";
  size_t needed = 0;
  check(vtb_trajectory_write_csv(made.trajectory.get(), nullptr, 0, &needed), "writing " + part.string());
  std::string text(needed, '\0');
  check(vtb_trajectory_write_csv(made.trajectory.get(), text.data(), text.size(), &needed), "writing " + part.string());
  text.resize(text.find('\0') == std::string::npos ? text.size() : text.find('\0'));
  writeWhole(part.string(), settings + "\n" + text);
  fs::rename(part, clip.to);
  clip.state = "made";
}

void makeAll(std::vector<Clip>& clips, const Model& model, const vtb_retarget_def& def, const Arguments& arguments, long jobs) {
  std::vector<fs::path> inputs = {arguments.operand(1)};
  if (arguments.has("map")) inputs.emplace_back(arguments.text("map"));
  const std::string settings = settingsLine(arguments);
  std::map<fs::path, fs::path> firstWith;  // result -> the first clip that has it
  for (const Clip& clip : clips) firstWith.emplace(clip.to, clip.from);
  std::atomic<std::size_t> next{0}, done{0};
  std::mutex telling;
  Progress progress("retargeting");
  const auto work = [&] {
    for (std::size_t i = next++; i < clips.size(); i = next++) {
      Clip& clip = clips[i];
      try {
        std::vector<fs::path> than = inputs;
        than.push_back(clip.from);
        if (const fs::path& first = firstWith.at(clip.to); first != clip.from)
          throw Failure(first.string() + " has the same result, " + clip.to.string());
        else if (newer(clip.to, than) && firstLine(clip.to) == settings)
          clip.state = "kept";
        else
          make(clip, model, def, arguments, settings);
      } catch (const std::exception& failure) {
        clip.error = failure.what();
      }
      const std::size_t finished = ++done;
      const std::lock_guard<std::mutex> lock(telling);
      progress.update(static_cast<double>(finished) / static_cast<double>(clips.size()));
    }
  };
  std::vector<std::thread> others;
  for (long k = 1; k < std::min<long>(jobs, static_cast<long>(clips.size())); k++) others.emplace_back(work);
  work();
  for (std::thread& t : others) t.join();
}

long count(const std::vector<Clip>& clips, const char* state) {
  return std::count_if(clips.begin(), clips.end(), [&](const Clip& c) { return c.state == state; });
}

std::string tableOf(const std::vector<Clip>& clips) {
  Table table({"clip", "state", "frames", "frames/s", "key points mm", "slide p95 mm", "contact kept %", "below floor mm", "overlap mm",
               "limits %", "too fast %", "findings"});
  for (const Clip& c : clips) {
    if (c.state != "made") {
      table.add({c.from.string(), c.state});
      continue;
    }
    const auto short1 = [](double x) { return readable(static_cast<double>(static_cast<long long>(10 * x + 0.5)) / 10); };
    table.add({c.from.string(), c.state, std::to_string(c.info.frames), short1(c.info.frames / c.seconds),
               short1(1e3 * c.info.error_relative), short1(1e3 * c.info.slide_p95), short1(100 * c.info.contact_kept),
               short1(1e3 * c.info.depth_max), short1(1e3 * c.info.overlap_max), short1(100 * c.info.limit_frames),
               short1(100 * c.info.speed_frames), std::to_string(c.findings.size())});
  }
  return table.text();
}

// Each role with what was found for it, and in how many clips: clips of one source agree.
std::string rolesOf(const std::vector<Clip>& clips) {
  std::vector<std::pair<std::pair<std::string, std::string>, std::vector<const Clip*>>> found;
  for (const Clip& clip : clips)
    for (const Diagnostic& role : clip.roles) {
      const std::pair<std::string, std::string> key(role.element, role.message);
      auto at = std::find_if(found.begin(), found.end(), [&](const auto& f) { return f.first == key; });
      if (at == found.end()) at = found.insert(found.end(), {key, {}});
      at->second.push_back(&clip);
    }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first.first < b.first.first; });
  Table table({"role", "found", "clips", "first"});
  for (const auto& [key, with] : found)
    table.add({key.first, key.second, std::to_string(with.size()), with.front()->from.filename().string()});
  return table.empty() ? "" : table.text();
}

}  // namespace

int retargetFolder(const Arguments& arguments) {
  const std::string &from = arguments.operand(0), &to = arguments.operand(1), out = arguments.text("out");
  if (out.empty()) throw UsageError("a folder of motions needs a folder for the results: -o OUT");
  for (const char* single : {"report", "save-map", "from", "to", "physics", "no-assist", "step"})
    if (arguments.has(single)) throw UsageError(std::string("--") + single + " is for one motion; " + from + " is a folder");
  const long jobs = arguments.integer("jobs", 1, 1, 256);
  const auto start = std::chrono::steady_clock::now();
  std::vector<Clip> clips = clipsOf(from, out);
  if (clips.empty()) throw Failure("there is no BVH below " + from);
  const Model model = loadModel(to, arguments);
  std::vector<Diagnostic> diagnostics = model.diagnostics;
  auto def = defaults(vtb_retarget_def_init);
  def.rate = arguments.positive("rate", 0);
  RetargetMap map;
  if (arguments.has("map")) map = loadRetargetMap(arguments.text("map"), diagnostics);
  def.map = map.get();
  printDiagnostics(diagnostics, arguments);
  makeAll(clips, model, def, arguments, jobs);

  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::vector<Diagnostic> ofClips;
  for (const Clip& c : clips) ofClips.insert(ofClips.end(), c.findings.begin(), c.findings.end());
  printDiagnostics(ofClips, arguments);
  for (const Clip& c : clips)
    if (!c.error.empty()) std::fprintf(stderr, "vertebra: %s: %s\n", c.from.string().c_str(), c.error.c_str());
  const long failed = count(clips, "failed");
  if (arguments.has("json")) {
    Json json;
    json.beginObject().member("figure", to).member("output", out).member("made", static_cast<std::int64_t>(count(clips, "made")));
    json.member("kept", static_cast<std::int64_t>(count(clips, "kept"))).member("failed", static_cast<std::int64_t>(failed));
    json.member("seconds", seconds).key("clips").beginArray();
    for (const Clip& c : clips) {
      json.beginObject()
          .member("motion", c.from.string())
          .member("output", c.to.string())
          .member("state", c.state)
          .member("error", c.error);
      if (c.state == "made") writeSummary(json, c.info, c.seconds);
      json.key("roles").beginObject();
      for (const Diagnostic& role : c.roles) json.member(role.element, role.message);
      json.endObject().key("diagnostics");
      write(json, c.findings);
      json.endObject();
    }
    json.endArray().key("diagnostics");
    write(json, diagnostics);
    print(json.endObject().text() + "\n");
  } else {
    print(tableOf(clips));
    print(rolesOf(clips));
    print(std::to_string(count(clips, "made")) + " made, " + std::to_string(count(clips, "kept")) + " kept, " + std::to_string(failed) +
          " failed, in " + readable(seconds) + " s\n");
  }
  return failed > 0 ? 1 : 0;
}

}  // namespace vertebra::cli
