// The report of a retargeting as a page that needs no other file: numbers, plots and a film strip in SVG, drawn here.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/output.hpp"
#include "cli/retarget.hpp"
#include "cli/retarget_physics.hpp"

namespace vertebra::cli {

namespace {

constexpr double kWidth = 900, kLeft = 60, kRight = 12;
constexpr const char* kSides[] = {"#0072b2", "#d55e00"};  // of Okabe and Ito: left, right
constexpr int kPictures = 10;
constexpr int kBones[][2] = {{7, 0},  {0, 1}, {1, 2}, {2, 3},   {7, 8},   {8, 9}, {9, 10},
                             {4, 11}, {4, 5}, {5, 6}, {11, 12}, {12, 13}, {0, 4}, {7, 11}};

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", x);
  return std::string(text).find("nan") == std::string::npos ? text : "0";
}
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}
std::string line(double x1, double y1, double x2, double y2, const std::string& style) {
  return "<line x1='" + number(x1) + "' y1='" + number(y1) + "' x2='" + number(x2) + "' y2='" + number(y2) + "' " + style + "/>";
}
std::string box(double x, double y, double w, double h, const std::string& style) {
  return "<rect x='" + number(x) + "' y='" + number(y) + "' width='" + number(std::max(0.0, w)) + "' height='" + number(std::max(0.0, h)) +
         "' " + style + "/>";
}
std::string text(double x, double y, const std::string& words, const std::string& style = "") {
  return "<text x='" + number(x) + "' y='" + number(y) + "' " + style + ">" + escaped(words) + "</text>";
}
std::string svg(double height, const std::string& inside) {
  return "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " + number(kWidth) + " " + number(height) + "' width='" + number(kWidth) +
         "' height='" + number(height) + "' font-family='sans-serif' font-size='11'>" + inside + "</svg>\n";
}

struct Data {
  vtb_retarget_report_info info;
  std::vector<vtb_retarget_report_frame> frames;
  std::vector<vtb_retarget_report_contact> contacts;
  std::vector<vtb_retarget_report_axis> axes;
};

template <class T, class Get>
std::vector<T> all(const RetargetReport& report, int count, Get&& get) {
  std::vector<T> out;
  for (int i = 0; i < count; i++) {
    out.push_back(sized<T>());
    check(get(report.get(), i, &out.back()), "reading the report");
  }
  return out;
}

// A frame with axes: time across, a quantity upwards.
class Plot {
 public:
  Plot(double seconds, double low, double high, const std::string& unit) : seconds_(std::max(seconds, 1e-9)), low_(low), high_(high) {
    out_ = box(kLeft, kTop, kWidth - kLeft - kRight, kHeight, "fill='none' stroke='#999'");
    const double step = tick(high - low), time = tick(seconds_);
    for (double y = std::ceil(low / step) * step; y <= high + 1e-9 * step; y += step) {
      out_ += line(kLeft, up(y), kWidth - kRight, up(y), "stroke='#ddd'");
      out_ += text(kLeft - 6, up(y) + 4, readable(std::fabs(y) < 1e-9 * step ? 0 : y), "text-anchor='end'");
    }
    for (double t = 0; t <= seconds_ + 1e-9; t += time) out_ += text(across(t), kTop + kHeight + 14, readable(t), "text-anchor='middle'");
    out_ += text(4, kTop - 6, unit) + text(kWidth - kRight, kTop + kHeight + 28, "s", "text-anchor='end'");
  }
  void shade(double from, double to, const char* colour, int lane) {
    out_ += box(across(from), kTop + lane * 0.5 * kHeight, across(to) - across(from), 0.5 * kHeight,
                std::string("fill='") + colour + "' fill-opacity='0.12'");
  }
  void bar(double from, double to, double value, const char* colour) {
    out_ += box(across(from), up(value), std::max(2.0, across(to) - across(from)), up(0) - up(value),
                std::string("fill='") + colour + "' fill-opacity='0.6'");
  }
  template <class F>
  void curve(std::size_t count, double step, F&& value, const char* colour) {
    std::string points;
    const std::size_t stride = count / 3000 + 1;
    for (std::size_t i = 0; i < count; i += stride)
      points += number(across(static_cast<double>(i) * step)) + "," + number(up(std::clamp(value(i), low_, high_))) + " ";
    out_ += "<polyline fill='none' stroke='" + std::string(colour) + "' stroke-width='1.4' points='" + points + "'/>";
  }
  void legend() {
    for (int side = 0; side < 2; side++)
      out_ += text(kWidth - 110 + 50 * side, kTop - 6, side == 0 ? "left" : "right", std::string("fill='") + kSides[side] + "'");
  }
  std::string text_() const { return svg(kTop + kHeight + 34, out_); }

 private:
  static constexpr double kTop = 22, kHeight = 150;
  static double tick(double range) {
    const double raw = std::max(range, 1e-12) / 5, power = std::pow(10, std::floor(std::log10(raw)));
    for (const double m : {1, 2, 5})
      if (m * power >= raw) return m * power;
    return 10 * power;
  }
  double across(double t) const { return kLeft + (kWidth - kLeft - kRight) * t / seconds_; }
  double up(double y) const { return kTop + kHeight * (high_ - y) / (high_ - low_); }

  double seconds_, low_, high_;
  std::string out_;
};

std::string feet(const Data& d, double seconds) {
  double most = 0, least = 0;
  for (const auto& f : d.frames)
    for (const double h : f.foot_height) most = std::max(most, 1e3 * h), least = std::min(least, 1e3 * h);
  Plot plot(seconds, std::min(-10.0, 1.1 * least), std::max(20.0, 1.05 * most), "mm");
  for (const auto& c : d.contacts)
    plot.shade((c.first - 0.5) * d.info.frame_time, (c.last + 0.5) * d.info.frame_time, kSides[c.side], c.side);
  for (int side = 0; side < 2; side++)
    plot.curve(
        d.frames.size(), d.info.frame_time, [&](std::size_t i) { return 1e3 * d.frames[i].foot_height[side]; }, kSides[side]);
  plot.legend();
  return plot.text_();
}

std::string slides(const Data& d, double seconds) {
  double most = 1;
  for (const auto& c : d.contacts) most = std::max(most, 1e3 * c.slide);
  Plot plot(seconds, 0, 1.1 * most, "mm");
  for (const auto& c : d.contacts) plot.bar(c.first * d.info.frame_time, c.last * d.info.frame_time, 1e3 * c.slide, kSides[c.side]);
  plot.legend();
  return plot.text_();
}

std::string errors(const Data& d, double seconds) {
  double most = 1;
  for (const auto& f : d.frames) most = std::max(most, 1e3 * f.error);
  Plot plot(seconds, 0, 1.1 * most, "mm");
  plot.curve(
      d.frames.size(), d.info.frame_time, [&](std::size_t i) { return 1e3 * d.frames[i].error; }, "#009e73");
  return plot.text_();
}

std::string ranges(const Data& d) {
  constexpr double kRow = 16, kFrom = 260;
  const double to = kWidth - 150;
  std::string out;
  double y = 16;
  for (const auto& a : d.axes) {
    const bool limited = std::isfinite(a.lower) && std::isfinite(a.upper) && a.upper > a.lower;
    const double low = limited ? a.lower : -3.1416, high = limited ? a.upper : 3.1416;
    const auto at = [&](double q) { return kFrom + (to - kFrom) * std::clamp((q - low) / (high - low), -0.04, 1.04); };
    out += text(kFrom - 18, y, a.name, "text-anchor='end'");
    out += box(kFrom, y - 9, to - kFrom, 10, limited ? "fill='#eee'" : "fill='#eee' fill-opacity='0.5'");
    out += box(at(a.lowest), y - 7, std::max(1.0, at(a.highest) - at(a.lowest)), 6,
               a.excess > 1e-3 ? "fill='#d55e00'" : (a.resting_frames > 0 ? "fill='#e69f00'" : "fill='#0072b2'"));
    out += text(to + 14, y, readable(std::round(100 * a.lowest) / 100) + " to " + readable(std::round(100 * a.highest) / 100));
    y += kRow;
  }
  return svg(y + 4, out);
}

// Motion above, figure below, at equal times; each seen from the side, 30 degrees to the front, on its own scale.
std::string strip(const Data& d) {
  constexpr double kRow = 170;
  std::string out;
  for (int row = 0; row < 2; row++) {
    const auto points = [&](std::size_t i) { return row == 0 ? d.frames[i].motion_points : d.frames[i].figure_points; };
    const double* p = points(0);
    const double ahead[2] = {-(p[1] - p[22]), p[0] - p[21]};  // left hip - right hip, turned by a quarter about the vertical, is backward
    const double turn = std::atan2(-ahead[1], -ahead[0]) + 0.5236;
    double low = 1e9, high = -1e9;
    for (std::size_t i = 0; i < d.frames.size(); i++)
      for (int r = 0; r < 16; r++)
        if (const double z = points(i)[3 * r + 2]; std::isfinite(z)) low = std::min(low, z), high = std::max(high, z);
    const double scale = 0.86 * kRow / std::max(high - low, 1e-6), ground = 14 + kRow * (row + 1) - 10 * (row == 0);
    for (int k = 0; k < kPictures; k++) {
      const std::size_t i = d.frames.size() < 2 ? 0 : (d.frames.size() - 1) * static_cast<std::size_t>(k) / (kPictures - 1);
      if (d.frames.size() < 2 && k > 0) break;
      const double* at = points(i);
      const double middle[2] = {0.5 * (at[0] + at[21]), 0.5 * (at[1] + at[22])}, x0 = (k + 0.5) * kWidth / kPictures;
      const auto x = [&](int r) {
        return x0 + scale * ((at[3 * r] - middle[0]) * std::cos(turn) + (at[3 * r + 1] - middle[1]) * std::sin(turn));
      };
      const auto y = [&](int r) { return ground - scale * (at[3 * r + 2] - low); };
      for (const auto& bone : kBones) {
        const int a = bone[0], b = bone[1];
        if (!std::isfinite(at[3 * a]) || !std::isfinite(at[3 * b])) continue;
        const bool left = a < 7 && b < 7, right = a >= 7 && a < 14 && b >= 7 && b < 14;
        out += line(x(a), y(a), x(b), y(b),
                    std::string("stroke='") +
                        (left    ? kSides[0]
                         : right ? kSides[1]
                                 : "#555") +
                        "' stroke-width='2.5' stroke-linecap='round'");
      }
      if (std::isfinite(at[45]))
        out += "<circle cx='" + number(x(15)) + "' cy='" + number(y(15)) + "' r='5' fill='none' stroke='#555' stroke-width='2'/>";
      if (row == 0)
        out += text(x0, 12, readable(std::round(100 * static_cast<double>(i) * d.info.frame_time) / 100) + " s", "text-anchor='middle'");
    }
    out += line(0, ground, kWidth, ground, "stroke='#999'") + text(2, ground - 4, row == 0 ? "motion" : "figure", "fill='#777'");
  }
  return svg(2 * kRow + 24, out);
}

std::string numbers(const vtb_retarget_report_info& m, double seconds) {
  std::string out = "<table>";
  const auto row = [&](const char* name, double value, const char* unit) {
    out += std::string("<tr><td>") + name + "</td><td>" + number(value) + "</td><td>" + unit + "</td></tr>";
  };
  out += "<tr><td>frames</td><td>" + std::to_string(m.frames) + "</td><td></td></tr>";
  row("frames a second of computing", std::round(m.frames / seconds), "1/s");
  row("key points from the hips, mean", 1e3 * m.error_relative, "mm");
  row("the same, 95th percentile", 1e3 * m.error_relative_p95, "mm");
  row("key points in the world, mean", 1e3 * m.error_global, "mm");
  row("slide a contact, mean", 1e3 * m.slide_mean, "mm");
  row("slide a contact, largest", 1e3 * m.slide_max, "mm");
  row("contact kept", 100 * m.contact_kept, "%");
  row("below the floor, largest", 1e3 * m.depth_max, "mm");
  row("links in each other, largest", 1e3 * m.overlap_max, "mm");
  row("frames with a limit passed", 100 * m.limit_frames, "%");
  row("frames at a limit", 100 * m.resting_frames, "%");
  row("frames with a joint too fast", 100 * m.speed_frames, "%");
  row("largest jump of a joint", m.jump_max, "rad or m");
  row("jerk of feet over the motion's", m.jerk_feet, "");
  row("jerk of hands over the motion's", m.jerk_hands, "");
  return out + "</table>\n";
}

}  // namespace

std::string reportPage(const RetargetReport& report, double seconds, const std::string& title, const Tracked* tracked) {
  Data d;
  d.info = infoOf(report);
  d.frames = all<vtb_retarget_report_frame>(report, d.info.frames, vtb_retarget_report_get_frame);
  d.contacts = all<vtb_retarget_report_contact>(report, d.info.contacts, vtb_retarget_report_get_contact);
  d.axes = all<vtb_retarget_report_axis>(report, d.info.axes, vtb_retarget_report_get_axis);
  const double length = std::max(1, d.info.frames - 1) * d.info.frame_time;
  return "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><title>" + escaped(title) +
         "</title><style>body{font-family:sans-serif;max-width:940px;margin:1em auto;color:#222}h2{font-size:1em;margin:1.2em 0 .2em}"
         "td{padding:0 1em 0 0}td:nth-child(2){text-align:right}</style></head><body>\n<h1 style='font-size:1.2em'>" +
         escaped(title) + "</h1>\n" + (tracked ? "<p>In simulation, " + escaped(outcomeOf(*tracked)) + ".</p>\n" : "") +
         numbers(d.info, seconds) + "<h2>Film strip: the motion above, the figure below</h2>\n" + strip(d) +
         "<h2>Heights of soles; shaded where the motion's foot is in contact (left above, right below)</h2>\n" + feet(d, length) +
         "<h2>Slide of each contact</h2>\n" + slides(d, length) + "<h2>Key points from their goals, mean of the limbs</h2>\n" +
         errors(d, length) +
         "<h2>Range of each joint within its limits (grey; without limits half a turn either way); orange: at a limit, red: beyond</h2>\n" +
         ranges(d) + "</body></html>\n";
}

}  // namespace vertebra::cli
