// See panels.hpp. SI units, angles in degrees.
#include "viewer/panels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "viewer/names.hpp"

namespace vertebra::viewer {

namespace {

constexpr Colour kPanel{0.08f, 0.10f, 0.13f, 0.72f}, kText{0.93f, 0.95f, 0.97f}, kDim{0.70f, 0.74f, 0.78f}, kAlarm{1.0f, 0.62f, 0.30f},
    kFrame{0.40f, 0.44f, 0.50f};
constexpr Colour kCurves[] = {{0.98f, 0.78f, 0.30f}, {0.45f, 0.78f, 0.98f}, {0.55f, 0.88f, 0.55f}, {0.95f, 0.55f, 0.55f}};
constexpr double kSpan = 8;  // s of a plot
constexpr std::size_t kMostSamples = 1000;

const char* const kHelp =
    "mouse\n"
    "  left on a body: drag it; Ctrl: turn it; wheel: push it away, draw it near\n"
    "  left beside it, or right: orbit     middle, or Shift: pan     wheel: zoom\n"
    "time\n"
    "  Space: pause, go on     . one step     , back     < a second back     r reset\n"
    "  + and - : faster, slower\n"
    "act on it\n"
    "  f: shoot under the mouse     v: ball, box, figure     a, z held: attract, repel\n"
    "  j: sliders of joints     k: their coordinates or motor targets\n"
    "  arrow keys: drive a vehicle     Page up, Page down: its gear\n"
    "camera\n"
    "  1 corner  2 front  3 back  4 left  5 right  6 above     0: all of it\n"
    "  l: follow the body under the mouse\n"
    "shown\n"
    "  g ground  h shadows  o collision shapes  c contacts  n forces  x axes  m centres of mass\n"
    "  s skeleton  t limits  i inertia  p paths  b skin     e: plots     Tab: nothing written\n"
    "q or Esc: end     ?: this";

std::string printed(const char* format, ...) {
  char text[512];
  va_list list;
  va_start(list, format);
  std::vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return text;
}

// Roll, pitch, yaw of a quaternion, degrees.
void angles(const double* q, double* out) {
  const double x = q[0], y = q[1], z = q[2], w = q[3], degree = 180 / M_PI;
  out[0] = degree * std::atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y));
  out[1] = degree * std::asin(std::clamp(2 * (w * y - z * x), -1.0, 1.0));
  out[2] = degree * std::atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}

vtb_world_stats statsOf(const vtb_world* world) {
  vtb_world_stats stats{};
  stats.struct_size = sizeof stats;
  check(vtb_world_get_stats(world, &stats));
  return stats;
}

}  // namespace

void Panels::record(const Session& session) {
  const double now = session.pace().time();
  while (!samples_.empty() && samples_.back().time >= now - 1e-12) samples_.pop_back();  // time went back
  vtb_energy energy{};
  energy.struct_size = sizeof energy;
  if (vtb_world_get_energy(session.world(), &energy) != VTB_OK) return;
  const vtb_world_stats stats = statsOf(session.world());
  samples_.push_back({now, energy.kinetic + energy.potential, energy.kinetic, double(stats.contacts), 1e6 * session.pace().stepSeconds});
  while (samples_.size() > kMostSamples || samples_.front().time < now - kSpan) samples_.pop_front();
}

void Panels::draw(Hud& hud, Session& session) const {
  hud.begin(session.width, session.height);
  if (!session.bare) {
    drawTime(hud, session);
    drawBody(hud, session);
    if (session.plots && !session.pace().played()) drawPlots(hud, session);
    session.sliders().draw(hud, session.height);
    const std::string message = session.message();
    if (!message.empty()) {
      const double width = 7.6 * static_cast<double>(message.size()) + 24;
      hud.rectangle(0.5 * (session.width - width), session.height - 46, width, 28, kPanel);
      hud.text(0.5 * (session.width - width) + 12, session.height - 40, 14, message, kText);
    }
    if (session.help) drawHelp(hud, session);
  }
  hud.end();
}

void Panels::drawTime(Hud& hud, const Session& session) const {
  const Pace& pace = session.pace();
  hud.rectangle(12, 10, 372, 58, kPanel);
  std::string first = printed("%.3f s", pace.time());
  if (pace.played()) first += printed(" of %.2f s", pace.end());
  first += printed("   x %g", pace.speed);
  if (pace.paused) first += "   paused";
  hud.text(20, 15, 18, first, kText);
  const vtb_world_stats stats = statsOf(session.world());
  const bool slow = !pace.paused && pace.realTime() < 0.97;
  std::string rates = pace.frameRate() > 0 ? printed("%.0f pictures/s   ", pace.frameRate()) : "";
  if (!pace.paused) rates += printed("%.0f %% of the speed", 100 * pace.realTime());
  hud.text(20, 38, 12, rates, slow ? kAlarm : kDim);
  std::string counts = printed("%d bodies  %d contacts  %d rows", stats.bodies, stats.contacts, stats.rows);
  if (!pace.played()) counts += printed("  %.0f us a step", 1e6 * pace.stepSeconds);
  const std::string vehicle = session.vehicle().text();
  hud.text(20, 52, 12, vehicle.empty() ? counts + "   ? help" : counts + "   " + vehicle, kDim);
}

void Panels::drawBody(Hud& hud, const Session& session) const {
  const int under = session.under();
  const double left = session.width - 312;
  if (under < 0 || static_cast<std::size_t>(under) >= session.view().bodies().size() || left < 396) return;
  const ShownBody& body = session.view().bodies()[static_cast<std::size_t>(under)];
  double pose[7], twist[6], turn[3];
  if (vtb_body_get_pose(session.world(), body.handle, pose) != VTB_OK) return;
  check(vtb_body_get_twist(session.world(), body.handle, twist));
  angles(pose + 3, turn);
  std::string name = nameOf(session.world(), VTB_NAMED_BODY, body.handle.bits);
  if (name.empty()) name = "body " + std::to_string(under);
  hud.rectangle(left, 10, 300, 118, kPanel);
  hud.text(left + 10, 15, 15, shortened(name, 34), kText);
  hud.text(
      left + 10, 36, 12,
      (body.mass > 0 ? printed("mass        %.4g kg\n", body.mass) : std::string(body.moving ? "moved by its velocity\n" : "static\n")) +
          printed("at          %.3f  %.3f  %.3f m\n", pose[0], pose[1], pose[2]) +
          printed("turned   %.1f  %.1f  %.1f deg\n", turn[0], turn[1], turn[2]) +
          printed("moves   %.3f  %.3f  %.3f m/s\n", twist[0], twist[1], twist[2]) +
          printed("turns     %.2f  %.2f  %.2f rad/s", twist[3], twist[4], twist[5]),
      kDim);
}

void Panels::drawPlots(Hud& hud, const Session& session) const {
  static constexpr struct {
    const char* name;
    const char* unit;
    double Sample::*value;
  } kPlots[] = {{"energy", "J", &Sample::energy},
                {"kinetic", "J", &Sample::kinetic},
                {"contacts", "", &Sample::contacts},
                {"a step", "us", &Sample::stepMicroseconds}};
  constexpr double kWidth = 180, kHeight = 64, kGap = 8;
  const double now = session.pace().time();
  for (std::size_t p = 0; p < std::size(kPlots); p++) {
    const double x = 12 + static_cast<double>(p) * (kWidth + kGap), y = session.height - kHeight - 60;
    if (x + kWidth > session.width) return;
    hud.rectangle(x, y, kWidth, kHeight, kPanel);
    if (samples_.empty()) continue;
    double low = 1e300, high = -1e300;
    for (const Sample& s : samples_) low = std::min(low, s.*kPlots[p].value), high = std::max(high, s.*kPlots[p].value);
    const double room = std::max(high - low, 1e-3 * std::max(std::fabs(high), 1e-9)), bottom = y + kHeight - 5, tall = kHeight - 28;
    hud.text(x + 6, y + 4, 11, printed("%s  %.4g %s", kPlots[p].name, samples_.back().*kPlots[p].value, kPlots[p].unit), kText);
    hud.line(x + 5, bottom, x + kWidth - 5, bottom, kFrame);
    const auto at = [&](const Sample& s) {
      return std::pair{x + kWidth - 5 - (now - s.time) / kSpan * (kWidth - 10), bottom - (s.*kPlots[p].value - low) / room * tall};
    };
    for (std::size_t i = 1; i < samples_.size(); i++) {
      const auto [x0, y0] = at(samples_[i - 1]);
      const auto [x1, y1] = at(samples_[i]);
      hud.line(x0, y0, x1, y1, kCurves[p]);
    }
  }
}

void Panels::drawHelp(Hud& hud, const Session& session) const {
  constexpr double kWidth = 700, kLine = 14, kEdge = 18;
  const double height = kLine * static_cast<double>(std::count(kHelp, kHelp + std::strlen(kHelp), '\n') + 1) + 2 * kEdge;
  const double x = std::max(0.0, 0.5 * (session.width - kWidth)), y = std::max(72.0, 0.5 * (session.height - height));
  hud.rectangle(x, y, kWidth, height, {0.08f, 0.10f, 0.13f, 0.90f});
  hud.text(x + kEdge, y + kEdge - 4, kLine, kHelp, kText);
}

}  // namespace vertebra::viewer
