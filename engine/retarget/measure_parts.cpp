// See measure_parts.hpp.
#include "engine/retarget/measure_parts.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::retarget {

namespace {

constexpr double kTouchesWithin = 0.005;              // m; points of a sole that touch: this near to its lowest
constexpr double kKept = 0.02, kFloating = 0.02;      // m
constexpr double kDeep = 0.005, kOverlapFrom = 0.01;  // m
constexpr double kLimit = 1e-3;                       // rad or m
constexpr double kJump = 0.5, kSpike = 0.1;           // rad or m
constexpr std::size_t kMostPoints = 2000;             // of a drift's course that are compared with each other

using Vec2 = Eigen::Vector2d;

}  // namespace

BodyMeasure::BodyMeasure(const Source& source, const Target& target, Measures& out)
    : source_(source), target_(target), out_(out), obstacles_(target) {}

void BodyMeasure::addFoot(int side, const Kinematics& k, FrameMeasure& out) {
  const int body = target_.ankle[side].body;
  std::vector<figure::SurfacePoint> points = target_.model->surface()[static_cast<std::size_t>(body)];
  if (points.empty()) points.push_back({target_.ankle[side].point, 0});
  std::vector<Vec3> now;
  std::vector<double> height;
  double lowest = kInf;
  for (const figure::SurfacePoint& b : points) {
    now.push_back(k.position({body, b.point}));
    height.push_back(now.back().z() - b.radius);
    lowest = std::min(lowest, height.back());
  }
  out.footHeight[side] = lowest;
  if (!sole_[side].empty()) {
    const double before = *std::min_element(soleHeight_[side].begin(), soleHeight_[side].end());
    Vec2 slip = Vec2::Zero();
    int count = 0;
    for (std::size_t i = 0; i < now.size(); i++)
      if (soleHeight_[side][i] < before + kTouchesWithin) {
        slip += (now[i] - sole_[side][i]).head<2>();
        count++;
      }
    slip_[side].push_back(slip / count);
  }
  sole_[side] = std::move(now);
  soleHeight_[side] = std::move(height);
}

void BodyMeasure::add(const Kinematics& k, FrameMeasure& out) {
  frames_++;
  for (int side = 0; side < 2; side++) addFoot(side, k, out);
  double lowest = kInf;
  int deepest = -1;
  for (std::size_t b = 0; b < target_.model->surface().size(); b++)
    for (const figure::SurfacePoint& ball : target_.model->surface()[b])
      if (const double z = k.position({static_cast<int>(b), ball.point}).z() - ball.radius; z < lowest) {
        lowest = z;
        deepest = static_cast<int>(b);
      }
  const auto link = [&](int body) {
    return target_.model->skeleton->links[static_cast<std::size_t>(target_.model->bodyLink[static_cast<std::size_t>(body)])].name;
  };
  if (deepest >= 0) {
    out.depth = -lowest;
    if (out.depth > out_.depthMost) {
      out_.depthMost = out.depth;
      out_.deepest = link(deepest);
    }
    out_.depthMean += std::max(0.0, out.depth);
    out_.deepFrames += out.depth > kDeep;
    out_.floatingFrames += out.depth < -kFloating;
  }
  const double held[2] = {1, 1};
  obstacles_.near(k, 1e-9, pairs_);
  obstacles_.find(k, pairs_, held, 0, near_);
  for (const Nearness& n : near_) {
    if (n.b.body < 0 || n.overlap <= out.overlap) continue;
    out.overlap = n.overlap;
    if (n.overlap <= out_.overlapMost) continue;
    out_.overlapMost = n.overlap;
    out_.overlapping = link(n.a.body) + " and " + link(n.b.body);
  }
  out_.overlapFrames += out.overlap > kOverlapFrom;
}

void BodyMeasure::contact(int side, const Interval& c) {
  ContactMeasure m{side, c.first, c.last, 0, 0};
  std::vector<Vec2> course = {Vec2::Zero()};
  for (int i = c.first; i < c.last; i++) {
    const Vec2 step = slip_[side][static_cast<std::size_t>(i)];
    m.path += step.norm();
    course.push_back(course.back() + step);
  }
  const std::size_t stride = course.size() / kMostPoints + 1;
  for (std::size_t a = 0; a < course.size(); a += stride)
    for (std::size_t b = a + 1; b < course.size(); b++) m.slide = std::max(m.slide, (course[b] - course[a]).norm());
  out_.contacts.push_back(m);
}

void BodyMeasure::finish() {
  const double n = std::max(1, frames_);
  for (double* share : {&out_.depthMean, &out_.deepFrames, &out_.floatingFrames, &out_.overlapFrames}) *share /= n;
  std::vector<double> slides, heights;
  double path = 0, kept = 0;
  for (int side = 0; side < 2; side++)
    for (const Interval& c : source_.contacts[side]) {
      contact(side, c);
      slides.push_back(out_.contacts.back().slide);
      path += out_.contacts.back().path;
      for (int i = c.first; i <= c.last; i++) {
        heights.push_back(out_.frames[static_cast<std::size_t>(i)].footHeight[side]);
        kept += std::fabs(heights.back()) < kKept;
      }
    }
  if (slides.empty()) return;
  const double frames = static_cast<double>(heights.size());
  out_.slideMean = meanOf(slides);
  out_.slide95 = figure::quantile(slides, 0.95);
  out_.slideMost = *std::max_element(slides.begin(), slides.end());
  out_.slideSpeed = path / (frames * out_.frameTime);
  out_.contactShare = frames / (2 * n);
  out_.contactKept = kept / frames;
  out_.contactHeight = figure::quantile(heights, 0.5);
}

void measureAxes(const Target& target, const figure::Trajectory& t, Measures& m) {
  const figure::FigureModel& model = *target.model;
  const int frames = t.frames();
  std::vector<bool> beyond(static_cast<std::size_t>(frames), false), resting(beyond), fast(beyond), jumped(beyond), spiked(beyond);
  double jerks = 0, count = 0;
  for (const figure::CoordinatePart& part : model.coordinates.parts) {
    const int n = dynamics::jointNv(part.type);
    if (part.joint < 0 || part.q < 0 || dynamics::jointNq(part.type) != n) continue;
    for (int k = 0; k < n; k++) {
      const dynamics::AxisParameters& axis = model.skeleton->joints[static_cast<std::size_t>(part.joint)].axes[static_cast<std::size_t>(k)];
      const bool limited = axis.lower <= axis.upper;
      AxisMeasure a;
      a.name = t.names[static_cast<std::size_t>(part.q + k)];
      if (limited) a.lower = axis.lower, a.upper = axis.upper;
      a.velocity = axis.velocity > 0 ? axis.velocity : kInf;
      const auto q = [&](int i) { return t.frame(i)[part.q + k]; };
      a.lowest = a.highest = q(0);
      for (int i = 0; i < frames; i++) {
        const std::size_t f = static_cast<std::size_t>(i);
        a.lowest = std::min(a.lowest, q(i));
        a.highest = std::max(a.highest, q(i));
        const double over = std::max(a.lower - q(i), q(i) - a.upper);
        a.excess = std::max(a.excess, over);
        a.beyond += over > kLimit;
        a.resting += over > -kLimit;
        if (over > kLimit) beyond[f] = true;
        if (over > -kLimit) resting[f] = true;
        if (i + 1 < frames) {
          const double step = std::fabs(q(i + 1) - q(i)), speed = step / t.frameTime;
          a.jump = std::max(a.jump, step);
          a.speed = std::max(a.speed, speed);
          a.fast += speed > a.velocity;
          if (speed > a.velocity) fast[f] = true;
          if (step > kJump) jumped[f] = true;
        }
        if (i > 0 && i + 1 < frames) {
          const double away = std::fabs(q(i) - 0.5 * (q(i - 1) + q(i + 1)));
          a.spike = std::max(a.spike, away);
          if (away > kSpike) spiked[f] = true;
        }
        if (i > 2) {
          const double third = (q(i) - 3 * q(i - 1) + 3 * q(i - 2) - q(i - 3)) / std::pow(t.frameTime, 3);
          jerks += third * third;
          count++;
        }
      }
      a.beyond /= frames;
      a.resting /= frames;
      a.fast /= std::max(1, frames - 1);
      m.excess = std::max(m.excess, a.excess);
      m.speedRatio = std::max(m.speedRatio, a.speed / a.velocity);
      m.jump = std::max(m.jump, a.jump);
      m.spike = std::max(m.spike, a.spike);
      m.axes.push_back(std::move(a));
    }
  }
  const auto share = [](const std::vector<bool>& on, int of) {
    return of > 0 ? static_cast<double>(std::count(on.begin(), on.end(), true)) / of : 0;
  };
  m.limitFrames = share(beyond, frames);
  m.restingFrames = share(resting, frames);
  m.fastFrames = share(fast, frames - 1);
  m.jumpFrames = share(jumped, frames - 1);
  m.spikeFrames = share(spiked, frames - 2);
  m.jerk = count > 0 ? std::sqrt(jerks / count) : 0;
}

}  // namespace vertebra::retarget
