// A running world in the browser: the viewer is the one of the window, off-screen; the page draws what its view shows and sends what the
// user does, in the words of scripts (view_script.hpp) and a few of its own (kOwnWords). Time goes on only while a page is open.
#include <signal.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>

#include "cli/output.hpp"
#include "cli/view_script.hpp"
#include "cli/web.hpp"
#include "cli/web_scene.hpp"
#include "cli/web_server.hpp"

namespace vertebra::cli {

namespace {

constexpr double kFrame = 1.0 / 60;  // s of the clock
constexpr double kQuiet = 0.2;       // s between messages while nothing happens
constexpr int kSliderFrames = 6;     // between readings of sliders
constexpr const char* kScriptWords[] = {"move", "press", "release", "scroll", "key", "hold", "let"};
constexpr const char* kOwnWords =
    "camera (position, target, up, fov: 10 numbers), slider JOINT AXIS coordinate|target VALUE, end, and of scripts move, press, release, "
    "scroll, key, hold, let";

volatile sig_atomic_t interrupted = 0;
void interrupt(int) { interrupted = 1; }

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

class Live {
 public:
  Live(vtb_viewer* viewer, const Source& source, std::string title);

  WebAnswer answer(const WebRequest& request);
  void frame(double seconds);
  std::string message(std::uint64_t stream);  // what has changed for this page since its last one
  void keepOnly(const std::vector<std::uint64_t>& streams);
  bool quiet();  // nothing has changed since the last call
  bool ended() const { return ended_; }

 private:
  struct Told {
    std::set<std::uint64_t> meshes;
    std::string parts, bodies, sliders;
    bool any = false;
  };
  void act(const std::string& line, int number);
  void setCamera(const std::vector<std::string_view>& words);
  void setSlider(const std::vector<std::string_view>& words);
  void readSliders();
  void writeState(Json& json) const;

  vtb_viewer* viewer_;
  const vtb_world* world_;
  Mouse mouse_;
  std::string title_;
  bool played_;  // a motion: nothing in it can be moved
  vtb_view* view_ = nullptr;
  std::unique_ptr<WebScene> scene_;
  vtb_viewer_state state_{};
  std::map<std::uint64_t, Told> told_;
  std::string parts_, bodies_, sliders_, values_;  // as JSON, of this frame
  long frames_ = 0;
  bool ended_ = false, acted_ = false, wantsCamera_ = false;
};

Live::Live(vtb_viewer* viewer, const Source& source, std::string title)
    : viewer_(viewer), world_(source.world()), title_(std::move(title)), played_(source.moves() && !source.simulated()) {
  viewLibrary().check(viewLibrary().viewerGetView(viewer, &view_));
  scene_ = std::make_unique<WebScene>(view_, world_);
  frame(0);
}

WebAnswer Live::answer(const WebRequest& request) {
  static constexpr const char* kText = "text/plain; charset=utf-8";
  if (request.path == "/" && request.method == "GET") return {200, "text/html; charset=utf-8", webPage(title_, "null"), false};
  if (request.path == "/events" && request.method == "GET") return {200, "text/event-stream", "", true};
  if (request.path != "/act") return {404, kText, "there is nothing but the page /, /events and /act\n", false};
  if (request.method != "POST") return {405, kText, "acts are sent by POST\n", false};
  Json json;
  json.beginObject();
  int status = 200, number = 1;
  wantsCamera_ = false;
  acted_ = true;
  try {
    for (const std::string_view line : split(request.body, '\n')) act(std::string(line), number++);
  } catch (const Failure& failure) {
    status = 400;
    json.member("error", failure.what());
  }
  if (wantsCamera_) {
    auto state = sized<vtb_viewer_state>();
    viewLibrary().check(viewLibrary().viewerGetState(viewer_, &state));
    writeCamera(json, state.camera);
  }
  return {status, "application/json", json.endObject().text(), false};
}

void Live::act(const std::string& line, int number) {
  const ViewAction none{number, {}};
  const auto words = split(line, ' ');
  if (words[0] == "camera") return setCamera(words);
  if (words[0] == "slider") return setSlider(words);
  if (line == "end") {
    ended_ = true;
    return;
  }
  if (line.empty()) return;
  if (std::find(std::begin(kScriptWords), std::end(kScriptWords), words[0]) == std::end(kScriptWords))
    throw Failure("line " + std::to_string(number) + ": '" + std::string(words[0]) + "' is none of " + kOwnWords);
  const ViewAction action = readViewAction(line, "acts", number);
  if (action.words[0] == "key" && action.words[1].size() == 1 && action.words[1][0] >= '0' && action.words[1][0] <= '6')
    wantsCamera_ = true;
  cli::act(action, viewer_, mouse_, world_, "acts");
}

void Live::setCamera(const std::vector<std::string_view>& words) {
  double values[10];
  bool good = words.size() == 11;
  for (std::size_t i = 0; good && i < 10; i++) good = parseNumber(words[i + 1], values[i]);
  if (!good) throw Failure("camera wants position, target, up and fov: 10 numbers");
  auto camera = sized<vtb_camera>();
  for (int k = 0; k < 3; k++) camera.position[k] = values[k], camera.target[k] = values[3 + k], camera.up[k] = values[6 + k];
  camera.fov = values[9];
  viewLibrary().check(viewLibrary().viewerSetCamera(viewer_, &camera));
}

void Live::setSlider(const std::vector<std::string_view>& words) {
  vtb_joint joint{};
  double axis = 0, value = 0;
  bool good = words.size() == 5 && (words[3] == "coordinate" || words[3] == "target") && parseNumber(words[2], axis) &&
              parseNumber(words[4], value);
  if (good) {
    const auto parsed = std::from_chars(words[1].data(), words[1].data() + words[1].size(), joint.bits);
    good = parsed.ec == std::errc() && parsed.ptr == words[1].data() + words[1].size() && axis >= 0 && axis < 6;
  }
  if (!good) throw Failure("slider wants JOINT AXIS coordinate|target VALUE");
  viewLibrary().check(viewLibrary().viewerSetSlider(viewer_, joint, static_cast<int32_t>(axis), words[3] == "target", value));
}

void Live::frame(double seconds) {
  const ViewLibrary& library = viewLibrary();
  library.check(library.viewerFrame(viewer_, seconds));
  state_ = sized<vtb_viewer_state>();
  library.check(library.viewerGetState(viewer_, &state_));
  scene_->read();
  Json parts, bodies;
  parts.beginArray();
  for (const vtb_view_part& part : scene_->parts())
    parts.beginArray().value(static_cast<std::int64_t>(part.part)).value(part.shown).endArray();
  parts_ = parts.endArray().text();
  bodies.beginArray();
  for (const WebBody& body : scene_->bodies())
    bodies.beginObject().member("body", body.number).member("name", body.name).member("held", body.held && !played_).endObject();
  bodies_ = bodies.endArray().text();
  if (frames_++ % kSliderFrames == 0 || seconds == 0) readSliders();
}

void Live::readSliders() {
  const ViewLibrary& library = viewLibrary();
  size_t total = 0;
  library.check(library.viewerGetSliders(viewer_, nullptr, 0, &total));
  std::vector<vtb_viewer_slider> sliders(total, sized<vtb_viewer_slider>());
  if (total > 0) library.check(library.viewerGetSliders(viewer_, sliders.data(), total, &total));
  Json rows, values;
  rows.beginArray();
  values.beginArray();
  for (const vtb_viewer_slider& slider : sliders) {
    rows.beginObject().member("joint", std::to_string(slider.joint.bits)).member("axis", slider.axis).member("name", slider.name);
    rows.member("lower", slider.lower).member("upper", slider.upper).member("slides", slider.slides != 0).endObject();
    values.value(slider.coordinate).value(slider.target);
  }
  sliders_ = rows.endArray().text();
  values_ = values.endArray().text();
}

void Live::writeState(Json& json) const {
  auto stats = sized<vtb_world_stats>();
  auto energy = sized<vtb_energy>();
  check(vtb_world_get_stats(world_, &stats), "reading statistics");
  check(vtb_world_get_energy(world_, &energy), "reading the energy");
  const char* said = "";
  viewLibrary().check(viewLibrary().viewerGetMessage(viewer_, &said));
  json.member("time", state_.time).member("steps", static_cast<std::int64_t>(state_.steps)).member("paused", state_.paused != 0);
  json.member("speed", state_.speed).member("real_time", state_.real_time).member("left_out", state_.left_out);
  json.member("contacts", static_cast<std::int64_t>(stats.contacts)).member("rows", static_cast<std::int64_t>(stats.rows));
  json.member("kinetic", energy.kinetic).member("potential", energy.potential).member("held", nameOfBody(world_, state_.held));
  json.member("hold_force", state_.hold_force).member("under", nameOfBody(world_, state_.under));
  json.member("followed", scene_->numberOf(state_.followed)).member("shots", state_.shots).member("message", said);
  json.member("shown", static_cast<std::int64_t>(state_.shown));
}

std::string Live::message(std::uint64_t stream) {
  Told& told = told_[stream];
  Json json;
  json.beginObject();
  if (!told.any) {
    json.member("title", title_).member("played", played_).key("picture").beginArray().value(state_.width).value(state_.height).endArray();
    writeCamera(json, state_.camera);
    told.any = true;
  }
  writeState(json);
  scene_->writeGround(json);
  std::string tail;  // what stands here as JSON already
  const auto changed = [&](const char* name, const std::string& text, std::string& before) {
    if (text == before) return;
    tail += std::string(",\"") + name + "\":" + text;
    before = text;
  };
  changed("bodies", bodies_, told.bodies);
  changed("sliders", sliders_, told.sliders);
  const bool newParts = parts_ != told.parts;
  changed("parts", parts_, told.parts);
  tail += ",\"values\":" + values_;
  if (newParts) {
    std::set<std::uint64_t> meshes;
    json.key("meshes").beginArray();
    for (const vtb_view_part& part : scene_->parts()) {
      meshes.insert(part.part);
      if (told.meshes.count(part.part)) continue;
      json.beginObject();
      scene_->writeMesh(json, part);
      json.endObject();
    }
    json.endArray();
    told.meshes = std::move(meshes);
  }
  json.member("poses", base64(std::vector<float>(scene_->poses().begin(), scene_->poses().end())));
  if (!scene_->particles().empty()) json.member("particles", base64(scene_->particles()));
  scene_->writeMarks(json);
  std::string text = json.endObject().text();
  text.insert(text.size() - 1, tail);
  return text;
}

void Live::keepOnly(const std::vector<std::uint64_t>& streams) {
  std::erase_if(told_, [&](const auto& entry) { return std::find(streams.begin(), streams.end(), entry.first) == streams.end(); });
}

bool Live::quiet() {
  const bool quiet = state_.paused && !acted_;
  acted_ = false;
  return quiet;
}

// SIGINT and SIGTERM end the server; what they did before comes back.
class Interrupts {
 public:
  Interrupts() {
    struct sigaction action {};
    action.sa_handler = interrupt;
    sigaction(SIGINT, &action, &before_[0]);
    sigaction(SIGTERM, &action, &before_[1]);
  }
  ~Interrupts() {
    sigaction(SIGINT, &before_[0], nullptr);
    sigaction(SIGTERM, &before_[1], nullptr);
  }

 private:
  struct sigaction before_[2]{};
};

}  // namespace

void serveWeb(vtb_viewer* viewer, const Source& source, const Arguments& arguments, double seconds) {
  WebServer server(static_cast<int>(arguments.integer("port", 0, 1, 65535)));
  Live live(viewer, source, std::filesystem::path(arguments.operand(0)).filename().string());
  const Interrupts interrupts;
  const std::string url = "http://127.0.0.1:" + std::to_string(server.port()) + "/";
  if (arguments.has("json"))
    print(Json().beginObject().member("url", url).member("port", server.port()).endObject().text() + "\n");
  else
    print(url + "   (Ctrl+C ends it)\n");
  std::fflush(stdout);
  const double start = now();
  double last = start, told = 0;
  while (!interrupted && !live.ended() && (seconds == 0 || last - start < seconds)) {
    while (now() < last + kFrame && !interrupted)
      server.serve(last + kFrame - now(), [&](const WebRequest& request) { return live.answer(request); });
    const double time = now();
    const auto streams = server.streams();
    live.keepOnly(streams);
    if (!streams.empty()) live.frame(time - last);
    last = time;
    if (live.quiet() && time - told < kQuiet) continue;
    told = time;
    for (const std::uint64_t stream : streams)
      if (server.drained(stream)) server.send(stream, live.message(stream));
  }
}

}  // namespace vertebra::cli
