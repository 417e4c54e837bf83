// See fmu_resources.hpp.
#include "cli/fmu_resources.hpp"

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/scene.hpp"
#include "cli/simulation.hpp"

namespace vertebra::cli {

std::string contentOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Failure("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

namespace {

std::string written(const vtb_skeleton* skeleton) {
  size_t needed = 0;
  check(vtb_skeleton_write(skeleton, nullptr, 0, &needed), "writing the figure");
  std::string text(needed, '\0');
  check(vtb_skeleton_write(skeleton, text.data(), text.size(), &needed), "writing the figure");
  text.resize(needed - 1);
  return text;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
  return result;
}

std::string unescaped(const std::string& text) {
  constexpr std::pair<const char*, char> kEntities[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool found = false;
    for (const auto& [entity, c] : kEntities) {
      if (text.compare(i, std::char_traits<char>::length(entity), entity) != 0) continue;
      result += c;
      i += std::char_traits<char>::length(entity) - 1;
      found = true;
      break;
    }
    if (!found) result += text[i];
  }
  return result;
}

// One attribute of a tag, with the place of its value in the text.
struct Attribute {
  std::string name, value;
  std::size_t begin, end;
};
struct Tag {
  std::string name;
  std::vector<Attribute> attributes;
  std::string valueOf(const std::string& wanted, const std::string& fallback) const {
    for (const Attribute& a : attributes)
      if (a.name == wanted) return a.value;
    return fallback;
  }
};

// The next start tag at or after a place, which moves behind it; comments and the like are passed over. False at the end. The text was read
// by the library before: it is well-formed XML.
bool nextTag(const std::string& text, std::size_t& at, Tag& tag) {
  while ((at = text.find('<', at)) != std::string::npos) {
    const auto skip = [&](const char* begin, const char* end) {
      if (text.compare(at, std::char_traits<char>::length(begin), begin) != 0) return false;
      const std::size_t found = text.find(end, at);
      at = found == std::string::npos ? text.size() : found + std::char_traits<char>::length(end);
      return true;
    };
    if (skip("<!--", "-->") || skip("<![CDATA[", "]]>") || skip("<?", "?>") || skip("<!", ">") || skip("</", ">")) continue;
    const auto blank = [&](std::size_t i) { return std::isspace(static_cast<unsigned char>(text[i])) != 0; };
    tag = {};
    std::size_t i = at + 1;
    while (i < text.size() && !blank(i) && text[i] != '>' && text[i] != '/') tag.name += text[i++];
    while (i < text.size() && text[i] != '>') {
      if (blank(i) || text[i] == '/') {
        ++i;
        continue;
      }
      Attribute a{};
      while (i < text.size() && text[i] != '=' && !blank(i)) a.name += text[i++];
      while (i < text.size() && text[i] != '"' && text[i] != '\'') ++i;
      a.begin = i + 1;
      a.end = text.find(text[i], a.begin);
      if (a.end == std::string::npos) break;
      a.value = unescaped(text.substr(a.begin, a.end - a.begin));
      i = a.end + 1;
      tag.attributes.push_back(std::move(a));
    }
    at = i;
    return true;
  }
  return false;
}

class Packer {
 public:
  Files files;

  // The text of a scene with the names that its files have in the FMU; the files themselves are added.
  std::string scene(const std::filesystem::path& path) {
    const std::string text = contentOf(path);
    std::string result;
    std::size_t at = 0, done = 0;
    Tag tag;
    while (nextTag(text, at, tag))
      for (const Attribute& a : tag.attributes) {
        if (a.name != "file" || a.value.empty()) continue;
        result += text.substr(done, a.begin - done) + escaped(add(tag, path.parent_path() / a.value));
        done = a.end;
      }
    return result + text.substr(done);
  }

 private:
  std::string add(const Tag& tag, const std::filesystem::path& path) {
    std::string key = std::filesystem::weakly_canonical(path).string();
    const bool figure = tag.name == "figure" && !isBvh(path.string());
    for (const char* option : {"meshes", "derive_collision", "missing_inertia"})
      if (figure) key += "\n" + tag.valueOf(option, "");
    const auto known = names_.find(key);
    if (known != names_.end()) return known->second;
    const std::string name = std::to_string(names_.size() + 1) + "_" + path.stem().string() + (figure ? ".xml" : path.extension().string());
    names_[key] = name;
    files[name] = tag.name == "include" ? scene(path) : figure ? skeleton(tag, path) : contentOf(path);
    return name;
  }

  static std::string skeleton(const Tag& tag, const std::filesystem::path& path) {
    auto def = defaults(vtb_urdf_def_init);
    if (tag.valueOf("meshes", "yes") == "no") def.flags |= VTB_LOAD_FLAG_NO_MESHES;
    if (tag.valueOf("derive_collision", "no") == "yes") def.flags |= VTB_LOAD_FLAG_DERIVE_COLLISION;
    const std::string inertia = tag.valueOf("missing_inertia", "lenient");
    def.inertia = inertia == "geometry" ? VTB_INERTIA_GEOMETRY : inertia == "error" ? VTB_INERTIA_ERROR : VTB_INERTIA_LENIENT;
    vtb_diagnostics* list = nullptr;
    vtb_skeleton* skeleton = nullptr;
    const vtb_status status = vtb_skeleton_load(path.string().c_str(), &def, &list, &skeleton);
    const auto found = take(list);  // the scene's own reading told them
    if (status != VTB_OK) throw LoadFailure(path.string() + ": " + vtb_last_error(), found);
    return written(Skeleton(skeleton).get());
  }

  std::map<std::string, std::string> names_;  // by canonical path, and options of a URDF
};

Files ofFigure(const Arguments& arguments, std::vector<Diagnostic>& diagnostics) {
  const Model model = loadModel(arguments.operand(0), arguments);
  diagnostics = model.diagnostics;
  const Coordinates coordinates = coordinatesOf(model, arguments);
  const std::vector<double> q = neutral(coordinates);
  std::vector<double> poses(7 * std::size_t(infoOf(model.skeleton.get()).links));
  size_t total = 0;
  check(vtb_dynamics_poses(coordinates.workspace.get(), at(q), at(poses), poses.size() / 7, 0, &total), "kinematics of the first pose");
  const bool floating = floats(model, arguments);
  const double lift = floating || arguments.has("drop") ? arguments.number("drop", 0) - lowestPoint(model.skeleton.get(), poses) : 0;
  std::string name = nameOf(model.skeleton.get());
  if (name.empty()) name = std::filesystem::path(arguments.operand(0)).stem().string();
  for (char& c : name)
    if (std::isspace(static_cast<unsigned char>(c))) c = '_';
  constexpr const char* kBases[] = {"default", "fixed", "floating"};

  std::string text = "<?xml version=\"1.0\"?>\n<scene name=\"" + escaped(name) + "\">\n";
  text += "  <settings time_step=\"" + shortest(arguments.positive("dt", 1.0 / 240)) + "\"/>\n";
  if (floating || arguments.has("ground")) text += "  <plane/>\n";
  text += "  <figure name=\"" + escaped(name) + "\" file=\"figure.xml\" base=\"" + kBases[baseOf(arguments)] + "\" position=\"0 0 " +
          shortest(lift) + "\"" + (arguments.has("no-mimic") ? " mimic=\"no\"" : "") + "/>\n</scene>\n";
  return {{"scene.xml", text}, {"figure.xml", written(model.skeleton.get())}};
}

Files ofScene(const Arguments& arguments, std::vector<Diagnostic>& diagnostics) {
  loadScene(arguments.operand(0), diagnostics);  // so that what follows may take it for well-formed
  Packer packer;
  const std::string text = packer.scene(arguments.operand(0));
  packer.files["scene.xml"] = text;
  return packer.files;
}

}  // namespace

Files fmuResources(const Arguments& arguments, std::vector<Diagnostic>& diagnostics) {
  const bool scene = isScene(arguments.operand(0));
  if (scene)
    for (const char* name :
         {"base", "no-mimic", "drop", "ground", "mesh-root", "no-meshes", "derive-collision", "inertia", "unit", "up", "root"})
      if (arguments.has(name)) throw UsageError(std::string("--") + name + " does not apply to scene files");
  Files files = scene ? ofScene(arguments, diagnostics) : ofFigure(arguments, diagnostics);
  constexpr const char* kInputs[] = {"torque", "position", "velocity"};
  files["fmu.txt"] = std::string("inputs ") + kInputs[arguments.choice("inputs", {"torque", "position", "velocity"}, 0)] + "\n";
  if (scene && arguments.has("dt")) files["fmu.txt"] += "time_step " + shortest(arguments.positive("dt", 0)) + "\n";
  return files;
}

}  // namespace vertebra::cli
