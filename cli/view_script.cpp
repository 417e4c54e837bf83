// See view_script.hpp.
#include "cli/view_script.hpp"

#include <algorithm>
#include <fstream>

#include "cli/json.hpp"
#include "cli/model.hpp"

namespace vertebra::cli {

namespace {

struct KeyName {
  const char* name;
  int key;
};
constexpr KeyName kKeys[] = {{"space", ' '},
                             {"backspace", VTB_VIEWER_KEY_BACKSPACE},
                             {"tab", VTB_VIEWER_KEY_TAB},
                             {"escape", VTB_VIEWER_KEY_ESCAPE},
                             {"left", VTB_VIEWER_KEY_LEFT},
                             {"right", VTB_VIEWER_KEY_RIGHT},
                             {"up", VTB_VIEWER_KEY_UP},
                             {"down", VTB_VIEWER_KEY_DOWN},
                             {"pageup", VTB_VIEWER_KEY_PAGE_UP},
                             {"pagedown", VTB_VIEWER_KEY_PAGE_DOWN}};
struct ActionRule {
  const char* name;
  std::size_t least, most;  // words after it
  const char* help;
};
constexpr ActionRule kRules[] = {
    {"move", 2, 2, "move X Y: the mouse, to pixels from the upper left corner"},
    {"by", 2, 2, "by X Y: the mouse, by so many pixels"},
    {"over", 1, 1, "over BODY: the mouse, to where the body of that name is seen"},
    {"press", 0, 3, "press [left|middle|right] [ctrl] [shift]: a button of the mouse"},
    {"release", 0, 1, "release [left|middle|right]"},
    {"scroll", 1, 1, "scroll N: the wheel, by notches"},
    {"key", 1, 1, "key K: a key, pressed and let go: a character, space, backspace, tab, escape, left, right, up, down, pageup, pagedown"},
    {"hold", 1, 1, "hold K: a key, pressed"},
    {"let", 1, 1, "let K: a key, let go"},
    {"frames", 1, 2, "frames N [S]: so many frames, each of S s of the clock (default 1/60)"},
    {"picture", 1, 1, "picture OUT.png: what is seen"}};

[[noreturn]] void wrong(const std::string& path, int line, const std::string& what) {
  throw Failure(path + ":" + std::to_string(line) + ": " + what);
}

int keyOf(const std::string& word) {
  for (const KeyName& key : kKeys)
    if (word == key.name) return key.key;
  return word.size() == 1 ? static_cast<unsigned char>(word[0]) : 0;
}

int buttonOf(const std::string& word) {
  return word == "middle" ? VTB_VIEWER_MIDDLE : word == "right" ? VTB_VIEWER_RIGHT : VTB_VIEWER_LEFT;
}

void send(vtb_viewer* viewer, const Mouse& mouse, vtb_viewer_event event) {
  event.struct_size = sizeof event;
  event.x = mouse.x;
  event.y = mouse.y;
  viewLibrary().check(viewLibrary().viewerSend(viewer, &event));
}

vtb_viewer_event eventOf(int type) {
  auto event = sized<vtb_viewer_event>();
  event.type = type;
  return event;
}

double numberOf(const std::string& word) {
  double value = 0;
  parseNumber(word, value);
  return value;
}

}  // namespace

std::string viewScriptHelp() {
  std::string text;
  for (const ActionRule& rule : kRules) text += std::string("  ") + rule.help + "\n";
  return text;
}

ViewAction readViewAction(const std::string& text, const std::string& path, int line) {
  ViewAction action{line, {}};
  for (const std::string_view word : split(text, ' ')) {
    if (word.starts_with("#")) break;
    if (!word.empty()) action.words.emplace_back(word);
  }
  if (action.words.empty()) return action;
  const ActionRule* rule =
      std::find_if(std::begin(kRules), std::end(kRules), [&](const ActionRule& r) { return action.words[0] == r.name; });
  if (rule == std::end(kRules)) wrong(path, line, "'" + action.words[0] + "' is no action; vertebra view --help lists them");
  const std::size_t given = action.words.size() - 1;
  if (given < rule->least || given > rule->most) wrong(path, line, std::string("it is written: ") + rule->help);
  const std::string& name = action.words[0];
  const bool numbers = name == "move" || name == "by" || name == "scroll" || name == "frames";
  double value = 0;
  for (std::size_t i = 1; numbers && i <= given; i++)
    if (!parseNumber(action.words[i], value) || (name == "frames" && !(value > 0 && value <= 1e6)))
      wrong(path, line, "'" + action.words[i] + "' is not such a number; it is written: " + rule->help);
  if ((name == "key" || name == "hold" || name == "let") && keyOf(action.words[1]) == 0)
    wrong(path, line, "'" + action.words[1] + "' is no key");
  for (std::size_t i = 1; (name == "press" || name == "release") && i <= given; i++) {
    const std::string& word = action.words[i];
    const bool button = word == "left" || word == "middle" || word == "right";
    if (!button && (name == "release" || (word != "ctrl" && word != "shift")))
      wrong(path, line, std::string("it is written: ") + rule->help);
  }
  return action;
}

std::vector<ViewAction> readViewScript(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Failure("cannot open the script " + path);
  std::vector<ViewAction> actions;
  std::string text;
  for (int line = 1; std::getline(file, text); line++) {
    ViewAction action = readViewAction(text, path, line);
    if (!action.words.empty()) actions.push_back(std::move(action));
  }
  return actions;
}

void act(const ViewAction& action, vtb_viewer* viewer, Mouse& mouse, const vtb_world* world, const std::string& path) {
  const std::string& name = action.words[0];
  const auto word = [&](std::size_t i) { return i < action.words.size() ? action.words[i] : std::string(); };
  if (name == "frames") {
    const double seconds = action.words.size() > 2 ? numberOf(word(2)) : 1.0 / 60;
    for (int i = 0; i < static_cast<int>(numberOf(word(1))); i++) viewLibrary().check(viewLibrary().viewerFrame(viewer, seconds));
    return;
  }
  if (name == "picture") return writePicture(viewer, word(1));
  if (name == "move" || name == "by" || name == "over") {
    if (name == "over") {
      vtb_body body{};
      if (vtb_world_find_body(world, word(1).c_str(), &body) != VTB_OK) wrong(path, action.line, vtb_last_error());
      double pixel[2];
      if (!pixelOf(viewer, world, body, pixel)) wrong(path, action.line, word(1) + " is not in the picture");
      mouse = {pixel[0], pixel[1]};
    } else {
      mouse = {numberOf(word(1)) + (name == "by" ? mouse.x : 0), numberOf(word(2)) + (name == "by" ? mouse.y : 0)};
    }
    return send(viewer, mouse, eventOf(VTB_VIEWER_EVENT_MOVE));
  }
  if (name == "press" || name == "release") {
    vtb_viewer_event event = eventOf(name == "press" ? VTB_VIEWER_EVENT_PRESS : VTB_VIEWER_EVENT_RELEASE);
    event.button = buttonOf(word(1));
    for (std::size_t i = 1; i < action.words.size(); i++) {
      if (action.words[i] == "ctrl") event.modifiers |= VTB_VIEWER_CTRL;
      if (action.words[i] == "shift") event.modifiers |= VTB_VIEWER_SHIFT;
    }
    return send(viewer, mouse, event);
  }
  if (name == "scroll") {
    vtb_viewer_event event = eventOf(VTB_VIEWER_EVENT_SCROLL);
    event.scroll = numberOf(word(1));
    return send(viewer, mouse, event);
  }
  for (const int type : {VTB_VIEWER_EVENT_KEY, VTB_VIEWER_EVENT_KEY_RELEASE}) {
    if ((name == "hold" && type == VTB_VIEWER_EVENT_KEY_RELEASE) || (name == "let" && type == VTB_VIEWER_EVENT_KEY)) continue;
    vtb_viewer_event event = eventOf(type);
    event.key = keyOf(word(1));
    send(viewer, mouse, event);
  }
}

bool pixelOf(vtb_viewer* viewer, const vtb_world* world, vtb_body body, double pixel[2]) {
  vtb_view* view = nullptr;
  viewLibrary().check(viewLibrary().viewerGetView(viewer, &view));
  double pose[7], mass = 0, com[3] = {}, inertia[6], point[3], depth = 0;
  check(vtb_body_get_pose(world, body, pose), "reading a pose");
  if (vtb_body_get_mass(world, body, &mass, com, inertia) != VTB_OK) std::fill_n(com, 3, 0.0);
  check(vtb_pose_apply(pose, com, point), "reading a pose");
  viewLibrary().check(viewLibrary().project(view, point, pixel, &depth));
  return depth > 0;
}

std::string stateAsJson(vtb_viewer* viewer, const vtb_world* world) {
  auto state = sized<vtb_viewer_state>();
  viewLibrary().check(viewLibrary().viewerGetState(viewer, &state));
  const auto nameOf = [&](vtb_body body) { return client::nameOf(world, VTB_NAMED_BODY, body.bits); };
  Json json;
  json.beginObject().member("time", state.time).member("paused", state.paused != 0).member("speed", state.speed);
  json.member("steps", static_cast<std::int64_t>(state.steps)).member("frames", static_cast<std::int64_t>(state.frames));
  json.member("rewinds", static_cast<std::int64_t>(state.rewinds)).member("rewind_to", state.rewind_to).member("shots", state.shots);
  json.member("left_out", state.left_out).member("frame_rate", state.frame_rate).member("real_time", state.real_time);
  json.member("held", nameOf(state.held)).member("hold_force", state.hold_force).member("under", nameOf(state.under));
  json.member("followed", nameOf(state.followed)).key("bodies").beginArray();
  size_t total = 0;
  check(vtb_world_get_bodies(world, nullptr, 0, &total), "listing bodies");
  std::vector<vtb_body> bodies(total);
  if (total > 0) check(vtb_world_get_bodies(world, bodies.data(), total, &total), "listing bodies");
  for (const vtb_body body : bodies) {
    double pose[7], pixel[2] = {-1, -1};
    check(vtb_body_get_pose(world, body, pose), "reading a pose");
    pixelOf(viewer, world, body, pixel);
    json.beginObject().member("name", nameOf(body)).key("position").beginArray();
    for (int k = 0; k < 3; k++) json.value(pose[k]);
    json.endArray().key("orientation").beginArray();
    for (int k = 3; k < 7; k++) json.value(pose[k]);
    json.endArray().key("pixel").beginArray().value(pixel[0]).value(pixel[1]).endArray().endObject();
  }
  return json.endArray().endObject().text() + "\n";
}

void writePicture(vtb_viewer* viewer, const std::string& path) {
  const ViewLibrary& library = viewLibrary();
  vtb_view* view = nullptr;
  library.check(library.viewerGetView(viewer, &view));
  auto state = sized<vtb_viewer_state>();
  library.check(library.viewerGetState(viewer, &state));
  const int32_t width = state.width, height = state.height;
  std::vector<std::uint8_t> pixels(std::size_t{3} * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  library.check(library.draw(view, pixels.data(), pixels.size()));
  library.check(library.writePng(path.c_str(), pixels.data(), width, height));
}

}  // namespace vertebra::cli
