// docs/reference/scene.md agrees with the library's table of elements and attributes, and the table has every setting of a world.
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

std::string reference() {
  size_t needed = 0;
  test::require(vtb_scene_get_reference(nullptr, 0, &needed));
  std::string text(needed, '\0');
  test::require(vtb_scene_get_reference(text.data(), text.size(), &needed));
  text.resize(needed - 1);
  return text;
}

}  // namespace

TEST_CASE("the reference page is that of the table") {
  // Everything from the first element's heading on; with VERTEBRA_ACCEPT set, the library's text is written there.
  const std::string path = test::sourceDir() + "/docs/reference/scene.md", begin = "\n## scene\n";
  std::string page = contents(path);
  const std::size_t at = page.find(begin);
  REQUIRE(at != std::string::npos);
  if (std::getenv("VERTEBRA_ACCEPT")) {
    page = page.substr(0, at) + reference();
    std::ofstream(path, std::ios::binary) << page;
  }
  CHECK(page.substr(at) == reference());
}

TEST_CASE("every setting of a world has an attribute of its name") {
  const std::string header = contents(test::sourceDir() + "/capi/include/vertebra/settings.h");
  const std::size_t end = header.find("} vtb_world_def;"), begin = header.rfind("typedef struct vtb_world_def {", end);
  std::stringstream lines(header.substr(begin, end - begin));
  const std::string text = reference();
  const std::string settings = text.substr(text.find("\n## settings\n"), text.find("\n## include\n") - text.find("\n## settings\n"));
  int fields = 0;
  for (std::string line; std::getline(lines, line);) {
    std::stringstream words(line);
    std::string type, name;
    words >> type >> name;
    if (type != "double" && type != "int32_t" && type.find("vtb_") != 0) continue;
    name = name.substr(0, name.find_first_of(";["));
    if (name.find("reserved") == 0 || name.find('(') != std::string::npos) continue;
    INFO(name);
    CHECK(settings.find("| `" + name + "` |") != std::string::npos);
    fields++;
  }
  CHECK(fields >= 41);
}
