// docs/reference/scene.md and skeleton.md agree with the library's tables of elements and attributes, and the table of scenes has every
// setting of a world.
#include <fstream>
#include <sstream>

#include "tests/scenes/scene.hpp"

namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

using Reference = vtb_status (*)(char*, size_t, size_t*);

std::string reference(Reference call) {
  size_t needed = 0;
  test::require(call(nullptr, 0, &needed));
  std::string text(needed, '\0');
  test::require(call(text.data(), text.size(), &needed));
  text.resize(needed - 1);
  return text;
}

// Everything from the first element's heading on; with VERTEBRA_ACCEPT set, the library's text is written there.
void checkPage(const std::string& name, Reference call) {
  const std::string path = test::sourceDir() + "/docs/reference/" + name + ".md", begin = "\n## " + name + "\n", wanted = reference(call);
  std::string page = contents(path);
  const std::size_t at = page.find(begin);
  REQUIRE(at != std::string::npos);
  if (std::getenv("VERTEBRA_ACCEPT")) {
    page = page.substr(0, at) + wanted;
    std::ofstream(path, std::ios::binary) << page;
  }
  CHECK(page.substr(at) == wanted);
}

}  // namespace

TEST_CASE("the reference pages are those of the tables") {
  checkPage("scene", vtb_scene_get_reference);
  checkPage("skeleton", vtb_skeleton_get_reference);
}

namespace {

// Names of the fields of a struct of settings.h, those of structs inside it behind its name and _.
std::vector<std::string> fieldsOf(const std::string& header, const std::string& wanted, const std::string& prefix) {
  const std::size_t end = header.find("} " + wanted + ";"), begin = header.rfind("typedef struct " + wanted + " {", end);
  REQUIRE(end != std::string::npos);
  std::stringstream lines(header.substr(begin, end - begin));
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) {
    std::stringstream words(line);
    std::string type, name;
    words >> type >> name;
    if (type != "double" && type != "int32_t" && type.find("vtb_") != 0) continue;
    name = prefix + name.substr(0, name.find_first_of(";["));
    if (type == "vtb_callbacks" || name.find('(') != std::string::npos) continue;
    if (type.find("_settings") == std::string::npos) {
      names.push_back(name);
      continue;
    }
    const std::vector<std::string> inner = fieldsOf(header, type, name + "_");
    names.insert(names.end(), inner.begin(), inner.end());
  }
  return names;
}

}  // namespace

TEST_CASE("every setting of a world has an attribute of its name") {
  const std::string header = contents(test::sourceDir() + "/capi/include/vertebra/settings.h");
  const std::string text = reference(vtb_scene_get_reference);
  const std::string settings = text.substr(text.find("\n## settings\n"), text.find("\n## include\n") - text.find("\n## settings\n"));
  const std::vector<std::string> names = fieldsOf(header, "vtb_world_def", "");
  for (const std::string& name : names) {
    INFO(name);
    CHECK(settings.find("| `" + name + "` |") != std::string::npos);
  }
  CHECK(names.size() >= 41);
}
