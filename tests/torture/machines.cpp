// Families of torture worlds, second part: what is built. Bridges, grippers, carts over edges, chains about posts, drives against walls.
// Units: SI. Frames: world, Z up; a body's frame is in its centre. Gains of motors stay far below what one step resolves, because steppers
// with explicit drives promise no more.
#include "tests/torture/torture.hpp"

namespace torture {

// Boards from bank to bank with 1, 2 or 4 ball joints a gap; 2 and 4 hold each board more than once. Most lie on an arc and can swing; a
// taut one is as long as its span, so that it cannot move but by what its joints give.
void drawBridge(Recipe& recipe, Random& random) {
  recipe.family = "bridge";
  addGround(recipe);
  const int boards = 3 + random.below(12), rows = 1 << random.below(3);
  const double half = random.in(0.08, 0.2), width = random.in(0.2, 0.6), thickness = random.in(0.02, 0.05);
  const double pitch = 2 * half + 0.04, height = 3, mass = random.byFactor(0.5, 10);
  const double bend = random.chance(0.8) ? random.in(0.1, 1) / boards : 0;  // rad: half the turn from board to board
  if (bend == 0) recipe.family = "taut";
  std::vector<Vec> corners{{-0.5 * pitch * boards, 0, height}};
  int last = -1;
  const auto joinAt = [&](int a, int b, const Vec& corner, const Quat& turn) {
    for (int i = 0; i < rows; i++) {
      const double y = rows == 1 ? 0 : width * (i % 2 ? 0.9 : -0.9), z = rows == 4 ? thickness * (i / 2 ? 0.9 : -0.9) : 0;
      join(recipe, a, b, VTB_JOINT_TYPE_SPHERICAL, corner + rotate(turn, {0, y, z}));
    }
  };
  Quat turn{0, 0, 0, 1};
  for (int i = 0; i < boards; i++) {
    const double slope = bend * (2 * i - boards + 1);
    const Vec along{std::cos(slope), 0, std::sin(slope)};
    turn = between({1, 0, 0}, along);
    corners.push_back(corners.back() + pitch * along);
    BodyPart board = box(0.5 * (corners[static_cast<std::size_t>(i)] + corners.back()), {half, width, thickness}, mass);
    board.turn = turn;
    const int body = add(recipe, board);
    if (i > 0 || random.chance(0.9)) joinAt(last, body, corners[static_cast<std::size_t>(i)], turn);
    last = body;
  }
  if (random.chance(0.9)) joinAt(last, -1, corners.back(), turn);
  for (int i = 1 + random.below(4); i > 0; i--) {
    const Vec place{random.in(-0.4, 0.4) * pitch * boards, random.in(-0.5, 0.5) * width, height + 0.4 * i + random.in(0, 0.2)};
    const double load = mass * random.byFactor(0.1, 30), size = random.in(0.05, 0.15);
    add(recipe, random.chance(0.5) ? ball(place, size, load) : box(place, {size, size, size}, load));
  }
}

// Two fingers on slides press a load and, perhaps, lift it on a third slide.
void drawGripper(Recipe& recipe, Random& random) {
  recipe.family = "gripper";
  addGround(recipe);
  const double size = random.in(0.03, 0.1), load = random.byFactor(0.05, 5), finger = random.byFactor(0.02, 1);
  const double squeeze = load * 9.81 * random.in(1, 10);
  const double bottom = random.chance(0.5) ? 0 : 0.3;  // in the air it starts falling before it is held
  const double palmMass = random.byFactor(0.5, 5), lifted = palmMass + 2 * finger + load;
  const int palm = add(recipe, box({0, 0, bottom + 6 * size}, {4 * size, size, 0.3 * size}, palmMass));
  const int held = add(recipe, box({0, 0, bottom + size}, {size, size, size}, load));
  if (random.chance(0.3)) recipe.bodies[static_cast<std::size_t>(held)].shape = VTB_SHAPE_TYPE_CYLINDER;
  join(recipe, -1, palm, VTB_JOINT_TYPE_PRISMATIC, {0, 0, bottom + 6 * size}, {0, 0, 1});
  JointPart& lift = recipe.joints.back();
  lift.mode = VTB_MOTOR_MODE_VELOCITY, lift.lower = -0.1, lift.upper = 1;
  lift.gain = 30 * lifted, lift.maxForce = 3 * 9.81 * lifted;
  lift.target = (random.chance(0.6) ? random.in(0.02, 0.3) : 0) + 9.81 * lifted / lift.gain;  // with what the weight takes away
  for (const int side : {-1, 1}) {
    const Vec place{side * (1.3 + random.in(0, 0.3)) * size, 0, bottom + 3 * size};
    const int jaw = add(recipe, box(place, {0.2 * size, 0.8 * size, 2.6 * size}, finger));
    join(recipe, palm, jaw, VTB_JOINT_TYPE_PRISMATIC, place, {1, 0, 0});
    JointPart& slide = recipe.joints.back();
    slide.mode = VTB_MOTOR_MODE_VELOCITY, slide.target = -side * random.in(0.05, 0.5), slide.maxForce = squeeze;
    slide.gain = 20 * finger, slide.friction = random.chance(0.3) ? 0.1 * squeeze : 0;
    slide.lower = side < 0 ? -0.05 : -size, slide.upper = side < 0 ? size : 0.05;
  }
}

// A cart on four wheels, with motors in some of them, is driven over edges.
void drawWheels(Recipe& recipe, Random& random) {
  recipe.family = "wheels";
  addGround(recipe);
  const double radius = random.in(0.08, 0.25), half = random.in(2, 3) * radius, mass = random.byFactor(1, 50);
  const int chassis = add(recipe, box({0, 0, 1.3 * radius + 0.02}, {half, radius, 0.3 * radius}, mass));
  const double speed = random.in(2, 20), torque = mass * 9.81 * radius * random.in(0.2, 1.5), share = random.byFactor(0.01, 0.3);
  for (int i = 0; i < 4; i++) {
    BodyPart wheel;
    wheel.shape = random.chance(0.7) ? VTB_SHAPE_TYPE_CYLINDER : VTB_SHAPE_TYPE_SPHERE;
    wheel.place = {i / 2 ? half : -half, (i % 2 ? 1 : -1) * (2.2 * radius), radius + 0.01};
    wheel.size = {radius, 0, 0.2 * radius}, wheel.mass = share * mass;
    wheel.turn = between({0, 0, 1}, {0, 1, 0});
    const int body = add(recipe, wheel);
    join(recipe, chassis, body, VTB_JOINT_TYPE_REVOLUTE, wheel.place, {0, 1, 0});
    if (i / 2 && random.chance(0.3)) continue;
    JointPart& axle = recipe.joints.back();
    axle.mode = VTB_MOTOR_MODE_VELOCITY, axle.target = speed, axle.gain = 3 * wheel.mass * radius * radius, axle.maxForce = torque;
  }
  double x = 3 * half;
  for (int i = 0; i < 4; i++) {
    const double height = radius * random.in(0.1, 0.8);
    BodyPart edge = box({x, 0, 0.5 * height}, {random.in(0.1, 0.6), 2, 0.5 * height}, 1);
    edge.kind = VTB_BODY_KIND_STATIC;
    add(recipe, edge);
    x += random.in(1.3, 2.5);
  }
}

// A chain laid over a post, with loads at its ends, or swung against a second post.
void drawChain(Recipe& recipe, Random& random) {
  recipe.family = "chain";
  addGround(recipe);
  const int links = 6 + random.below(18), posts = 1 + random.below(2);
  const double half = random.in(0.03, 0.07), thick = half * random.in(0.2, 0.45), mass = random.byFactor(0.01, 1);
  const double radius = random.in(0.05, 0.2), height = 2.5, pitch = 2 * half;
  for (int i = 0; i < posts; i++) {
    BodyPart post;
    post.kind = VTB_BODY_KIND_STATIC, post.shape = random.chance(0.7) ? VTB_SHAPE_TYPE_CYLINDER : VTB_SHAPE_TYPE_CAPSULE;
    post.size = {radius, 0, 1}, post.turn = between({0, 0, 1}, {0, 1, 0});
    post.place = {i * (2 * radius + random.in(0.1, 0.4)), 0, height - i * random.in(0, 0.8)};
    add(recipe, post);
  }
  const double start = -pitch * links * random.in(0.2, 0.8), z = height + radius + thick + random.in(0.01, 0.1);
  const bool ballJoints = random.chance(0.6);
  int last = -1;
  for (int i = 0; i < links; i++) {
    BodyPart link;
    link.shape = VTB_SHAPE_TYPE_CAPSULE, link.size = {thick, 0, half}, link.turn = between({0, 0, 1}, {1, 0, 0});
    link.place = {start + pitch * i, 0, z}, link.mass = mass;
    link.category = 2, link.mask = ~2u;
    const int body = add(recipe, link);
    const Vec point{start + pitch * (i - 0.5), 0, z};
    if (i == 0 && random.chance(0.3)) join(recipe, -1, body, VTB_JOINT_TYPE_SPHERICAL, point);
    if (i > 0) join(recipe, last, body, ballJoints ? VTB_JOINT_TYPE_SPHERICAL : VTB_JOINT_TYPE_REVOLUTE, point, {0, 1, 0});
    if (i > 0 && random.chance(0.3)) recipe.joints.back().damping = 1e-3 * mass;
    last = body;
  }
  const double load = mass * random.byFactor(1, 300), size = random.in(0.06, 0.15);
  const double end = start + pitch * (links - 0.5);
  const int weight = add(recipe, ball({end + size, 0, z}, size, load));
  join(recipe, last, weight, VTB_JOINT_TYPE_SPHERICAL, {end, 0, z});
}

// Arms with position drives press against walls that stand in their way.
void drawDrives(Recipe& recipe, Random& random) {
  recipe.family = "drives";
  addGround(recipe);
  const int links = 1 + random.below(5);
  const double half = random.in(0.08, 0.25), thick = 0.2 * half, mass = random.byFactor(0.1, 5), base = 0.6;
  const double omega = random.in(3, 12);  // rad/s: of each drive with all that it carries
  int last = -1;
  for (int i = 0; i < links; i++) {
    BodyPart link = box({half * (2 * i + 1), 0, base}, {0.95 * half, thick, thick}, mass);
    const int body = add(recipe, link);
    join(recipe, last, body, VTB_JOINT_TYPE_REVOLUTE, {half * 2 * i, 0, base}, random.chance(0.7) ? Vec{0, 1, 0} : Vec{0, 0, 1});
    JointPart& joint = recipe.joints.back();
    const double reach = 2 * half * (links - i), inertia = mass * (links - i) * reach * reach / 3;
    joint.mode = VTB_MOTOR_MODE_POSITION, joint.target = random.in(-1.5, 1.5);
    joint.stiffness = inertia * omega * omega, joint.gain = 2 * inertia * omega * random.in(0.3, 1);
    joint.maxForce = random.chance(0.7) ? mass * (links - i) * 9.81 * reach * random.in(0.5, 4) : INFINITY;
    joint.lower = -2.5, joint.upper = 2.5;
    last = body;
  }
  for (int i = 0; i < 3; i++) {
    const double across = half * links * random.in(0.3, 1.8);
    BodyPart wall = box({across, (i - 1) * random.in(0.15, 0.4), base + random.in(-0.3, 0.3)}, {0.1, 0.05, 0.2}, 1);
    if (i == 1) wall.place = {across, 0, base - random.in(0.25, 0.5)}, wall.size = {0.3, 0.3, 0.05};
    if (random.chance(0.7)) wall.kind = VTB_BODY_KIND_STATIC;
    wall.mass = mass * random.byFactor(0.1, 10);
    add(recipe, wall);
  }
}

}  // namespace torture
