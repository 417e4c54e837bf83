// One engine on one scene: timing and quality, printed as one line of JSON.
//
// usage: sim_ENGINE SCENE COUNT DT STEPS [key=value ...]; DT may be written 1/240; options are named at the top of each engine's file.
// Options of all engines: seed=N (random start of the chain, another tilt of the ragdoll, other places in the heap), measure=0 (times
// only), positions=1 (of the bodies' centres at the end). The scene is run twice from the same start: first timed, in blocks of steps; then
// with every step measured. Times are microseconds of processor time per step: mean, median and minimum over blocks. Scenes with ground
// have phases: fall (the first 0.4 s; heap: the first second) and rest (ragdoll: the second half; pile: the last second; heap: the last
// two). Energies are relative to the scene's scale (chain: the potential energy between horizontal and hanging; others: weight x 1 m;
// springs excluded). Joint errors: largest distance of the two anchor points [m], and largest relative speed of the two at a joint [m/s],
// over all steps. Momentum in flight (ragdoll, before it lands): largest difference of the centre of mass' velocity from g t [m/s].
// Penetration and limits: over all steps, over all steps at rest, and at the end.
#pragma once
#include <time.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <exception>
#include <functional>
#include <map>
#include <memory>

#include "bench/scene.hpp"

namespace bench {

struct State {  // of the centre of mass, world axes
  Vec position;
  Quat orientation;
  Vec velocity, omega;
};

struct Arguments {
  std::string scene;
  int count = 0;
  double step = 0;
  int steps = 0;
  std::map<std::string, std::string> options;
  bool has(const char* key) const { return options.count(key) != 0; }
  std::string text(const char* key, const char* fallback) const { return has(key) ? options.at(key) : fallback; }
  double number(const char* key, double fallback) const { return has(key) ? std::atof(options.at(key).c_str()) : fallback; }
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string name() = 0;
  virtual void build(const Scene& scene, const Arguments& arguments) = 0;
  virtual void step() = 0;
  virtual void sync() {}  // updates derived quantities before get(); not timed
  virtual State get(int body) = 0;
  virtual bool diverged() { return false; }  // by the engine's own report
  virtual std::string notes() = 0;
};

class Measure {
 public:
  Measure(const Scene& scene, Engine& engine) : scene_(scene), states_(scene.bodies.size()) {
    engine.sync();
    for (std::size_t i = 0; i < states_.size(); i++) states_[i] = engine.get(static_cast<int>(i));
  }

  double energy() const {
    double sum = 0;
    for (std::size_t i = 0; i < states_.size(); i++) {
      const State& s = states_[i];
      const Body& b = scene_.bodies[i];
      const Vec w = rotate(conjugate(s.orientation), s.omega);
      sum += 0.5 * b.mass * dot(s.velocity, s.velocity) + b.mass * kGravity * s.position.z +
             0.5 * (b.inertia.x * w.x * w.x + b.inertia.y * w.y * w.y + b.inertia.z * w.z * w.z);
    }
    return sum;
  }
  double kinetic() const {
    double sum = energy();
    for (std::size_t i = 0; i < states_.size(); i++) sum -= scene_.bodies[i].mass * kGravity * states_[i].position.z;
    return sum;
  }
  Vec centreVelocity() const {
    Vec sum;
    double mass = 0;
    for (std::size_t i = 0; i < states_.size(); i++) {
      sum = sum + scene_.bodies[i].mass * states_[i].velocity;
      mass += scene_.bodies[i].mass;
    }
    return (1 / mass) * sum;
  }
  std::string positions() const {
    std::string list;
    char buffer[100];
    for (const State& s : states_) {
      std::snprintf(buffer, sizeof buffer, "%s%.15g,%.15g,%.15g", list.empty() ? "" : ",", s.position.x, s.position.y, s.position.z);
      list += buffer;
    }
    return "[" + list + "]";
  }
  double jointError() const {
    return largest([&](const Joint& j) { return length(arm(j, j.parent).point - arm(j, j.child).point); });
  }
  double jointVelocityError() const {
    return largest([&](const Joint& j) { return length(arm(j, j.parent).velocity - arm(j, j.child).velocity); });
  }
  // Largest excess over a limit, rad: hinge ranges and cones of balls; and twists of balls, which not every engine can limit.
  double limitExcess() const {
    return largest([&](const Joint& j) {
      if (!j.limited || j.parent < 0) return 0.0;
      const Quat r = turn(j);
      if (j.type == JointType::hinge) return std::max(j.lower - twist(j, r), twist(j, r) - j.upper);
      const Vec axis = unit(j.axis);
      return std::acos(std::clamp(dot(axis, rotate(r, axis)), -1.0, 1.0)) - j.cone;
    });
  }
  double twistExcess() const {
    return largest([&](const Joint& j) { return j.limited && j.type == JointType::ball ? std::fabs(twist(j, turn(j))) - j.twist : 0.0; });
  }
  double penetration() const {
    double most = 0;
    for (std::size_t i = 0; i < states_.size(); i++) {
      most = std::max(most, -lowest(scene_.bodies[i], states_[i].position, states_[i].orientation));
      if (!scene_.bodiesCollide) continue;
      for (std::size_t k = 0; k < i; k++)
        if (scene_.bodies[i].figure < 0 || scene_.bodies[i].figure != scene_.bodies[k].figure) {
          const Vec d = states_[i].position - states_[k].position;
          const double reach = reachOf(scene_.bodies[i]) + reachOf(scene_.bodies[k]);
          if (dot(d, d) < reach * reach) most = std::max(most, overlap(i, k));
        }
    }
    return most;
  }
  double top() const {
    double z = -1e9;
    for (const State& s : states_) z = std::max(z, s.position.z);
    return z;
  }

 private:
  struct Arm {
    Vec point, velocity;
  };
  Arm arm(const Joint& j, int body) const {  // the joint's anchor on a body
    if (body < 0) return {j.anchor, {}};
    const State& s = states_[body];
    const Body& b = scene_.bodies[body];
    const Vec r = rotate(s.orientation, rotate(conjugate(b.orientation), j.anchor - b.position));
    return {s.position + r, s.velocity + cross(s.omega, r)};
  }
  Quat turn(const Joint& j) const {  // of the child relative to the parent since the initial pose
    const auto turned = [&](int i) { return i < 0 ? Quat{} : states_[i].orientation * conjugate(scene_.bodies[i].orientation); };
    return conjugate(turned(j.parent)) * turned(j.child);
  }
  static double twist(const Joint& j, Quat r) { return std::remainder(2 * std::atan2(dot({r.x, r.y, r.z}, unit(j.axis)), r.w), 2 * kPi); }
  template <class Of>
  double largest(Of of) const {
    double most = 0;
    for (const Joint& j : scene_.joints) {
      const double value = of(j);
      if (!(value <= most)) most = value;  // keeps NaN
    }
    return most;
  }
  static double reachOf(const Body& b) { return b.shape == Shape::box ? length(b.size) : b.size.x + b.size.z; }
  double overlap(std::size_t a, std::size_t b) const {
    const Body &at = scene_.bodies[a], &other = scene_.bodies[b];
    if (at.shape == Shape::box && other.shape == Shape::box) return boxOverlap(a, b);
    if (other.shape == Shape::box) return overlap(b, a);
    const auto ends = [&](std::size_t i, Vec* out) {
      const Vec u = rotate(states_[i].orientation, {0, 0, scene_.bodies[i].size.z});
      out[0] = states_[i].position - u;
      out[1] = states_[i].position + u;
    };
    Vec p[2], q[2];
    ends(b, q);
    if (at.shape != Shape::box) {
      ends(a, p);
      return at.size.x + other.size.x - apart(p, q);
    }
    for (Vec& v : q) v = rotate(conjugate(states_[a].orientation), v - states_[a].position);
    const auto distance = [&](double t) {  // to the box, negative inside
      const Vec v = q[0] + t * (q[1] - q[0]), o{std::fabs(v.x) - at.size.x, std::fabs(v.y) - at.size.y, std::fabs(v.z) - at.size.z};
      return length({std::max(o.x, 0.0), std::max(o.y, 0.0), std::max(o.z, 0.0)}) + std::min(std::max({o.x, o.y, o.z}), 0.0);
    };
    double low = 0, high = 1;  // the distance is convex along the segment
    for (int i = 0; i < 40; i++) {
      const double third = (high - low) / 3;
      (distance(low + third) < distance(high - third) ? high : low) += distance(low + third) < distance(high - third) ? -third : third;
    }
    return other.size.x - distance(low);
  }
  static double apart(const Vec* p, const Vec* q) {  // distance of two segments
    const Vec u = p[1] - p[0], v = q[1] - q[0], r = p[0] - q[0];
    const double a = dot(u, u), e = dot(v, v), b = dot(u, v), c = dot(u, r), f = dot(v, r), det = a * e - b * b;
    const auto within = [](double t) { return std::clamp(t, 0.0, 1.0); };
    double s = a > 1e-12 && det > 1e-12 ? within((b * f - c * e) / det) : 0;
    const double t = e > 1e-12 ? within((b * s + f) / e) : 0;
    s = a > 1e-12 ? within((b * t - c) / a) : 0;
    return length(r + s * u - t * v);
  }
  double boxOverlap(std::size_t a, std::size_t b) const {  // by separating axes; <= 0 when apart
    const Vec d = states_[b].position - states_[a].position, e[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const Vec &ha = scene_.bodies[a].size, &hb = scene_.bodies[b].size;
    Vec ax[3], bx[3];
    for (int i = 0; i < 3; i++) {
      ax[i] = rotate(states_[a].orientation, e[i]);
      bx[i] = rotate(states_[b].orientation, e[i]);
    }
    double best = 1e9;
    const auto test = [&](Vec n) {
      if (length(n) < 1e-3) return;
      n = unit(n);
      const auto reach = [&](const Vec& h, const Vec* axes) {
        return h.x * std::fabs(dot(n, axes[0])) + h.y * std::fabs(dot(n, axes[1])) + h.z * std::fabs(dot(n, axes[2]));
      };
      best = std::min(best, reach(ha, ax) + reach(hb, bx) - std::fabs(dot(n, d)));
    };
    for (int i = 0; i < 3; i++) {
      test(ax[i]);
      test(bx[i]);
      for (int k = 0; k < 3; k++) test(cross(ax[i], bx[k]));
    }
    return best;
  }

  const Scene& scene_;
  std::vector<State> states_;
};

// Processor time of this process, all its threads, in microseconds: not affected by other processes.
inline double processorTime() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

// Mean, median and minimum over blocks of equal length.
struct Times {
  std::vector<double> blocks;
  double mean() const {
    double sum = 0;
    for (const double t : blocks) sum += t;
    return blocks.empty() ? NAN : sum / static_cast<double>(blocks.size());
  }
  double median() const {
    std::vector<double> sorted = blocks;
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() ? NAN : sorted[sorted.size() / 2];
  }
  double minimum() const { return blocks.empty() ? NAN : *std::min_element(blocks.begin(), blocks.end()); }
};

// The line of JSON; values that are not finite are null.
class Line {
 public:
  void text(const char* key, const std::string& value) { raw(key, "\"" + value + "\""); }
  void number(const char* key, double value, int digits = 4) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
    raw(key, std::isfinite(value) ? buffer : "null");
  }
  void truth(const char* key, bool value) { raw(key, value ? "true" : "false"); }
  void list(const char* key, const std::string& value) { raw(key, value); }
  void times(const char* prefix, const Times& t) {
    number((std::string(prefix) + "_mean").c_str(), t.mean());
    number((std::string(prefix) + "_median").c_str(), t.median());
    number((std::string(prefix) + "_min").c_str(), t.minimum());
  }
  void print() const {
    std::printf("{%s}\n", line_.c_str());
    std::fflush(stdout);
  }

 private:
  void raw(const char* key, const std::string& value) { line_ += (line_.empty() ? "\"" : ",\"") + std::string(key) + "\":" + value; }
  std::string line_;
};

// An engine's own assertion or exception may stop the process (it met a NaN): the line is printed nevertheless.
struct Crash {
  std::string engine;
  const Arguments* arguments = nullptr;
  const Times* times = nullptr;
  int done = 0;
};
inline Crash& crash() {
  static Crash state;
  return state;
}
inline void printCrash(const char* why) {
  const Crash& c = crash();
  Line line;
  line.text("engine", c.engine);
  line.text("scene", c.arguments->scene);
  line.number("N", c.arguments->count);
  line.number("dt", c.arguments->step, 6);
  line.number("steps", c.done);
  line.times("us_per_step", *c.times);
  line.truth("diverged", true);
  line.text("notes", std::string("stopped by ") + why + " inside the engine after this many steps");
  line.print();
  _exit(3);
}
inline void onSignal(int signal) { printCrash(signal == SIGABRT ? "an assertion" : "a crash"); }

inline Arguments parse(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: %s SCENE COUNT DT STEPS [key=value ...]\n", argv[0]);
    std::exit(2);
  }
  Arguments a;
  a.scene = argv[1];
  a.count = std::atoi(argv[2]);
  const char* slash = std::strchr(argv[3], '/');
  a.step = std::atof(argv[3]) / (slash ? std::atof(slash + 1) : 1);
  a.steps = std::atoi(argv[4]);
  for (int i = 5; i < argc; i++) {
    const std::string word = argv[i];
    const std::size_t equals = word.find('=');
    a.options[word.substr(0, equals)] = equals == std::string::npos ? "1" : word.substr(equals + 1);
  }
  return a;
}

inline void stepOrStop(Engine& engine) {
  try {
    engine.step();
  } catch (const std::exception&) {
    printCrash("an exception");
  }
}

// The second run; false where it diverged.
inline bool measureEveryStep(const Scene& scene, Engine& engine, const Arguments& a, int fallEnd, int restBegin, Line& line) {
  const double startEnergy = Measure(scene, engine).energy();
  double jointError = 0, velocityError = 0, limitExcess = 0, twistExcess = 0, energyMost = 0, energyEnd = 0, penetration = 0, atRest = 0,
         flight = 0;
  const auto keep = [](double& most, double value) {
    if (!(value <= most)) most = value;
  };
  for (int i = 0; i < a.steps; i++) {
    crash().done = i;
    stepOrStop(engine);
    const Measure now(scene, engine);
    keep(jointError, now.jointError());
    keep(velocityError, now.jointVelocityError());
    keep(limitExcess, now.limitExcess());
    keep(twistExcess, now.twistExcess());
    energyEnd = now.energy() - startEnergy;
    keep(energyMost, std::fabs(energyEnd));
    if (!scene.ground) continue;
    const double depth = now.penetration();
    keep(penetration, depth);
    if (i >= restBegin) keep(atRest, depth);
    if (i < fallEnd) keep(flight, length(now.centreVelocity() + Vec{0, 0, kGravity * (i + 1) * a.step}));
  }
  const Measure end(scene, engine);
  line.number("max_joint_error_m", jointError);
  line.number("max_joint_velocity_error", velocityError);
  line.number("energy_drift_rel", energyEnd / scene.energyScale);
  line.number("energy_drift_max_rel", energyMost / scene.energyScale);
  if (scene.ground) {
    line.number("max_penetration_m", penetration);
    line.number("rest_penetration_m", atRest);
    line.number("end_penetration_m", end.penetration());
    line.number("top_z", end.top());
    line.number("max_limit_excess_rad", limitExcess);
    line.number("end_limit_excess_rad", end.limitExcess());
    line.number("max_twist_excess_rad", twistExcess);
    line.number("end_twist_excess_rad", end.twistExcess());
    line.number("end_kinetic_J_per_kg", end.kinetic() * kGravity / weight(scene));
    if (a.scene == "ragdoll") line.number("flight_momentum_error", flight);
  }
  return !engine.diverged() && std::isfinite(energyEnd) && jointError < 1;
}

template <class Made>
int run(int argc, char** argv) {
  Arguments a = parse(argc, argv);
  const Scene scene = makeScene(a.scene, a.count, static_cast<std::uint32_t>(a.number("seed", 0)));
  a.count = static_cast<int>(scene.bodies.size());

  Times all, fall, rest;
  int block = std::min(a.steps, scene.ground ? 20 : 100);
  while (a.steps % block != 0) block--;
  const int fallEnd = static_cast<int>(scene.fallSeconds / a.step);
  const int restBegin = a.scene == "ragdoll" ? a.steps / 2 : a.steps - static_cast<int>(std::lround(scene.restSeconds / a.step));
  int done = 0;
  auto timed = std::make_unique<Made>();
  timed->build(scene, a);
  timed->sync();
  crash() = {timed->name(), &a, &all, 0};
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE}) std::signal(signal, onSignal);
  for (; done < a.steps; done += block) {
    crash().done = done;
    const double begin = processorTime();
    for (int k = 0; k < block; k++) stepOrStop(*timed);
    const double us = (processorTime() - begin) / block;
    all.blocks.push_back(us);
    if (done + block <= fallEnd) fall.blocks.push_back(us);
    if (done >= restBegin) rest.blocks.push_back(us);
  }

  Line line;
  line.text("engine", timed->name());
  line.text("scene", a.scene);
  line.number("N", a.count);
  line.number("dt", a.step, 6);
  line.number("steps", done, 9);
  line.times("us_per_step", all);
  if (scene.ground) {
    line.times("us_fall", fall);
    line.times("us_rest", rest);
  }
  if (a.text("positions", "0") == "1") {
    const Measure end(scene, *timed);
    line.list("positions", std::isfinite(end.energy()) ? end.positions() : "[]");
  }
  bool diverged = timed->diverged();
  if (a.text("measure", "1") == "1") {
    auto measured = std::make_unique<Made>();
    measured->build(scene, a);
    diverged |= !measureEveryStep(scene, *measured, a, fallEnd, restBegin, line);
  }
  line.truth("diverged", diverged);
  line.text("notes", timed->notes());
  line.print();
  return 0;
}

}  // namespace bench
