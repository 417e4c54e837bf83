// Hostile texts: cut short, damaged, nested, with endless counts. Each is rejected with a diagnostic or gives a valid scene.
#include <fstream>

#include "tests/scenes/scene.hpp"

namespace {

const char kRich[] =
    "<?xml version='1.0'?><scene name='x'><!-- c --><settings gravity='0 0 -9' stepper='impulse' sleep='no' time_step='1/100'/>"
    "<material name='m' friction='0.5' rgba='1 0 0'/><plane material='m'/>"
    "<body name='a' position='0 0 2' orientation='0 90deg 0' mass='1' velocity='1 0 0'><box half_extents='1 1 1' material='m'/>"
    "<compound position='0 0 1'><sphere radius='1/2'/></compound></body>"
    "<repeat count='3' variable='k'><body name='b{k}' position='{2 * k + 3} 0 3'><capsule radius='0.1' half_length='0.2'/></body></repeat>"
    "<joint name='j' type='universal' a='a' b='b0' position='3 0 3' axis='1 0 0' axis2='0 1 0' q='0.1 0'><axis index='1' damping='2'/>"
    "<motor mode='position' stiffness='3'/></joint><joint name='r' type='rotor'/><joint name='h' type='revolute' b='b1' position='5 0 3'/>"
    "<coupling a='r' b='h' ratio='2'><!-- x --></coupling><field type='drag' drag_linear='1' bodies='a b1'/><force body='a' force='1 2 3'/>"
    "<driveline type='engine' speeds='0 9' throttles='0 1' torques='0 0 5 0' throttle='1'><term joint='r'/></driveline>"
    "<points upper='0'><point body='a'/><point body='b1' position='0 0 1'/><point position='1 0 0'/></points><particles name='p'>"
    "<particle position='0 0 9'/><emitter rate='9' seed='3'/><sink type='box' size='1 1 1'/></particles><field type='drag' particles='p'/>"
    "<convex points='0 0 0 1 0 0 0 1 0 0 0 1'/><heightfield rows='2' columns='2' spacing='1 1' heights='0 1 0 1'/>"
    "<no_collision a='a' b='b2'/><camera fov='1'/><state time='1'><body name='b2' pose='0 0 9 0 0 0 1' twist='0 0 0 0 0 0'/>"
    "<exact of='00' base64='AAAA'/></state></scene>";

void survives(const std::string& text) {
  vtb_diagnostics* list = nullptr;
  vtb_scene* scene = nullptr;
  const vtb_status status = vtb_scene_parse(text.data(), text.size(), "hostile.xml", &list, &scene);
  size_t count = 0;
  if (list) vtb_diagnostics_count(list, &count);
  if (status == VTB_OK) {
    vtb_world* world = nullptr;
    CHECK(vtb_scene_create_world(scene, nullptr, &world) == VTB_OK);
    vtb_world_destroy(world);
  } else {
    INFO(text);
    INFO(vtb_last_error());
    CHECK(status == VTB_E_PARSE);
    CHECK(count > 0);
  }
  vtb_diagnostics_release(list);
  vtb_scene_release(scene);
}

std::string codeOf(const std::string& text, const std::string& name = "hostile.xml") {
  vtb_diagnostics* list = nullptr;
  vtb_scene* scene = nullptr;
  CHECK(vtb_scene_parse(text.data(), text.size(), name.c_str(), &list, &scene) == VTB_E_PARSE);
  vtb_diagnostic d;
  d.code = "";
  std::string code;
  if (vtb_diagnostics_get(list, 0, &d) == VTB_OK) code = d.code;
  vtb_diagnostics_release(list);
  return code;
}

}  // namespace

TEST_CASE("hostile scenes: cut short anywhere") {
  const std::string text = kRich;
  survives(text);
  for (size_t n = 0; n < text.size(); n += 3) survives(text.substr(0, n));
}

TEST_CASE("hostile scenes: damaged bytes and shuffled words") {
  test::Random random(7);
  const std::string text = kRich;
  const std::string bytes = "<>/'\"= {}0123456789-.einfa&;!";
  for (int i = 0; i < 1500; i++) {
    std::string damaged = text;
    for (int k = random.below(4); k >= 0; k--) {
      const size_t at = static_cast<size_t>(random.below(static_cast<int>(text.size())));
      const size_t from = static_cast<size_t>(random.below(static_cast<int>(text.size()))), length = static_cast<size_t>(random.below(20));
      if (random.below(2))
        damaged[at] = bytes[static_cast<size_t>(random.below(static_cast<int>(bytes.size())))];
      else
        damaged.replace(std::min(at, damaged.size()), random.below(8), text.substr(from, length));
    }
    survives(damaged);
  }
}

TEST_CASE("hostile scenes: numbers out of all bounds") {
  for (const char* number : {"1e308", "-1e308", "inf", "-inf", "nan", "1e-320", "99999999999", "-1", "0", "1/0", "0/0", "deg", "0x", ""})
    for (const char* pattern :
         {"<sphere radius='%'/>", "<box half_extents='% 1 1'/>", "<body position='% 0 0' mass='1'><sphere radius='1'/></body>",
          "<body mass='%' inertia='1 0 0 1 0 1'/>", "<body density='%'><sphere radius='1'/></body>", "<settings time_step='%'/>",
          "<settings substeps='%'/>", "<settings solver_iterations='%'/>", "<settings gravity='0 0 %'/>", "<sphere radius='1' group='%'/>",
          "<heightfield rows='%' columns='%' spacing='1 1' heights='0 0 0 0'/>", "<mesh points='0 0 0 1 0 0 0 1 0' triangles='0 1 %'/>",
          "<convex points='0 0 0 1 0 0 0 1 0 0 0 %'/>", "<repeat count='%'/>", "<body orientation='% 0 0' mass='1' inertia='1 0 0 1 0 1'/>",
          "<camera fov='%'/>", "<field type='attractor' attractor_range='%'/>"}) {
      std::string text = std::string("<scene>") + pattern + "</scene>";
      for (size_t at; (at = text.find('%')) != std::string::npos;) text.replace(at, 1, number);
      survives(text);
    }
}

TEST_CASE("hostile scenes: nesting, counts and includes without end") {
  std::string deep = "<scene>";
  for (int i = 0; i < 5000; i++) deep += "<repeat count='2'>";
  CHECK(codeOf(deep) == "scene.xml.malformed");
  deep = "<scene>";
  for (int i = 0; i < 60; i++) deep += "<repeat count='2'>";
  deep += "<sphere radius='1'/>";
  for (int i = 0; i < 60; i++) deep += "</repeat>";
  CHECK(codeOf(deep + "</scene>") == "scene.too-large");
  CHECK(codeOf("<scene><repeat count='1000000'><sphere radius='1'/></repeat></scene>") == "scene.value.invalid");
  CHECK(codeOf("<scene><repeat count='9999'><repeat count='9999'/></repeat></scene>") == "scene.too-large");
  CHECK(codeOf("<scene><sphere radius='{" + std::string(100000, '(') + "'/></scene>") == "scene.expression.invalid");
  CHECK(codeOf("<scene><sphere radius='{" + std::string(100000, '-') + "1}'/></scene>") == "scene.expression.invalid");

  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("vertebra_bomb_" + std::to_string(reinterpret_cast<std::uintptr_t>(&deep)));
  fs::create_directories(folder);
  for (int i = 0; i < 14; i++) {
    std::ofstream file(folder / ("f" + std::to_string(i) + ".xml"));
    file << "<scene>";
    for (int k = 0; i < 13 && k < 2; k++) file << "<include file='f" << i + 1 << ".xml' prefix='p" << k << "'/>";
    file << "</scene>";
  }
  CHECK(codeOf("<scene><include file='f0.xml'/></scene>", (folder / "main.xml").string()) == "scene.include.too-many");
  std::error_code none;
  fs::remove_all(folder, none);
}
