// Families of torture worlds, first part: what falls. Figures, heaps, stacks; and what all families draw alike.
// Units: SI. Frames: world, Z up; a body's frame is in its centre.
#include "tests/torture/torture.hpp"

namespace torture {

int add(Recipe& recipe, const BodyPart& body) {
  recipe.bodies.push_back(body);
  return static_cast<int>(recipe.bodies.size()) - 1;
}

void join(Recipe& recipe, int a, int b, vtb_joint_type type, const Vec& point, const Vec& axis) {
  JointPart joint;
  joint.a = a, joint.b = b, joint.type = type, joint.point = point, joint.axis = axis;
  recipe.joints.push_back(joint);
}

BodyPart box(const Vec& place, const Vec& halfExtents, double mass) {
  BodyPart body;
  body.place = place, body.size = halfExtents, body.mass = mass;
  return body;
}

BodyPart ball(const Vec& place, double radius, double mass) {
  BodyPart body;
  body.shape = VTB_SHAPE_TYPE_SPHERE;
  body.place = place, body.size = {radius, 0, 0}, body.mass = mass;
  return body;
}

void addGround(Recipe& recipe) {
  BodyPart plane;
  plane.kind = VTB_BODY_KIND_STATIC, plane.shape = VTB_SHAPE_TYPE_PLANE;
  add(recipe, plane);
  recipe.ground = true;
}

namespace {

// Hills of at most 0.3 m over 12 m x 12 m about the origin.
void addTerrain(Recipe& recipe, Random& random) {
  constexpr int kSamples = 25;
  BodyPart terrain;
  terrain.kind = VTB_BODY_KIND_STATIC, terrain.shape = VTB_SHAPE_TYPE_HEIGHTFIELD;
  terrain.size = {0.5, 0.5, 1}, terrain.place = {-6, -6, 0};
  const double rough = random.in(0, 0.1), wave = random.in(0.3, 1.2);
  for (int row = 0; row < kSamples; row++)
    for (int column = 0; column < kSamples; column++)
      terrain.heights.push_back(0.1 + 0.1 * std::sin(wave * row) * std::cos(wave * column) + rough * random.unit());
  add(recipe, terrain);
}

BodyPart anyShape(Random& random, const Vec& place, double scale) {
  BodyPart body = box(place, {scale * random.in(0.3, 1), scale * random.in(0.3, 1), scale * random.in(0.3, 1)}, 1);
  const vtb_shape_type shapes[] = {VTB_SHAPE_TYPE_BOX, VTB_SHAPE_TYPE_BOX, VTB_SHAPE_TYPE_SPHERE, VTB_SHAPE_TYPE_CAPSULE,
                                   VTB_SHAPE_TYPE_CYLINDER};
  body.shape = shapes[random.below(5)];
  if (body.shape == VTB_SHAPE_TYPE_CAPSULE) body.size[0] *= 0.5, body.size[2] *= 0.5;  // no longer than the box
  body.turn = random.turn();
  return body;
}

// A trunk with a head and four limbs of two parts: balls with limits at hips and shoulders, hinges with limits at knees and elbows.
void addRagdoll(Recipe& recipe, Random& random, const Vec& place, std::uint32_t category) {
  const double size = random.in(0.5, 1), mass = random.byFactor(2, 80);
  const auto part = [&](const Vec& centre, double radius, double half, double share) {
    BodyPart body;
    body.shape = VTB_SHAPE_TYPE_CAPSULE;
    body.place = place + size * centre, body.size = {size * radius, 0, size * half}, body.mass = share * mass;
    body.category = category, body.mask = ~category;
    return add(recipe, body);
  };
  const auto ballJoint = [&](int a, int b, const Vec& point, double swing) {
    join(recipe, a, b, VTB_JOINT_TYPE_SPHERICAL, place + size * point);
    recipe.joints.back().swing = swing, recipe.joints.back().lower = -0.8, recipe.joints.back().upper = 0.8;
    recipe.joints.back().axis = {0, 0, 1};
  };
  const int trunk = part({0, 0, 0}, 0.12, 0.18, 0.5);
  ballJoint(trunk, part({0, 0, 0.42}, 0.09, 0.02, 0.08), {0, 0, 0.31}, 0.7);
  for (const int side : {-1, 1})
    for (const int leg : {0, 1}) {
      const double x = side * (leg ? 0.09 : 0.2), top = leg ? -0.25 : 0.2, half = leg ? 0.15 : 0.1;
      const int upper = part({x, 0, top - half - 0.05}, 0.05, half, leg ? 0.08 : 0.03);
      const int lower = part({x, 0, top - 3 * half - 0.15}, 0.04, half, leg ? 0.07 : 0.03);
      ballJoint(trunk, upper, {x, 0, top}, 1.2);
      join(recipe, upper, lower, VTB_JOINT_TYPE_REVOLUTE, place + size * Vec{x, 0, top - 2 * half - 0.1}, {1, 0, 0});
      recipe.joints.back().lower = leg ? -2.2 : 0, recipe.joints.back().upper = leg ? 0 : 2.2;
      recipe.joints.back().damping = random.chance(0.5) ? 0.01 * mass : 0;
    }
}

}  // namespace

// A tree of capsules: each link goes on from the end of one before it, in a random direction, by a hinge, ball or universal joint.
void addTree(Recipe& recipe, Random& random, const Vec& place, int links, double massRatio, std::uint32_t category) {
  const int first = static_cast<int>(recipe.bodies.size());
  const double rootMass = random.byFactor(0.1, 30);
  for (int i = 0; i < links; i++) {
    BodyPart link;
    link.shape = VTB_SHAPE_TYPE_CAPSULE;
    const double half = random.in(0.05, 0.2);
    link.size = {random.in(0.02, 0.05), 0, half};
    link.mass = rootMass * random.byFactor(1 / std::sqrt(massRatio), std::sqrt(massRatio));
    link.category = category, link.mask = ~category;
    const Vec along = random.direction();
    link.turn = between({0, 0, 1}, along);
    link.place = place;
    const int parent = i == 0 ? -1 : first + (random.chance(0.7) ? i - 1 : random.below(i));
    Vec point = place;
    if (parent >= 0) {
      const BodyPart& from = recipe.bodies[static_cast<std::size_t>(parent)];
      point = from.place + (from.size[2] + from.size[0]) * rotate(from.turn, {0, 0, 1});
      link.place = point + half * along;
    }
    const int child = add(recipe, link);
    if (parent < 0) continue;
    const int kind = random.below(5);
    const Vec axis = kind == 4 ? unit(cross(along, random.direction())) : random.direction();
    join(recipe, parent, child,
         kind < 2   ? VTB_JOINT_TYPE_REVOLUTE
         : kind < 4 ? VTB_JOINT_TYPE_SPHERICAL
                    : VTB_JOINT_TYPE_UNIVERSAL,
         point, axis);
    JointPart& joint = recipe.joints.back();
    joint.axis2 = unit(cross(axis, std::fabs(axis[2]) < 0.9 ? Vec{0, 0, 1} : Vec{1, 0, 0}));
    if (random.chance(0.6)) joint.lower = -random.in(0.1, 1.5), joint.upper = random.in(0.1, 1.5), joint.swing = random.in(0.2, 1.5);
    if (random.chance(0.3)) joint.damping = random.byFactor(1e-4, 1e-2) * link.mass;
    if (random.chance(0.2)) joint.friction = random.byFactor(1e-3, 0.1) * link.mass;
  }
}

void drawFigures(Recipe& recipe, Random& random) {
  recipe.family = "figures";
  const bool terrain = random.chance(0.3);
  if (terrain)
    addTerrain(recipe, random);
  else
    addGround(recipe);
  for (int i = terrain ? 0 : random.below(4); i > 0; i--) {
    BodyPart block = box({random.in(-1, 1), random.in(-1, 1), 0}, {random.in(0.1, 0.5), random.in(0.1, 0.5), random.in(0.05, 0.3)}, 1);
    block.place[2] = block.size[2], block.kind = VTB_BODY_KIND_STATIC;
    add(recipe, block);
  }
  const char* models[] = {"humanoid.urdf", "quadruped.urdf", "car.urdf", "arm7.urdf"};
  const int figures = 1 + random.below(4);
  for (int i = 0; i < figures; i++) {
    const Vec place{random.in(-0.5, 0.5), random.in(-0.5, 0.5), 1.4 + 1.6 * i + random.in(0, 0.3)};
    if (!random.chance(0.25)) {
      addTree(recipe, random, place, 2 + random.below(12), random.byFactor(1, 1000), 2u << i);
      continue;
    }
    BodyPart model;
    model.model = models[random.below(4)], model.place = place;
    model.turn = between({0, 0, 1}, unit(Vec{random.in(-0.5, 0.5), random.in(-0.5, 0.5), 1}));
    add(recipe, model);
  }
}

void drawHeap(Recipe& recipe, Random& random) {
  recipe.family = "heap";
  if (random.chance(0.2))
    addTerrain(recipe, random);
  else
    addGround(recipe);
  const double scale = random.byFactor(0.05, 0.4), ratio = random.byFactor(1, 300);
  const int count = 3 + random.below(random.chance(0.3) ? 22 : 10);
  const bool dolls = random.chance(0.4);
  const double pitch = (dolls ? 1.1 : 2.4 * scale);
  for (int i = 0; i < count; i++) {
    const int layer = i / 4;
    const Vec place{pitch * (0.6 * (i % 2) + 0.05 * random.unit()), pitch * (0.6 * (i / 2 % 2) + 0.05 * random.unit()),
                    (dolls ? 1.1 : 1.5 * scale + 0.3) + pitch * (dolls ? 1.3 : 1.0) * layer};
    if (dolls && i < 6 && random.chance(0.6)) {
      addRagdoll(recipe, random, place, 2u << i);
      continue;
    }
    BodyPart body = anyShape(random, place, scale);
    body.mass = random.byFactor(1 / ratio, 1) * 1000 * scale * scale * scale;
    add(recipe, body);
  }
}

void drawStack(Recipe& recipe, Random& random) {
  recipe.family = "stack";
  addGround(recipe);
  const double scale = random.byFactor(0.05, 0.5), ratio = random.byFactor(1, 100);
  const bool heavyTop = random.chance(0.3);
  const int count = 2 + random.below(9);
  double top = 0;
  for (int i = 0; i < count; i++) {
    BodyPart body = box({}, {scale * random.in(0.7, 1), scale * random.in(0.7, 1), scale * random.in(0.3, 1)}, 1);
    if (random.chance(0.15)) body.shape = VTB_SHAPE_TYPE_CYLINDER, body.size[0] = scale;
    const double share = heavyTop ? static_cast<double>(i + 1) / count : random.unit();
    body.mass = 1000 * scale * scale * scale * std::pow(ratio, share - 1);
    body.place = {0.2 * scale * random.in(-1, 1), 0.2 * scale * random.in(-1, 1), top + body.size[2]};
    top += 2 * body.size[2];
    add(recipe, body);
  }
  if (random.chance(0.5)) add(recipe, ball({0.1 * scale, 0, top + scale + random.in(0, 1)}, 0.6 * scale, 1000 * scale * scale * scale));
}

Recipe draw(std::uint64_t seed) {
  Recipe recipe;
  recipe.seed = seed;
  Random random(seed);
  using Family = void (*)(Recipe&, Random&);
  const Family families[] = {drawFigures, drawHeap, drawBridge, drawStack, drawGripper, drawWheels, drawChain, drawDrives};
  families[random.below(8)](recipe, random);
  const double restitution = random.chance(0.5) ? 0 : random.chance(0.2) ? 1 : random.unit();
  const double friction = random.chance(0.1) ? 0 : random.in(0, 1.4);
  const bool machine = recipe.family == "gripper" || recipe.family == "wheels";  // needs friction to work at all
  for (BodyPart& body : recipe.bodies) body.friction = machine ? 0.5 + friction : friction, body.restitution = restitution;
  recipe.substeps = random.chance(0.2) ? 2 + random.below(3) : 1;
  recipe.contactPositions = random.chance(0.25);
  recipe.sleep = random.chance(0.7);
  return recipe;
}

}  // namespace torture
