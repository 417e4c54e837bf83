// A recorded run in one page: meshes once, of each body its poses at the pictures' times, positions as 32-bit floats and quaternions as
// 16-bit integers (of 32767), only one where it stands still. The page has no need of a server or of the net.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include "cli/output.hpp"
#include "cli/render_camera.hpp"
#include "cli/render_times.hpp"
#include "cli/web.hpp"
#include "cli/web_scene.hpp"

namespace vertebra::cli {

namespace {

constexpr double kUnit = 32767;  // of a quaternion's component
constexpr int kWidth = 1280, kHeight = 720;

struct ViewDestroy {
  void operator()(vtb_view* view) const { viewLibrary().destroy(view); }
};

struct Track {
  WebBody body;
  std::size_t first = 0;  // picture
  std::vector<float> positions;
  std::vector<std::int16_t> turns;

  void add(const double* pose) {
    for (int k = 0; k < 3; k++) positions.push_back(static_cast<float>(pose[k]));
    for (int k = 3; k < 7; k++) turns.push_back(static_cast<std::int16_t>(std::lround(kUnit * std::clamp(pose[k], -1.0, 1.0))));
  }
  std::size_t count() const { return positions.size() / 3; }
  bool still() const {
    for (std::size_t i = 3; i < positions.size(); i++)
      if (positions[i] != positions[i - 3]) return false;
    for (std::size_t i = 4; i < turns.size(); i++)
      if (turns[i] != turns[i - 4]) return false;
    return true;
  }
};

class Recording {
 public:
  Recording(vtb_view* view, const vtb_world* world) : scene_(view, world) {}

  void add(const vtb_world* world);
  std::string text(const std::string& title, const std::vector<double>& times, double rate, const std::vector<vtb_camera>& cameras,
                   bool shadows);
  std::size_t bodies() const { return tracks_.size(); }

 private:
  struct Piece {
    std::string mesh;                 // members of an object
    std::size_t first = 0, last = 0;  // pictures with it
  };
  WebScene scene_;
  std::vector<Track> tracks_;
  std::map<int, std::size_t> trackOf_;  // by number of the body
  std::map<std::uint64_t, Piece> pieces_;
  std::vector<std::string> particles_;  // of each picture
  std::string ground_;
  std::size_t pictures_ = 0;
};

void Recording::add(const vtb_world* world) {
  scene_.setWorld(world);
  scene_.read();
  for (std::size_t i = 0; i < scene_.bodies().size(); i++) {
    const WebBody& body = scene_.bodies()[i];
    const auto [track, added] = trackOf_.try_emplace(body.number, tracks_.size());
    if (added) tracks_.push_back({body, pictures_, {}, {}});
    tracks_[track->second].add(&scene_.poses()[7 * i]);
  }
  for (const vtb_view_part& part : scene_.parts()) {
    if (!part.shown) continue;
    const auto [piece, added] = pieces_.try_emplace(part.part);
    if (added) {
      Json json;
      json.beginObject();
      scene_.writeMesh(json, part);
      piece->second.mesh = json.text();
      piece->second.first = pictures_;
    }
    piece->second.last = pictures_;
  }
  particles_.push_back(base64(scene_.particles()));
  if (pictures_++ > 0) return;
  Json json;
  json.beginObject();
  scene_.writeGround(json);
  ground_ = json.text();
}

std::string Recording::text(const std::string& title, const std::vector<double>& times, double rate, const std::vector<vtb_camera>& cameras,
                            bool shadows) {
  Json json;
  json.beginObject().member("title", title).member("rate", rate).key("times").beginArray();
  json.value(times.front()).value(times.back()).endArray();
  json.member("pictures", static_cast<std::int64_t>(times.size())).member("shadows", shadows);
  writeCamera(json, cameras.front());
  std::vector<float> targets;
  for (const vtb_camera& camera : cameras)
    for (const double x : camera.target) targets.push_back(static_cast<float>(x));
  json.member("targets", base64(targets)).key("bodies").beginArray();
  for (Track& track : tracks_) {
    if (track.still()) track.positions.resize(3), track.turns.resize(4);
    json.beginObject()
        .member("body", track.body.number)
        .member("name", track.body.name)
        .member("first", static_cast<std::int64_t>(track.first));
    json.member("count", static_cast<std::int64_t>(track.count())).member("positions", base64(track.positions));
    json.member("turns", base64(track.turns)).endObject();
  }
  json.endArray();
  if (std::any_of(particles_.begin(), particles_.end(), [](const std::string& p) { return !p.empty(); }))
    json.key("particles").strings(particles_);
  std::string text = json.endObject().text();
  text.pop_back();
  text += "," + ground_.substr(1) + ",\"meshes\":[";
  for (auto& [number, piece] : pieces_)
    text += piece.mesh + ",\"first\":" + std::to_string(piece.first) + ",\"last\":" + std::to_string(piece.last) + "},";
  if (text.back() == ',') text.pop_back();
  return text + "]}";
}

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw Failure("cannot write '" + path + "'");
}

}  // namespace

void exportWeb(const Arguments& arguments) {
  const std::string path = arguments.text("export"), file = arguments.operand(0);
  const CameraChoice choice(arguments);
  const Span span(arguments);
  const double rate = arguments.positive("fps", 30);
  if (rate > 1000) throw UsageError("--fps is at most 1000");
  const std::uint32_t shown = shownBy(arguments);
  if (shown & ~static_cast<std::uint32_t>(VTB_VIEW_COLLISION))
    throw UsageError("--show: a page of --export has no overlays; only collision goes with it");
  const ViewLibrary& library = viewLibrary();
  Source source(file, arguments);
  if (!source.moves() && (source.floating() || arguments.has("ground"))) source.makeGround();
  const bool one = !source.moves() || (span.given && !span.both);
  const std::vector<double> times = timesOf(span, {one, 1, one ? 0 : rate}, source, file);
  write(path, "");  // before the work, where it cannot be written
  vtb_view_def def;
  library.check(library.defInit(&def, sizeof def));
  def.width = kWidth;
  def.height = kHeight;
  def.shown |= shown;
  vtb_view* made = nullptr;
  library.check(library.create(&def, &made));
  const std::unique_ptr<vtb_view, ViewDestroy> view(made);
  library.check(library.push(made, source.world()));
  double lower[3], upper[3];
  if (library.getBox(made, lower, upper) == VTB_OK) source.stand(lower[2]);
  const std::vector<vtb_camera> cameras = choice.cameras(made, static_cast<double>(kWidth) / kHeight, source, times);

  Recording recording(made, source.world());
  Progress progress("recording");
  for (std::size_t i = 0; i < times.size(); i++) {
    source.goTo(times[i]);
    library.check(library.push(made, source.world()));
    recording.add(source.world());
    progress.update(static_cast<double>(i + 1) / static_cast<double>(times.size()));
  }
  const std::string title = std::filesystem::path(file).filename().string();
  const std::string page = webPage(title, recording.text(title, times, one ? 0 : rate, cameras, (def.shown & VTB_VIEW_SHADOWS) != 0));
  write(path, page);
  if (arguments.has("json"))
    print(Json()
              .beginObject()
              .member("path", path)
              .member("pictures", static_cast<std::int64_t>(times.size()))
              .member("bodies", static_cast<std::int64_t>(recording.bodies()))
              .member("bytes", static_cast<std::int64_t>(page.size()))
              .endObject()
              .text() +
          "\n");
  else
    print(path + ": " + (one ? "one picture" : std::to_string(times.size()) + " pictures") + " of " + std::to_string(recording.bodies()) +
          " bodies written\n");
}

void checkWeb(const Arguments& arguments) {
  const auto refuse = [&](const char* with, std::initializer_list<const char*> others) {
    for (const char* other : others)
      if (arguments.has(with) && arguments.has(other))
        throw UsageError(std::string("--") + with + " and --" + other + " do not go together");
  };
  refuse("export", {"web", "script", "offscreen", "out", "for", "paused", "run", "size", "samples", "bare"});
  refuse("web", {"script", "offscreen", "out", "samples", "bare"});
  for (const char* name : {"time", "fps"})
    if (arguments.has(name) && !arguments.has("export")) throw UsageError(std::string("--") + name + " is for --export");
  if (arguments.has("port") && !arguments.has("web")) throw UsageError("--port is for --web");
}

std::vector<Option> webOptions() {
  return {
      {"web", "", "in a browser in place of a window: prints the address, of this machine alone; time goes on while a page is open"},
      {"port", "N", "with --web: of the address (default: a free one)"},
      {"export", "PAGE.html", "a recorded run as one file that any browser opens; nothing else is done"},
      {"time", "A:B", "s: of --export, first and last (default: all of a motion, 5 s of a scene); or A, one picture"},
      {"fps", "N", "pictures a second of --export (default 30); between them it is interpolated"},
  };
}

}  // namespace vertebra::cli
