// Scenes of the benchmark, the same numbers for every engine. SI units, Z up, gravity (0, 0, -9.81).
// Body frame: centre of mass, principal axes. Anchors and joint axes are given in the world at the initial pose.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace bench {

constexpr double kPi = 3.14159265358979323846;
constexpr double kGravity = 9.81;

struct Vec {
  double x = 0, y = 0, z = 0;
};
inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec operator*(double s, Vec a) { return {s * a.x, s * a.y, s * a.z}; }
inline double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec cross(Vec a, Vec b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double length(Vec a) { return std::sqrt(dot(a, a)); }
inline Vec unit(Vec a) { return (1 / length(a)) * a; }
inline Vec perpendicular(Vec a) { return unit(cross(a, std::fabs(a.x) < 0.7 ? Vec{1, 0, 0} : Vec{0, 1, 0})); }

struct Quat {
  double w = 1, x = 0, y = 0, z = 0;
};
inline Quat operator*(Quat a, Quat b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
inline Quat conjugate(Quat q) { return {q.w, -q.x, -q.y, -q.z}; }
inline Vec rotate(Quat q, Vec v) {
  const Vec u{q.x, q.y, q.z}, t = 2.0 * cross(u, v);
  return v + q.w * t + cross(u, t);
}
inline Quat axisAngle(Vec axis, double angle) {
  const Vec u = std::sin(angle / 2) * unit(axis);
  return {std::cos(angle / 2), u.x, u.y, u.z};
}
// The rotation vector of q, angle in [-pi, pi].
inline Vec rotationVector(Quat q) {
  if (q.w < 0) q = {-q.w, -q.x, -q.y, -q.z};
  const Vec u{q.x, q.y, q.z};
  const double s = length(u);
  return s < 1e-12 ? 2.0 * u : (2 * std::atan2(s, q.w) / s) * u;
}

enum class Shape { capsule, box, sphere };
struct Body {
  std::string name;
  Shape shape;
  Vec size;  // capsule: x = radius, z = half length of the cylinder, along local z; box: half extents; sphere: x = radius
  double mass;
  Vec inertia;  // principal, about the centre of mass
  Vec position;
  Quat orientation;
  int figure = -1;  // bodies of one figure do not collide with each other
};

enum class JointType { hinge, ball, fixed };
struct Joint {
  JointType type;
  int parent, child;  // bodies; -1 = the world
  Vec anchor, axis;   // hinge axis, or twist axis of a ball
  bool limited = false;
  double lower = 0, upper = 0;        // of a hinge
  double cone = 0, twist = 0;         // of a ball
  double stiffness = 0, damping = 0;  // towards the initial pose
};

struct Scene {
  std::string name;
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  bool ground = false, bodiesCollide = false;
  double friction = 0;
  double energyScale = 1;
  double fallSeconds = 0.4, restSeconds = 1;  // of the phases: from the start, before the end
};

inline Body capsule(std::string name, double mass, double radius, double half, Vec position, Quat orientation = {}) {
  const double l = 2 * half, cylinder = kPi * radius * radius * l, caps = 4.0 / 3 * kPi * radius * radius * radius;
  const double mc = mass * cylinder / (cylinder + caps), ms = mass - mc;
  const double axial = mc * radius * radius / 2 + ms * 2 * radius * radius / 5;
  const double across = mc * (l * l / 12 + radius * radius / 4) + ms * (2 * radius * radius / 5 + l * l / 4 + 3 * l * radius / 8);
  return {std::move(name), Shape::capsule, {radius, 0, half}, mass, {across, across, axial}, position, orientation};
}
inline Body box(std::string name, double mass, Vec half, Vec position) {
  const double xx = half.x * half.x, yy = half.y * half.y, zz = half.z * half.z;
  return {std::move(name), Shape::box, half, mass, {mass / 3 * (yy + zz), mass / 3 * (xx + zz), mass / 3 * (xx + yy)}, position, {}};
}
inline Body sphere(std::string name, double mass, double radius, Vec position) {
  const double i = 0.4 * mass * radius * radius;
  return {std::move(name), Shape::sphere, {radius, 0, 0}, mass, {i, i, i}, position, {}};
}

// Height of the lowest point of a body in a pose.
inline double lowest(const Body& b, Vec position, Quat orientation) {
  const auto rise = [&](Vec v) { return std::fabs(rotate(orientation, v).z); };
  if (b.shape == Shape::sphere) return position.z - b.size.x;
  if (b.shape == Shape::capsule) return position.z - b.size.x - rise({0, 0, b.size.z});
  return position.z - rise({b.size.x, 0, 0}) - rise({0, b.size.y, 0}) - rise({0, 0, b.size.z});
}

inline double weight(const Scene& scene) {
  double mass = 0;
  for (const Body& b : scene.bodies) mass += b.mass;
  return mass * kGravity;
}

// A. Capsules 0.2 m long (0.14 + two caps of 0.03) of 1 kg between hinges, along world x, local z along the chain. Hinge axes alternate
// between local x and y; the chain is rotated by 45 degrees about its own axis, so that gravity acts on both families. A seed other than 0
// rotates every hinge by up to 0.2 rad from there.
inline Scene chain(int count, std::uint32_t seed) {
  Scene scene;
  scene.name = "chain";
  const Quat q = axisAngle({0, 1, 0}, kPi / 2) * axisAngle({0, 0, 1}, kPi / 4);
  for (int i = 0; i < count; i++) {
    scene.bodies.push_back(capsule("l" + std::to_string(i), 1, 0.03, 0.07, {0.2 * i + 0.1, 0, 0}, q));
    Joint joint{JointType::hinge, i - 1, i, {0.2 * i, 0, 0}, rotate(q, i % 2 ? Vec{0, 1, 0} : Vec{1, 0, 0})};
    scene.joints.push_back(joint);
  }
  scene.energyScale = count * kGravity * 0.1 * count;  // potential energy between horizontal and hanging
  std::uint32_t random = seed * 7919u + 1;
  for (int i = 0; seed != 0 && i < count; i++) {
    random = random * 1664525u + 1013904223u;
    const Vec about = scene.joints[i].anchor;
    const Quat turn = axisAngle(scene.joints[i].axis, 0.2 * ((random >> 8) / 8388608.0 - 1));
    for (int k = i; k < count; k++) {
      scene.bodies[k].position = about + rotate(turn, scene.bodies[k].position - about);
      scene.bodies[k].orientation = turn * scene.bodies[k].orientation;
      scene.joints[k].anchor = about + rotate(turn, scene.joints[k].anchor - about);
      scene.joints[k].axis = rotate(turn, scene.joints[k].axis);
    }
  }
  return scene;
}

// The same chain with a ball of ten times a link's mass as its last body.
inline Scene loadedChain(int count) {
  Scene scene = chain(count, 0);
  scene.name = "loaded";
  scene.bodies.back() = sphere("load", 10, 0.1, scene.bodies.back().position);
  scene.energyScale += 10 * kGravity * 0.2 * count;
  return scene;
}

// B. Binary tree of 7 levels, 127 capsules; level d: length 0.3 x 0.8^d (over the caps), radius 0.25 x length, mass 2 x 0.5^d; root welded
// to the world; ball joints with spring 400 x 0.25^d N m/rad and damper 0.5 x 0.32^d N m s/rad towards the initial pose.
inline Scene tree127() {
  Scene scene;
  scene.name = "tree127";
  std::vector<Vec> ends;
  for (int i = 0; i < 127; i++) {
    const int level = static_cast<int>(std::floor(std::log2(i + 1.0) + 1e-9)), parent = (i - 1) / 2;
    const double l = 0.3 * std::pow(0.8, level), radius = 0.25 * l, mass = 2 * std::pow(0.5, level);
    Vec start;
    Quat q = axisAngle({0, 1, 0}, 0.3);
    if (i > 0) {
      start = ends[parent];
      q = scene.bodies[parent].orientation * axisAngle(level % 2 ? Vec{1, 0, 0} : Vec{0, 1, 0}, i % 2 ? 0.55 : -0.55);
    }
    const Vec direction = rotate(q, {0, 0, 1});
    scene.bodies.push_back(capsule("s" + std::to_string(i), mass, radius, l / 2 - radius, start + (l / 2) * direction, q));
    ends.push_back(start + l * direction);
    Joint joint{i ? JointType::ball : JointType::fixed, i ? parent : -1, i, start, direction};
    if (i > 0) {
      joint.stiffness = 400 * std::pow(0.25, level);
      joint.damping = 0.5 * std::pow(0.32, level);
    }
    scene.joints.push_back(joint);
  }
  scene.energyScale = weight(scene);
  return scene;
}

// C. A figure of 17 bodies that falls over; bodies collide with the ground only, not with each other. A seed other than 0 tilts it more.
inline Scene ragdoll(std::uint32_t seed = 0) {
  Scene scene;
  scene.name = "ragdoll";
  scene.ground = true;
  scene.friction = 0.8;
  const auto add = [&](Body body) {
    scene.bodies.push_back(std::move(body));
    return static_cast<int>(scene.bodies.size()) - 1;
  };
  const auto ball = [&](Body body, int parent, Vec anchor, double cone, double twist) {
    const int id = add(std::move(body));
    Joint joint{JointType::ball, parent, id, anchor, {0, 0, 1}, true};
    joint.cone = cone;
    joint.twist = twist;
    scene.joints.push_back(joint);
    return id;
  };
  const auto hinge = [&](Body body, int parent, Vec anchor, Vec axis, double lower, double upper) {
    const int id = add(std::move(body));
    scene.joints.push_back({JointType::hinge, parent, id, anchor, axis, true, lower, upper});
    return id;
  };
  const int pelvis = add(box("pelvis", 10, {0.09, 0.14, 0.08}, {0, 0, 1.0}));
  const int spine1 = ball(box("spine1", 8, {0.085, 0.12, 0.09}, {0, 0, 1.18}), pelvis, {0, 0, 1.09}, 0.5, 0.4);
  const int spine2 = ball(box("spine2", 14, {0.09, 0.15, 0.12}, {0, 0, 1.40}), spine1, {0, 0, 1.28}, 0.5, 0.4);
  const int neck = ball(capsule("neck", 1.5, 0.05, 0.03, {0, 0, 1.58}), spine2, {0, 0, 1.52}, 0.5, 0.6);
  ball(sphere("head", 4.5, 0.11, {0, 0, 1.74}), neck, {0, 0, 1.64}, 0.5, 0.6);
  for (int k = 0; k < 2; k++) {
    const double side = k ? -1 : 1, arm = side * 0.21, leg = side * 0.09;
    const std::string n = k ? "R" : "L";
    const int upperArm = ball(capsule("uarm" + n, 2.2, 0.045, 0.10, {0, arm, 1.36}), spine2, {0, arm, 1.49}, 1.5, 0.8);
    const int foreArm = hinge(capsule("farm" + n, 1.4, 0.04, 0.09, {0, arm, 1.09}), upperArm, {0, arm, 1.22}, {0, -1, 0}, 0, 2.4);
    hinge(box("hand" + n, 0.5, {0.02, 0.04, 0.08}, {0, arm, 0.88}), foreArm, {0, arm, 0.96}, {1, 0, 0}, -0.8, 0.8);
    const int thigh = ball(capsule("thigh" + n, 8, 0.07, 0.14, {0, leg, 0.75}), pelvis, {0, leg, 0.95}, 1.2, 0.6);
    const int shin = hinge(capsule("shin" + n, 3.8, 0.055, 0.15, {0, leg, 0.31}), thigh, {0, leg, 0.52}, {0, 1, 0}, 0, 2.4);
    hinge(box("foot" + n, 1.1, {0.12, 0.045, 0.035}, {0.05, leg, 0.045}), shin, {0, leg, 0.09}, {0, 1, 0}, -0.7, 0.7);
  }
  // Tilted, and raised until its lowest point is 1 m above the ground.
  const Quat tilt = axisAngle({1, 0, 0}, 0.17 + 0.01 * seed) * axisAngle({0, 1, 0}, 0.35);
  double low = 1e9;
  for (Body& b : scene.bodies) {
    b.position = rotate(tilt, b.position);
    b.orientation = tilt * b.orientation;
    low = std::min(low, lowest(b, b.position, b.orientation));
  }
  const Vec up{0, 0, 1 - low};
  for (Body& b : scene.bodies) b.position = b.position + up;
  for (Joint& j : scene.joints) {
    j.anchor = rotate(tilt, j.anchor) + up;
    j.axis = rotate(tilt, j.axis);
  }
  scene.energyScale = weight(scene);
  return scene;
}

// D. Boxes of 0.2 m and 1 kg, in towers 0.21 m apart, five in a row, layers 0.25 m apart, with tiny offsets.
inline Scene pile(int count, int towers = 25) {
  Scene scene;
  scene.name = "pile";
  scene.ground = scene.bodiesCollide = true;
  scene.friction = 0.6;
  for (int i = 0; i < count; i++) {
    const int layer = i / towers, column = i % towers;
    const double dx = 0.004 * std::sin(12.9898 * i), dy = 0.004 * std::sin(78.233 * i + 1);
    const Vec position{(column % 5 - 2) * 0.21 + dx, (column / 5 - 2) * 0.21 + dy, 0.15 + 0.25 * layer};
    scene.bodies.push_back(box("b" + std::to_string(i), 1, {0.1, 0.1, 0.1}, position));
  }
  scene.energyScale = weight(scene);
  return scene;
}

// E. Ragdolls that lie in the air above each other, each turned by the golden angle, and fall on each other.
inline Scene heap(int count, std::uint32_t seed = 0) {
  Scene scene;
  scene.name = "heap";
  scene.ground = scene.bodiesCollide = true;
  scene.friction = 0.8;
  scene.fallSeconds = 1;
  scene.restSeconds = 2;
  const Scene one = ragdoll();
  const Quat tilt = axisAngle({1, 0, 0}, 0.17) * axisAngle({0, 1, 0}, 0.35);
  const Vec centre = one.bodies[2].position;
  for (int k = 0; k < count; k++) {
    const Quat turn =
        axisAngle({0, 0, 1}, 2.399963 * k + 0.7 * seed) * axisAngle({0, 1, 0}, kPi / 2 + 0.1 * std::sin(3.0 * k)) * conjugate(tilt);
    const Vec to{0.15 * std::sin(5.1 * k + seed), 0.15 * std::cos(3.7 * k + 2.0 * seed), 0.6 + 0.45 * k};
    const int base = static_cast<int>(scene.bodies.size());
    for (Body b : one.bodies) {
      b.name += "_" + std::to_string(k);
      b.position = to + rotate(turn, b.position - centre);
      b.orientation = turn * b.orientation;
      b.figure = k;
      scene.bodies.push_back(std::move(b));
    }
    for (Joint j : one.joints) {
      j.parent += base;
      j.child += base;
      j.anchor = to + rotate(turn, j.anchor - centre);
      j.axis = rotate(turn, j.axis);
      scene.joints.push_back(j);
    }
  }
  scene.energyScale = weight(scene);
  return scene;
}

// F. Rope bridge: boards on an arc between two fixed ends 2 % closer than taut, tied by `perGap` ball joints on a line across each gap;
// ten boxes of twenty boards' mass fall on it from a metre up. Joints form cycles: for vertebra, Bullet's rigid bodies and ODE.
inline Scene bridge(int perGap, int boards) {
  Scene scene;
  scene.name = "bridge" + std::to_string(perGap);
  scene.ground = scene.bodiesCollide = true;
  scene.friction = 0.6;
  scene.fallSeconds = 1;
  scene.restSeconds = 2;
  const double span = 0.5, halfWidth = 0.6, mass = 5, opening = 0.345;  // opening: half the arc's angle
  const double radius = span / (2 * std::sin(opening / boards));
  const auto onArc = [&](double angle) { return Vec{radius * std::sin(angle), 0, 8 - radius * (std::cos(angle) - std::cos(opening))}; };
  const auto gap = [&](int k) { return onArc(opening * (2.0 * k / boards - 1)); };
  for (int k = 0; k < boards; k++) {
    const Vec from = gap(k), to = gap(k + 1);
    Body board = box("board" + std::to_string(k), mass, {span / 2 - 0.02, halfWidth, 0.025}, 0.5 * (from + to));
    board.orientation = axisAngle({0, 1, 0}, -std::atan2(to.z - from.z, to.x - from.x));
    board.figure = 1;  // any but 0, whose group is that of the boxes
    scene.bodies.push_back(std::move(board));
  }
  for (int k = 0; k <= boards; k++)
    for (int i = 0; i < perGap; i++) {
      const Vec anchor = gap(k) + Vec{0, halfWidth * (2.0 * i / (perGap - 1) - 1), 0};
      scene.joints.push_back({JointType::ball, k < boards ? k - 1 : -1, std::min(k, boards - 1), anchor, {1, 0, 0}});
    }
  for (int k = 0; k < 10; k++) {
    const double x = k - 4.5;
    Body load =
        box("box" + std::to_string(k), 20 * mass, {0.2, 0.2, 0.2}, onArc(std::asin(x / radius)) + Vec{0, 0.2 * std::sin(2.0 * k), 1});
    load.orientation = axisAngle({0, 0, 1}, 0.3 * k);
    scene.bodies.push_back(std::move(load));
  }
  scene.energyScale = weight(scene);
  return scene;
}

// The groups of a body and of the ground, for engines that filter pairs by masks: figures 30 apart share a group.
struct Filter {
  std::uint32_t group, mask;
};
inline Filter filterOf(const Scene& scene, const Body& b) {
  if (b.figure < 0) return {2, scene.bodiesCollide ? ~0u : 1u};
  const std::uint32_t own = 2u << (b.figure % 30);
  return {own, 0x7fffffffu & ~own};
}

inline Scene makeScene(const std::string& name, int count, std::uint32_t seed) {
  if (name == "chain") return chain(count, seed);
  if (name == "loaded") return loadedChain(count);
  if (name == "tree127") return tree127();
  if (name == "ragdoll") return ragdoll(seed);
  if (name == "pile") return pile(count);
  if (name == "heap") return heap(count, seed);
  if (name == "bridge2") return bridge(2, count);
  if (name == "bridge4") return bridge(4, count);
  std::fprintf(stderr, "unknown scene %s; known are chain, loaded, tree127, ragdoll, pile, heap, bridge2, bridge4\n", name.c_str());
  std::exit(2);
}

}  // namespace bench
