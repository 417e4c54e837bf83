// What the scenes with controlled figures claim: a walk by physics, loose arms, a hit, obstacles, a wall, pointing, an umbrella, a basket,
// a stout figure, two clips, a hanged doll, a fall.
#include <algorithm>

#include "tests/scenes/scene.hpp"

using test::Scene;
using test::Vector;

namespace {

// Vector of a body's frame, in the world.
Vector direction(const Scene& s, const std::string& body, const Vector& v) {
  double p[7];
  test::require(vtb_body_get_pose(s.world(), s.body(body), p));
  const double x = p[3], y = p[4], z = p[5], w = p[6];
  const double tx = 2 * (y * v.z - z * v.y), ty = 2 * (z * v.x - x * v.z), tz = 2 * (x * v.y - y * v.x);
  return {v.x + w * tx + y * tz - z * ty, v.y + w * ty + z * tx - x * tz, v.z + w * tz + x * ty - y * tx};
}
double degrees(double cosine) { return std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / 3.141592653589793; }
double distance(const Vector& a, const Vector& b) { return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z); }
double leanOf(const Scene& s, const std::string& root) { return degrees(direction(s, root, {0, 1, 0}).z); }  // of a root with y up

vtb_controller_info firstController(const Scene& s, const std::string& name) {
  vtb_figure figure{0};
  test::require(vtb_world_find(s.world(), VTB_NAMED_FIGURE, name.c_str(), &figure.bits));
  vtb_controller list[8];
  size_t total = 0;
  test::require(vtb_figure_get_controllers(s.world(), figure, list, 8, &total));
  REQUIRE(total > 0);
  vtb_controller_info info;
  info.struct_size = sizeof info;
  test::require(vtb_controller_get_info(s.world(), list[0], &info));
  return info;
}

// Mean speed of a foot near the ground, m/s.
double slideOf(Scene& s, const std::vector<std::string>& figures, std::vector<double>& slides, double seconds) {
  slides.assign(figures.size(), 0);
  std::vector<int> counts(figures.size(), 0);
  for (int i = 0; i < seconds * 240; i++) {
    s.step(1);
    for (std::size_t f = 0; f < figures.size(); f++)
      for (const char* foot : {"/LeftFoot", "/RightFoot"}) {
        const Vector at = s.position(figures[f] + foot), v = s.velocity(figures[f] + foot);
        if (at.z > 0.11 || std::fabs(v.z) > 0.1) continue;
        slides[f] += std::hypot(v.x, v.y);
        counts[f]++;
      }
  }
  for (std::size_t f = 0; f < figures.size(); f++) slides[f] /= std::max(counts[f], 1);
  return slides[0];
}

}  // namespace

TEST_CASE("walker: by physics along the clip's path for 8 s, upright, on the ground") {
  Scene s("walker.xml");
  double lean = 0, lowest = 1, depth = 0;
  for (int i = 0; i < 8 * 240; i++) {
    s.step(1);
    lean = std::max(lean, leanOf(s, "walker/Hips"));
    lowest = std::min(lowest, s.position("walker/Hips").z);
    depth = std::max(depth, s.stats().max_penetration);
  }
  CHECK(lean < 10);  // the clip's own is 3
  CHECK(lowest > 0.82);
  CHECK(depth < 0.005);
  CHECK(s.position("walker/Hips").y == Approx(-0.65 - 1.3 * 8).margin(0.2));
  CHECK(std::fabs(s.position("walker/Hips").x) < 0.25);
  CHECK(s.stats().max_joint_error < 1e-9);
}

TEST_CASE("loose arms: they swing beside a walk that stays") {
  Scene loose("loose_arms.xml"), stiff("walker.xml");
  double apart = 0, elbow = 0;
  for (int i = 0; i < 5 * 240; i++) {
    loose.step(1), stiff.step(1);
    if (i > 240) apart = std::max(apart, distance(loose.position("walker/LeftHand"), stiff.position("walker/LeftHand")));
    const double reach = distance(loose.position("walker/LeftHand"), loose.position("walker/LeftArm"));
    elbow = std::max(elbow, reach);
  }
  CHECK(apart > 0.1);  // m
  CHECK(apart < 0.9);
  CHECK(elbow < 0.6);  // m: the arm's length
  CHECK(leanOf(loose, "walker/Hips") < 10);
  CHECK(distance(loose.position("walker/Hips"), stiff.position("walker/Hips")) < 0.1);
}

TEST_CASE("hit and release: the ball brings the walker down, and it takes the motion up again") {
  Scene s("hit_release.xml"), free("walker.xml");
  bool released = false;
  double lowest = 1;
  for (int i = 0; i < 6 * 240; i++) {
    s.step(1), free.step(1);
    released = released || firstController(s, "walker").let_go;
    lowest = std::min(lowest, s.position("walker/Hips").z);
  }
  CHECK(released);
  CHECK(lowest < 0.7);
  CHECK_FALSE(firstController(s, "walker").let_go);
  CHECK(distance(s.position("walker/Hips"), free.position("walker/Hips")) < 0.1);
  CHECK(leanOf(s, "walker/Hips") < 10);
}

TEST_CASE("obstacles: the walker pushes them away and keeps its path") {
  Scene s("obstacles.xml"), free("walker.xml");
  const Vector before = s.position("ball2_2");
  double apart = 0, depth = 0;
  for (int i = 0; i < 6 * 240; i++) {
    s.step(1), free.step(1);
    apart = std::max(apart, distance(s.position("walker/Hips"), free.position("walker/Hips")));
    depth = std::max(depth, s.stats().max_penetration);
  }
  CHECK(apart < 0.15);
  CHECK(depth < 0.01);
  CHECK(distance(before, s.position("ball2_2")) > 0.2);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 5; j++) CHECK(s.position("ball" + std::to_string(i) + "_" + std::to_string(j)).z > 0.09);
}

TEST_CASE("a wall: the walker stays before it, upright, and no link is more than 5 mm in it") {
  Scene s("walker_wall.xml");
  double depth = 0, farthest = 0, lean = 0;
  for (int i = 0; i < 8 * 240; i++) {
    s.step(1);
    depth = std::max(depth, s.stats().max_penetration);
    for (const char* link : {"Hips", "Head", "LeftHand", "RightHand", "LeftToeBase", "RightToeBase"})
      farthest = std::min(farthest, s.position(std::string("walker/") + link).y);
    lean = std::max(lean, leanOf(s, "walker/Hips"));
  }
  CHECK(depth < 0.005);
  CHECK(farthest > -2.41);
  CHECK(lean < 20);
}

TEST_CASE("a pointing arm: within 5 degrees of the beacon while the walker goes by") {
  Scene s("pointing_arm.xml");
  double worst = 0;
  for (int i = 0; i < 4 * 240; i++) {
    s.step(1);
    if (i < 360) continue;
    const Vector hand = s.position("walker/LeftHand"), beacon = s.position("beacon"), way = direction(s, "walker/LeftHand", {1, 0, 0});
    const double length = distance(hand, beacon);
    worst = std::max(worst, degrees(((beacon.x - hand.x) * way.x + (beacon.y - hand.y) * way.y + (beacon.z - hand.z) * way.z) / length));
  }
  CHECK(worst < 5);
  CHECK(leanOf(s, "walker/Hips") < 10);
}

TEST_CASE("an umbrella: within 10 degrees of upright along the whole walk") {
  Scene s("umbrella.xml");
  double worst = 0;
  for (int i = 0; i < 8 * 240; i++) {
    s.step(1);
    worst = std::max(worst, degrees(direction(s, "umbrella", {0, 0, 1}).z));
  }
  CHECK(worst < 10);
  CHECK(s.stats().max_joint_error < 1e-9);
}

TEST_CASE("a basket: its balls stay in it along the whole walk, and it stays level") {
  Scene s("basket.xml");
  double tilt = 0;
  for (int i = 0; i < 8 * 240; i++) {
    s.step(1);
    tilt = std::max(tilt, degrees(direction(s, "basket", {0, 0, 1}).z));
  }
  CHECK(tilt < 10);
  for (const char* ball : {"ball0", "ball1", "ball2"}) {
    CHECK(distance(s.position(ball), s.position("basket")) < 0.25);
    CHECK(s.position(ball).z > s.position("basket").z);
  }
}

TEST_CASE("a stout figure walks the same way; its feet slide no more than the thin one's") {
  Scene s("stout_walker.xml");
  std::vector<double> slides;
  slideOf(s, {"walker", "stout"}, slides, 7);
  INFO(slides[0] << " " << slides[1]);
  CHECK(slides[0] > 0);
  CHECK(slides[1] <= 1.05 * slides[0]);
  CHECK(std::fabs(s.position("walker/Hips").y - s.position("stout/Hips").y) < 0.1);
  CHECK(leanOf(s, "stout/Hips") < 10);
  double thin = 0, stout = 0;
  for (const char* link : {"Hips", "Chest", "LeftUpLeg", "LeftLeg"}) {
    double mass = 0, com[3], inertia[6];
    test::require(vtb_body_get_mass(s.world(), s.body(std::string("walker/") + link), &mass, com, inertia));
    thin += mass;
    test::require(vtb_body_get_mass(s.world(), s.body(std::string("stout/") + link), &mass, com, inertia));
    stout += mass;
  }
  CHECK(stout == Approx(1.35 * 1.35 * thin).epsilon(0.02));
}

TEST_CASE("two clips: the walker stops to wave where it has come to, and walks on from there") {
  Scene s("two_clips.xml");
  double fastest = 0, raised = 0;
  s.run(2.6);
  const Vector stop = s.position("walker/Hips");
  for (int i = 0; i < 400; i++) {
    s.step(1);
    raised = std::max(raised, std::max(s.position("walker/RightHand").z, s.position("walker/LeftHand").z));
  }
  CHECK(raised > s.position("walker/Head").z);
  CHECK(distance(stop, s.position("walker/Hips")) < 0.15);
  for (int i = 0; i < 3 * 240; i++) {
    s.step(1);
    const Vector v = s.velocity("walker/Hips");
    fastest = std::max(fastest, std::hypot(v.x, v.y));
  }
  CHECK(s.position("walker/Hips").y < stop.y - 1);
  CHECK(fastest < 2.5);
  CHECK(leanOf(s, "walker/Hips") < 10);
}

TEST_CASE("a hanged rag-doll swings on its hand until its joints have taken the energy") {
  Scene s("hanged.xml");
  vtb_energy energy;
  energy.struct_size = sizeof energy;
  test::require(vtb_world_get_energy(s.world(), &energy));
  const double before = energy.kinetic + energy.potential;
  double highest = before;
  for (int i = 0; i < 60 * 24; i++) {
    s.step(10);
    test::require(vtb_world_get_energy(s.world(), &energy));
    highest = std::max(highest, energy.kinetic + energy.potential);
  }
  CHECK(highest < before + 5);  // J, of 67 kg
  CHECK(energy.kinetic < 20);
  CHECK(s.stats().max_joint_error < 1e-9);
  CHECK(s.position("doll/Hips").x == Approx(0.78).margin(0.4));
  CHECK(s.position("doll/Hips").z < 1.7);
}

TEST_CASE("a fall down a staircase ends below, at rest") {
  Scene s("staircase.xml");
  double depth = 0;
  for (int i = 0; i < 8 * 240; i++) {
    s.step(1);
    depth = std::max(depth, s.stats().max_penetration);
  }
  CHECK(depth < 0.02);
  CHECK(s.position("doll/Hips").z < 0.8);
  CHECK(s.position("doll/Hips").y < -1.5);
  const Vector v = s.velocity("doll/Chest");
  CHECK(std::hypot(v.x, v.y, v.z) < 0.05);
}

// Distances of links of a figure that was hit from those of one that was not, beside it by `beside` m along x.
double apartFrom(const Scene& s, const std::string& hit, const std::string& free, double beside) {
  double apart = 0;
  for (const char* link : {"Chest", "RightArm", "RightForeArm", "RightHand"}) {
    Vector other = s.position(free + "/" + link);
    other.x -= beside;
    apart = std::max(apart, distance(s.position(hit + "/" + link), other));
  }
  return apart;
}

TEST_CASE("Cline's arm: a ball strikes it, and within a second it waves as the one beside it") {
  Scene s("arm_hit.xml");
  s.run(0.95);
  CHECK(apartFrom(s, "arm0", "arm1", 1.6) < 1e-9);  // m: the same motion until the blow
  double most = 0;
  for (int i = 0; i < 120; i++) {
    s.step(1);
    most = std::max(most, apartFrom(s, "arm0", "arm1", 1.6));
  }
  CHECK(most > 0.05);
  s.run(0.5);
  CHECK(apartFrom(s, "arm0", "arm1", 1.6) < 0.005);
  s.run(2);
  CHECK(apartFrom(s, "arm0", "arm1", 1.6) < 1e-3);
  CHECK(distance(s.position("ball"), s.position("arm0/RightHand")) > 0.3);
}

TEST_CASE("Cline's body: a ball of 5 kg at 5 m/s strikes it, and within a second it is back beside the undisturbed one") {
  Scene s("body_hit.xml");
  s.run(1.4);
  CHECK(apartFrom(s, "body0", "body1", 1.6) < 1e-9);
  double most = 0, foot = 0;
  const Vector stood = s.position("body0/LeftFoot");
  for (int i = 0; i < 240; i++) {
    s.step(1);
    most = std::max(most, apartFrom(s, "body0", "body1", 1.6));
    foot = std::max(foot, distance(s.position("body0/LeftFoot"), stood));
  }
  CHECK(most > 0.02);
  CHECK(foot < 0.003);  // m: it keeps its feet
  CHECK(apartFrom(s, "body0", "body1", 1.6) < 0.005);
  s.run(2);
  CHECK(apartFrom(s, "body0", "body1", 1.6) < 1e-3);
  CHECK(s.stats().max_joint_error < 1e-9);
}

TEST_CASE("animation by markers: a record with gaps draws a limp figure along a walk") {
  Scene s("animation_by_markers.xml");
  double worst = 0, lean = 0, depth = 0;
  for (int i = 0; i < 3 * 240; i++) {
    s.step(1);
    depth = std::max(depth, s.stats().max_penetration);
    if (i < 240) continue;  // it starts with its arms stretched out
    worst = std::max(worst, firstController(s, "walker").error);
    lean = std::max(lean, leanOf(s, "walker/Hips"));
  }
  INFO(worst);
  CHECK(worst < 0.06);  // m: the farthest marker
  CHECK(lean < 10);
  CHECK(depth < 0.02);
  CHECK(s.position("walker/Hips").y == Approx(-0.65 - 1.3 * 3).margin(0.1));  // the record's path
  const Vector stop = s.position("walker/Hips");
  s.run(1);
  CHECK(distance(s.position("walker/Hips"), stop) < 0.1);  // the last places stay
  Scene once("animation_by_markers.xml");
  once.run(0.7);
  Scene again = Scene::fromText(once.saved());
  once.run(0.5), again.run(0.5);
  CHECK(again.hash() == once.hash());
}

TEST_CASE("controllers of scenes: what is wrong is told, what is changed by a call is not saved silently") {
  const auto refused = [](const std::string& inside) {
    const std::string text = "<scene><figure name='f' file='../motions/walk.bvh'>" + inside + "</figure></scene>";
    vtb_scene* scene = nullptr;
    CHECK(vtb_scene_parse(text.data(), text.size(), (test::sourceDir() + "/models/scenes/text.xml").c_str(), nullptr, &scene) ==
          VTB_E_PARSE);
    return std::string(vtb_last_error());
  };
  const auto has = [](const std::string& text, const std::string& wanted) {
    INFO(text);
    CHECK(text.find(wanted) != std::string::npos);
  };
  has(refused("<animatio/>"), "did you mean 'animation'?");
  has(refused("<animation><play file='no.bvh'/></animation>"), "gives no motion");
  has(refused("<animation><play file='no.csv'/></animation>"), "gives no trajectory");
  has(refused("<animation><play/></animation>"), "file");
  has(refused("<animation omega='-1'/>"), "omega");
  has(refused("<drive><gains joint='LeftArn' stiffness='1' damping='1'/></drive>"), "did you mean 'LeftArm'?");
  has(refused("<drive><gains joint='LeftArm' stiffness='1'/></drive>"), "only one of stiffness and damping");
  has(refused("<point_at><goal link='LeftHnd'/></point_at>"), "did you mean 'LeftHand'?");
  has(refused("<marker_drive/>"), "no marker");
  has(refused("<marker_drive file='../motions/no.trc'><marker link='Hips' name='Hips1'/></marker_drive>"), "gives no record");
  has(refused("<marker_drive file='../motions/walk.trc'><marker link='Hips' name='Hps1'/></marker_drive>"), "did you mean 'Hips1'?");
  has(refused("<marker_drive file='../motions/walk.trc'><marker link='Hips'/></marker_drive>"), "name is missing");
  has(refused("<marker_drive file='../motions/walk.trc'><marker link='Hips' name='Hips1' place='0 0 1'/></marker_drive>"),
      "without a file");
  has(refused("<marker_drive><marker link='Hips'/></marker_drive>"), "place is missing");
  has(refused("<marker_drive><marker link='Hips' name='Hips1' place='0 0 1'/></marker_drive>"), "with a file");
  has(refused("<marker_drive><marker link='Hps' place='0 0 1'/></marker_drive>"), "did you mean 'Hips'?");
  Scene s("walker.xml");
  (void)s.saved();
  vtb_figure figure{0};
  test::require(vtb_world_find(s.world(), VTB_NAMED_FIGURE, "walker", &figure.bits));
  vtb_controller drive;
  test::require(vtb_figure_add_drive(s.world(), figure, nullptr, &drive));
  size_t needed = 0;
  CHECK(vtb_world_write_scene(s.world(), nullptr, 0, &needed) == VTB_E_UNSUPPORTED);
  test::require(vtb_controller_destroy(s.world(), drive));
  (void)s.saved();
}

TEST_CASE("a scene with a walker, added elsewhere and turned, walks there") {
  Scene s("walker.xml");
  vtb_world* world = nullptr;
  test::require(vtb_world_create(nullptr, &world));
  const double pose[7] = {5, 2, 0, 0, 0, std::sqrt(0.5), std::sqrt(0.5)};
  test::require(vtb_scene_add(s.scene(), world, "b/", pose));
  test::require(vtb_world_step(world, 960));
  s.run(4);
  vtb_body root{0};
  test::require(vtb_world_find(world, VTB_NAMED_BODY, "b/walker/Hips", &root.bits));
  double there[7];
  test::require(vtb_body_get_pose(world, root, there));
  const Vector here = s.position("walker/Hips");
  CHECK(there[0] == Approx(5 - here.y).margin(0.02));
  CHECK(there[1] == Approx(2 + here.x).margin(0.02));
  vtb_world_destroy(world);
}
