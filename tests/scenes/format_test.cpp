// Reading and writing of scene files: what is rejected and how it is reported, includes, repetitions, names, placements, saving.
#include <fstream>

#include "tests/scenes/scene.hpp"

using test::Scene;

namespace {

namespace fs = std::filesystem;

struct Finding {
  std::string code, file, element, message;
  int line, severity;
};

std::vector<Finding> take(vtb_diagnostics* list) {
  size_t count = 0;
  std::vector<Finding> findings;
  if (!list) return findings;
  test::require(vtb_diagnostics_count(list, &count));
  for (size_t i = 0; i < count; i++) {
    vtb_diagnostic d;
    test::require(vtb_diagnostics_get(list, i, &d));
    findings.push_back({d.code, d.file, d.element, d.message, d.line, d.severity});
  }
  vtb_diagnostics_release(list);
  return findings;
}

std::vector<Finding> refused(const std::string& text, const std::string& name = "text.xml") {
  vtb_diagnostics* list = nullptr;
  vtb_scene* scene = nullptr;
  INFO(text);
  CHECK(vtb_scene_parse(text.data(), text.size(), name.c_str(), &list, &scene) == VTB_E_PARSE);
  CHECK(scene == nullptr);
  vtb_scene_release(scene);
  return take(list);
}

void refusedFor(const std::string& inside, const char* code, const std::string& words, int line = 1) {
  INFO(inside);
  const std::vector<Finding> findings = refused("<scene>" + inside + "</scene>");
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == code);
  CHECK(findings[0].line == line);
  INFO(findings[0].message);
  CHECK(findings[0].message.find(words) != std::string::npos);
}

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("vertebra_scene_test_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)))) {
    fs::create_directories(path_);
  }
  ~Folder() {
    std::error_code none;
    fs::remove_all(path_, none);
  }
  std::string write(const std::string& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }
  std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

const std::string kBody = "<body name='b' mass='1' inertia='1 0 0 1 0 1'/>";

}  // namespace

TEST_CASE("scene format: each mistake is reported with its place, what is allowed and the nearest word") {
  refusedFor("<bdy/>", "scene.element.unknown", "did you mean 'body'? <scene> takes settings, include");
  refusedFor("\n<box half_extents='1 1 1' frction='0'/>", "scene.attribute.unknown", "did you mean 'friction'? <box> takes name", 2);
  refusedFor("<box half_extents='1 1'/>", "scene.value.invalid", "half_extents=\"1 1\" is not 3 numbers");
  refusedFor("<box/>", "scene.attribute.missing", "half_extents=\"...\", 3 numbers");
  refusedFor("<settings stepper='impuls'/>", "scene.value.invalid",
             "one of impulse, variational, ode, spook, displacement; did you mean 'impulse'?");
  refusedFor("<settings sleep='maybe'/>", "scene.value.invalid", "yes or no");
  refusedFor("<settings time_step='-1'/>", "scene.refused", "time_step is -1, must be > 0");
  refusedFor("<settings/><settings/>", "scene.element.twice", "second time");
  refusedFor("words", "scene.text", "no meaning");
  refusedFor("<body name='a b' mass='1' inertia='1 0 0 1 0 1'/>", "scene.value.invalid", "blanks");
  refusedFor(kBody + "\n" + kBody, "scene.name.twice", "another body has this name", 2);
  refusedFor("<body name='b' mass='1'/>", "scene.body.inertia-missing", "neither inertia nor shapes");
  refusedFor("<body inertia='1 0 0 1 0 1'/>", "scene.body.mass-missing", "no mass");
  refusedFor("<body mass='1' inertia='1 0 0 1 0 -1'/>", "scene.refused", "positive semidefinite");
  refusedFor(kBody + "<joint type='fixed' b='c'/>", "scene.reference.unknown", "there is no body 'c'; did you mean 'b'?");
  refusedFor(kBody + "<joint type='fixd' b='b'/>", "scene.value.invalid", "did you mean 'fixed'?");
  refusedFor("<joint type='fixed'/>", "scene.refused", "body_a and body_b are the same");
  refusedFor(kBody + "<joint type='revolute' b='b'><axis index='1'/></joint>", "scene.refused", "axis is 1, there are 1");
  refusedFor(kBody + "<joint type='revolute' b='b' q='1 2'/>", "scene.refused", "q has 2 numbers");
  refusedFor("<sphere radius='1' material='wod'/><material name='wood'/>", "scene.reference.unknown", "did you mean 'wood'?");
  refusedFor("<sphere radius='-1'/>", "scene.refused", "a sphere needs a positive radius");
  refusedFor("<mesh file='none.stl'/>", "scene.refused", "none.stl");
  refusedFor("<heightfield rows='2' columns='2' spacing='1 1' heights='0 0 0'/>", "scene.refused", "rows times columns is 4");
  refusedFor("<coupling name='c'/>", "scene.refused", "needs a and b, or terms");
  refusedFor("<repeat count='2'><sphere radius='{j}'/></repeat>", "scene.expression.invalid", "no variable 'j'");
  refusedFor("<repeat count='2'><sphere radius='{sqr(i)}'/></repeat>", "scene.expression.invalid", "did you mean 'sqrt'?");
  refusedFor("<sphere radius='{1 + }'/>", "scene.expression.invalid", "ends too soon");
  refusedFor("<include file='none.xml'/>", "scene.include.unreadable", "does not exist");
  refusedFor("<force body='b'/>" + kBody + "<force body='x'/>", "scene.reference.unknown", "there is no body 'x'");
  refusedFor("<camera name='c' fov='wide'/>", "scene.value.invalid", "fov=\"wide\" is not a number");
  const std::string rotors = "<joint name='r' type='rotor'/><joint name='s' type='rotor'/>";
  refusedFor(rotors + "<driveline type='gearbx'/>", "scene.value.invalid",
             "one of engine, converter, gearbox, differential, pump, cylinder; did you mean 'gearbox'?");
  refusedFor(rotors + "<driveline/>", "scene.attribute.missing", "attribute type is missing");
  refusedFor(rotors + "<driveline type='engine' throtle='1'/>", "scene.attribute.unknown",
             "did you mean 'throttle'? <driveline> takes name");
  refusedFor(rotors + "<driveline type='engine'><axis joint='r'/></driveline>", "scene.element.unknown", "<driveline> takes term");
  refusedFor(rotors + "<driveline type='engine' speeds='0 1' throttles='0 1' torques='0 1 2'><term joint='r'/></driveline>",
             "scene.refused", "torques has 3 numbers, there must be 4");
  refusedFor(rotors + "<driveline type='gearbox' ratios='1'><term joint='r'/><term joint='t'/></driveline>", "scene.reference.unknown",
             "there is no joint 't'");
  refusedFor(rotors + "<driveline type='gearbox' ratios='0 1' gear='2'><term joint='r'/><term joint='s'/></driveline>", "scene.refused",
             "gear");
  refusedFor(kBody + "<points measure='area'/>", "scene.value.invalid", "one of length, volume");
  refusedFor(kBody + "<points measure='volume'><point body='b'/></points>", "scene.refused", "four");
  refusedFor(kBody + "<points><point body='b'/><point body='x'/></points>", "scene.reference.unknown", "there is no body 'x'");
  refusedFor("<particles><emiter/></particles>", "scene.element.unknown",
             "did you mean 'emitter'? <particles> takes particle, emitter, sink");
  refusedFor("<particles max_count='1'><particle/><particle/></particles>", "scene.refused", "more particles than max_count");
  refusedFor("<particles><sink type='sphere'/></particles>", "scene.refused", "the size of a sink");
  refusedFor("<field type='drag' particles='dust'/>", "scene.reference.unknown", "there is no particle system 'dust'");
  refusedFor("<particles name='p'/><particles name='p'/>", "scene.name.twice", "another particles has this name");
  CHECK(refused("<robot/>")[0].code == "scene.root");
  CHECK(refused("<scene>")[0].code == "scene.xml.malformed");
  CHECK(refused("")[0].code == "scene.file.empty");
}

TEST_CASE("scene format: all mistakes of a file at once, and none that follows from another") {
  const std::vector<Finding> findings = refused(
      "<scene>\n<settings gravty='0 0 1'/>\n<body name='a' mass='x'/>\n<joint type='fixed' b='a'/>\n"
      "<joint type='fixed' b='nobody'/>\n<box/>\n<figure name='f' file='none.urdf'/>\n<joint type='fixed' a='f/hand' b='a'/>\n</scene>");
  std::vector<int> lines;
  for (const Finding& f : findings)
    if (f.severity == VTB_SEVERITY_ERROR && f.code.find("scene.") == 0) lines.push_back(f.line);
  CHECK(lines == std::vector<int>{2, 3, 6, 7, 5});
}

TEST_CASE("scene format: repetitions nest, expressions are exact") {
  Scene s = Scene::fromText(
      "<scene><repeat count='3'><repeat count='2' variable='k' from='1'>"
      "<body name='b{i}_{k}' position='{i / 10} {-k * (i + 1)} {mod(i, 2) + floor(2.7) + max(i, 1) * 1e-3}' mass='1' inertia='1 0 0 1 0 "
      "1'/>"
      "</repeat></repeat></scene>");
  for (int i = 0; i < 3; i++)
    for (int k = 1; k <= 2; k++) {
      const test::Vector p = s.position("b" + std::to_string(i) + "_" + std::to_string(k));
      CHECK(p.x == i / 10.0);
      CHECK(p.y == -k * (i + 1));
      CHECK(p.z == i % 2 + 2 + std::max(i, 1) * 1e-3);
    }
}

TEST_CASE("scene format: numbers as quotients and in degrees, orientations as angles and quaternions") {
  Scene s = Scene::fromText(
      "<scene><settings time_step='1/1000'/><body name='a' orientation='0 0 90deg' mass='1' inertia='1 0 0 1 0 1'/>"
      "<body name='b' orientation='0 0 0.6 0.8' mass='1' inertia='1 0 0 1 0 1'/></scene>");
  CHECK(s.settings().time_step == 1.0 / 1000);
  double pose[7];
  test::require(vtb_body_get_pose(s.world(), s.body("a"), pose));
  CHECK(pose[5] == Approx(std::sqrt(0.5)).margin(1e-15));
  test::require(vtb_body_get_pose(s.world(), s.body("b"), pose));
  CHECK(pose[5] == Approx(0.6).margin(1e-15));
}

TEST_CASE("scene format: includes take a prefix and a place, and refuse cycles") {
  const Folder folder;
  folder.write("parts/wheel.xml",
               "<scene><settings gravity='0 0 0'/><body name='rim' position='1 0 0' velocity='1 0 0' mass='1' inertia='1 0 0 1 0 1'/>"
               "<joint name='axle' type='revolute' b='rim' position='0 0 0' axis='1 0 0'/></scene>");
  const std::string main = folder.write("main.xml",
                                        "<scene><include file='parts/wheel.xml' prefix='left/' position='0 1 0' orientation='0 0 90deg'/>"
                                        "<include file='parts/wheel.xml' prefix='right/'/>"
                                        "<coupling a='left/axle' b='right/axle'/></scene>");
  vtb_scene* scene = nullptr;
  vtb_world* world = nullptr;
  test::require(vtb_scene_load(main.c_str(), nullptr, &scene));
  test::require(vtb_scene_create_world(scene, nullptr, &world));
  vtb_body rim;
  double pose[7];
  test::require(vtb_world_find(world, VTB_NAMED_BODY, "left/rim", &rim.bits));
  test::require(vtb_body_get_pose(world, rim, pose));
  CHECK(pose[0] == Approx(0).margin(1e-15));
  CHECK(pose[1] == Approx(2));
  vtb_world_def settings;
  settings.struct_size = sizeof settings;
  test::require(vtb_scene_get_settings(scene, &settings));
  CHECK(settings.gravity[2] == -9.81);  // those of included files have no effect
  // Saved into another folder it still finds its parts.
  test::require(vtb_world_step(world, 3));
  fs::create_directories(folder.path("elsewhere/deep"));
  const std::string saved = folder.path("elsewhere/deep/saved.xml");
  test::require(vtb_world_save_scene(world, saved.c_str()));
  vtb_scene* again = nullptr;
  vtb_world* other = nullptr;
  test::require(vtb_scene_load(saved.c_str(), nullptr, &again));
  test::require(vtb_scene_create_world(again, nullptr, &other));
  uint64_t a = 0, b = 1;
  test::require(vtb_world_get_hash(world, &a));
  test::require(vtb_world_get_hash(other, &b));
  CHECK(a == b);
  vtb_world_destroy(other);
  vtb_scene_release(again);
  vtb_world_destroy(world);
  vtb_scene_release(scene);

  folder.write("a.xml", "<scene><include file='b.xml'/></scene>");
  const std::string b_xml = folder.write("b.xml", "<scene><include file='./a.xml'/></scene>");
  vtb_diagnostics* list = nullptr;
  CHECK(vtb_scene_load(b_xml.c_str(), &list, &scene) == VTB_E_PARSE);
  const std::vector<Finding> findings = take(list);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "scene.include.cycle");
  CHECK(findings[0].file == folder.path("a.xml"));
}

TEST_CASE("scene format: a scene that cannot be added leaves the world as it was") {
  Scene s = Scene::fromText("<scene>" + kBody + "<body name='c' mass='1' inertia='1 0 0 1 0 1'/></scene>");
  Scene other =
      Scene::fromText("<scene><body name='new' mass='1' inertia='1 0 0 1 0 1'/><body name='c' mass='1' inertia='1 0 0 1 0 1'/></scene>");
  s.step(3);
  const uint64_t before = s.hash();
  CHECK(vtb_scene_add(other.scene(), s.world(), nullptr, nullptr) == VTB_E_ARG);
  CHECK(std::string(vtb_last_error()).find("'c' already; add the scene with a prefix") != std::string::npos);
  size_t bodies = 0;
  test::require(vtb_world_get_bodies(s.world(), nullptr, 0, &bodies));
  CHECK(bodies == 2);
  uint64_t bits = 0;
  CHECK(vtb_world_find(s.world(), VTB_NAMED_BODY, "new", &bits) == VTB_E_ARG);
  // Nor does it leave gaps in the numbering, which the hash tells: refused for a name, and by the stepper of the world.
  CHECK(s.hash() == before);
  const Scene third = Scene::fromText("<scene><body name='d' mass='1' inertia='1 0 0 1 0 1' step='1/960'/></scene>");
  const Scene held = Scene::fromText("<scene><settings stepper='variational'/>" + kBody + "</scene>");
  const uint64_t without = held.hash();
  CHECK(vtb_scene_add(third.scene(), held.world(), nullptr, nullptr) == VTB_E_UNSUPPORTED);
  CHECK(held.hash() == without);
  s.step(1);
  test::require(vtb_scene_add(other.scene(), s.world(), "more/", nullptr));
  test::require(vtb_world_find(s.world(), VTB_NAMED_BODY, "more/new", &bits));
  CHECK(before != s.hash());
}

TEST_CASE("scene format: a world of two scenes is written alike twice, also where a new joint takes a body's velocity") {
  const std::string ball = "<scene><body name='ball' position='0 0 1' velocity='3 0 0' mass='1' inertia='1 0 0 1 0 1'/></scene>";
  Scene s = Scene::fromText(ball);
  const Scene other = Scene::fromText(ball);
  test::require(vtb_scene_add(other.scene(), s.world(), "more/", nullptr));
  vtb_joint_def def;
  vtb_joint joint;
  test::require(vtb_joint_def_init(&def, sizeof def));
  test::require(vtb_world_find_body(s.world(), "ball", &def.body_b));
  def.type = VTB_JOINT_TYPE_REVOLUTE;
  def.frame_a[2] = 1;  // the centre of the ball stays there
  test::require(vtb_joint_create(s.world(), &def, &joint));
  const auto written = [&] {
    std::string text(100000, ' ');
    size_t needed = 0;
    test::require(vtb_world_write_scene(s.world(), text.data(), text.size(), &needed));
    return text;
  };
  const std::string first = written();
  CHECK(written() == first);
  CHECK(first.find("twist=\"3 0 0") == first.rfind("twist=\"3 0 0"));  // of the other ball alone
}

TEST_CASE("scene format: saving keeps comments, order and words; the exact state lapses when something is changed") {
  const std::string text =
      "<?xml version=\"1.0\"?>\n<!-- first -->\n<scene name=\"x\">\n  <!-- ball -->\n  <body name=\"ball\" position=\"0 0 {1 + 1}\" "
      "mass=\"1\">\n"
      "    <sphere radius=\"1/8\"/>\n  </body>\n  <settings time_step=\"1/100\"/>\n  <!-- last -->\n</scene>\n";
  Scene s = Scene::fromText(text);
  CHECK(s.saved() == text);  // no step yet
  vtb_world_def settings = s.settings();
  settings.gravity[2] = -1.0 / 3;
  settings.flags |= VTB_WORLD_FLAG_NO_SLEEP;
  settings.callbacks.log = nullptr;
  test::require(vtb_world_set_settings(s.world(), &settings));
  s.step(7);
  std::string saved = s.saved();
  const std::string head = text.substr(0, text.find("<settings"));
  CHECK(saved.substr(0, head.size()) == head);
  CHECK(saved.find("<settings time_step=\"1/100\" sleep=\"no\" gravity=\"0 0 -0.3333333333333333\"/>") != std::string::npos);
  CHECK(saved.find("<!-- last -->\n  <state time=\"") != std::string::npos);
  Scene again = Scene::fromText(saved);
  CHECK(again.hash() == s.hash());
  CHECK(again.saved() == saved);
  again.step(5), s.step(5);
  CHECK(again.hash() == s.hash());
  // Another pose written by hand applies, and a warning says that the exact state is ignored.
  const std::size_t at = saved.find("pose=\"0 0 ") + 10;
  saved = saved.substr(0, at) + "5" + saved.substr(saved.find(' ', at));
  vtb_diagnostics* list = nullptr;
  vtb_scene* scene = nullptr;
  vtb_world* world = nullptr;
  test::require(vtb_scene_parse(saved.data(), saved.size(), "saved.xml", &list, &scene));
  const std::vector<Finding> findings = take(list);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "scene.state.lapsed");
  test::require(vtb_scene_create_world(scene, nullptr, &world));
  vtb_body ball;
  double pose[7], twist[6];
  test::require(vtb_world_find(world, VTB_NAMED_BODY, "ball", &ball.bits));
  test::require(vtb_body_get_pose(world, ball, pose));
  test::require(vtb_body_get_twist(world, ball, twist));
  CHECK(pose[2] == 5);
  CHECK(twist[2] == Approx(-7.0 / 300));
  vtb_world_destroy(world);
  vtb_scene_release(scene);
}

TEST_CASE("scene format: changes, destruction and creation by calls are saved") {
  const std::string text =
      "<scene>\n  <settings sleep=\"no\"/>\n  <!-- kept -->\n  <body name=\"a\" mass=\"1\">\n    <sphere radius=\"0.1\"/>\n  </body>\n"
      "  <body name=\"b\" position=\"1 0 0\" mass=\"1\">\n    <sphere radius=\"0.1\" friction=\"0.3\"/>\n  </body>\n"
      "  <joint name=\"j\" type=\"revolute\" b=\"b\" position=\"1 0 1\" axis=\"0 1 0\"/>\n</scene>\n";
  Scene s = Scene::fromText(text);
  test::require(vtb_body_destroy(s.world(), s.body("a")));
  const double inertia[6] = {2, 0, 0, 3, 0, 4}, com[3] = {0, 0, 0};
  test::require(vtb_body_set_mass(s.world(), s.body("b"), 5, com, inertia));
  vtb_axis_def axis;
  axis.struct_size = sizeof axis;
  test::require(vtb_joint_get_axis(s.world(), s.joint("j"), 0, &axis));
  axis.damping = 0.125;
  test::require(vtb_joint_set_axis(s.world(), s.joint("j"), 0, &axis));
  vtb_body_def def;
  vtb_body made;
  test::require(vtb_body_def_init(&def, sizeof def));
  def.pose[2] = -1;
  def.mass = 2;
  test::require(vtb_body_create(s.world(), &def, &made));
  vtb_shape_def box;
  vtb_shape shape;
  test::require(vtb_shape_def_init(&box, sizeof box));
  box.type = VTB_SHAPE_TYPE_BOX;
  box.size[0] = box.size[1] = box.size[2] = 0.25;
  test::require(vtb_shape_create(s.world(), made, &box, &shape));
  vtb_joint_def rod;
  vtb_joint joint;
  test::require(vtb_joint_def_init(&rod, sizeof rod));
  rod.type = VTB_JOINT_TYPE_SPHERICAL;
  rod.body_a = s.body("b");
  rod.body_b = made;
  rod.as_they_stand = 1;
  test::require(vtb_joint_create(s.world(), &rod, &joint));
  s.run(0.5);

  const std::string saved = s.saved();
  INFO(saved);
  CHECK(saved.find("name=\"a\"") == std::string::npos);
  CHECK(saved.find("<!-- kept -->") != std::string::npos);
  CHECK(saved.find("<body name=\"b\" position=\"1 0 0\" mass=\"5\" inertia=\"2 0 0 3 0 4\" com=\"0 0 0\">") != std::string::npos);
  CHECK(saved.find("<axis damping=\"0.125\"/>") != std::string::npos);
  CHECK(saved.find("<box half_extents=\"0.25 0.25 0.25\"/>") != std::string::npos);
  Scene again = Scene::fromText(saved);
  for (int i = 0; i < 3; i++) {
    for (const char* name : {"b", "body1"}) {
      const test::Vector p = again.position(name);
      double pose[7];
      test::require(vtb_body_get_pose(s.world(), name[1] ? made : s.body(name), pose));
      CHECK(p.x == Approx(pose[0]).margin(1e-4));
      CHECK(p.z == Approx(pose[2]).margin(1e-4));
    }
    s.run(0.2), again.run(0.2);
  }
  CHECK(again.stats().joints == s.stats().joints);
}

TEST_CASE("scene format: a world made by calls becomes a scene; things that a file cannot express are refused by name") {
  vtb_world* world = nullptr;
  test::require(vtb_world_create(nullptr, &world));
  vtb_body bodies[2];
  for (int i = 0; i < 2; i++) {
    vtb_body_def def;
    test::require(vtb_body_def_init(&def, sizeof def));
    def.pose[0] = i, def.pose[2] = 2;
    test::require(vtb_body_create(world, &def, &bodies[i]));
  }
  vtb_joint_def def;
  vtb_joint hinge, rotor, rod;
  test::require(vtb_joint_def_init(&def, sizeof def));
  def.body_b = bodies[0];
  def.axis[0] = 0, def.axis[1] = 1;
  def.frame_b[0] = 0.5, def.frame_a[0] = 0.5, def.frame_a[2] = 2;
  test::require(vtb_joint_create(world, &def, &hinge));
  test::require(vtb_joint_def_init(&def, sizeof def));
  def.type = VTB_JOINT_TYPE_ROTOR;
  test::require(vtb_joint_create(world, &def, &rotor));
  def.type = VTB_JOINT_TYPE_DISTANCE;
  def.body_a = bodies[0], def.body_b = bodies[1];
  test::require(vtb_joint_create(world, &def, &rod));
  vtb_coupling_def gear;
  vtb_coupling coupling;
  test::require(vtb_coupling_def_init(&gear, sizeof gear));
  gear.joint_a = hinge, gear.joint_b = rotor, gear.ratio = 3;
  test::require(vtb_coupling_create(world, &gear, &coupling));
  vtb_field_def wind;
  vtb_field field;
  test::require(vtb_field_def_init(&wind, sizeof wind));
  wind.type = VTB_FIELD_TYPE_DRAG, wind.drag.linear = 0.5, wind.bodies = &bodies[1], wind.body_count = 1;
  test::require(vtb_field_create(world, &wind, &field));
  test::require(vtb_world_step(world, 60));
  size_t needed = 0;
  test::require(vtb_world_write_scene(world, nullptr, 0, &needed));
  std::string saved(needed, '\0');
  test::require(vtb_world_write_scene(world, saved.data(), saved.size(), &needed));
  saved.resize(needed - 1);
  INFO(saved);
  Scene again = Scene::fromText(saved);
  uint64_t hash = 0;
  test::require(vtb_world_get_hash(world, &hash));
  CHECK(again.hash() == hash);
  again.step(120);
  test::require(vtb_world_step(world, 120));
  double pose[7];
  test::require(vtb_body_get_pose(world, bodies[1], pose));
  CHECK(again.position("body2").x == Approx(pose[0]).margin(1e-9));
  CHECK(again.position("body2").z == Approx(pose[2]).margin(1e-9));

  vtb_constraint_def own;
  vtb_constraint constraint;
  test::require(vtb_constraint_def_init(&own, sizeof own));
  own.bodies = bodies, own.body_count = 1;
  own.evaluate = [](void*, const vtb_world*, vtb_constraint, int32_t, vtb_row*) -> int32_t { return 0; };
  test::require(vtb_constraint_create(world, &own, &constraint));
  CHECK(vtb_world_write_scene(world, nullptr, 0, &needed) == VTB_E_UNSUPPORTED);
  CHECK(std::string(vtb_last_error()).find("a constraint of the caller") != std::string::npos);
  vtb_world_destroy(world);
}

TEST_CASE("scene format: drivelines, measures and particles are placed by includes, and saved with their words") {
  const Folder folder;
  folder.write(
      "jet.xml",
      "<scene><body name='b' position='1 0 0' mass='1' inertia='1 0 0 1 0 1'/><points name='rope' upper='0'><point position='0 0 2'/>"
      "<point body='b'/></points><particles name='p'><particle position='1 2 3' velocity='4 0 0'/><emitter direction='1 0 0' "
      "rate='240' speed='2' position='1 0 0'/><sink type='box' position='-5 0 0' size='1 1 1'/></particles>"
      "<joint name='r' type='rotor'/><driveline name='e' type='engine' speeds='0' throttles='0 1' torques='0 9' throttle='0.5'>"
      "<term joint='r'/></driveline></scene>");
  const std::string text =
      "<scene>\n  <settings gravity=\"0 0 0\"/>\n  <!-- turned -->\n  <include file=\"jet.xml\" prefix=\"a/\" position=\"0 0 10\" "
      "orientation=\"0 0 90deg\"/>\n</scene>\n";
  const std::string path = folder.write("main.xml", text);
  vtb_scene* scene = nullptr;
  vtb_world* world = nullptr;
  test::require(vtb_scene_load(path.c_str(), nullptr, &scene));
  test::require(vtb_scene_create_world(scene, nullptr, &world));
  vtb_particles p{0};
  test::require(vtb_world_find(world, VTB_NAMED_PARTICLES, "a/p", &p.bits));
  vtb_particle first[3];
  size_t total = 0;
  test::require(vtb_particles_get(world, p, first, 3, 0, &total));
  REQUIRE(total == 1);
  CHECK(first[0].position[0] == Approx(-2));
  CHECK(first[0].position[1] == Approx(1));
  CHECK(first[0].position[2] == Approx(13));
  CHECK(first[0].velocity[1] == Approx(4));
  test::require(vtb_world_step(world, 2));
  test::require(vtb_particles_get(world, p, first, 3, 0, &total));
  REQUIRE(total == 3);
  CHECK(first[1].velocity[1] == Approx(2));
  CHECK(first[1].position[1] >= 1);
  CHECK(first[1].position[2] == Approx(10));
  vtb_constraint rope{0}, engine{0};
  test::require(vtb_world_find(world, VTB_NAMED_CONSTRAINT, "a/rope", &rope.bits));
  test::require(vtb_world_find(world, VTB_NAMED_CONSTRAINT, "a/e", &engine.bits));
  vtb_driveline_state state;
  state.struct_size = sizeof state;
  test::require(vtb_driveline_get_state(world, engine, &state));
  CHECK(state.torque[0] == Approx(4.5));
  // Pulled away the body reaches the end of its rope: from (0 0 12) to (0 1 10) rotated, sqrt(5) long.
  vtb_body b{0};
  test::require(vtb_world_find(world, VTB_NAMED_BODY, "a/b", &b.bits));
  const double twist[6] = {0, 3, 0, 0, 0, 0};
  test::require(vtb_body_set_twist(world, b, twist, nullptr));
  double pose[7], longest = 0;
  for (int i = 0; i < 240; i++) {
    test::require(vtb_world_step(world, 1));
    test::require(vtb_body_get_pose(world, b, pose));
    longest = std::max(longest, std::hypot(pose[0], pose[1], pose[2] - 12));
  }
  CHECK(longest == Approx(std::sqrt(5)).epsilon(0.01));
  size_t needed = 0;
  test::require(vtb_world_write_scene(world, nullptr, 0, &needed));
  std::string saved(needed, '\0');
  test::require(vtb_world_write_scene(world, saved.data(), saved.size(), &needed));
  CHECK(saved.find("<!-- turned -->") != std::string::npos);
  CHECK(saved.find("<particles name=\"a/p\" particles=\"") != std::string::npos);
  vtb_world_destroy(world);
  vtb_scene_release(scene);
}
