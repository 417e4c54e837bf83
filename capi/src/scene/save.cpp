// See save.hpp.
#include "capi/src/scene/save.hpp"

#include <cstring>
#include <filesystem>

#include "capi/src/scene/build.hpp"
#include "capi/src/scene/changes.hpp"
#include "capi/src/scene/state.hpp"
#include "capi/src/scene/table.hpp"
#include "loaders/scene/values.hpp"
#include "loaders/scene/write.hpp"

namespace vertebra::capi::scene {

namespace {

namespace fs = std::filesystem;

const ElementRule* ruleOf(const Xml& xml, const ElementRule& parent) {
  for (const ElementRule* rule : parent.children)
    if (std::strcmp(rule->name, xml.Name()) == 0) return rule;
  return nullptr;
}

// Paths that are relative to one folder become relative to another.
void rebase(Xml& xml, const ElementRule& rule, const fs::path& way) {
  for (const auto& attribute : rule.attributes) {
    const char* file = attribute.value == vertebra::scene::Value::File ? xml.Attribute(attribute.name.c_str()) : nullptr;
    if (file) xml.SetAttribute(attribute.name.c_str(), (way / file).lexically_normal().generic_string().c_str());
  }
  for (Xml* child = xml.FirstChildElement(); child; child = child->NextSiblingElement()) {
    if (std::strcmp(child->Name(), vertebra::scene::kRepeat.name) == 0)
      rebase(*child, rule, way);
    else if (const ElementRule* known = ruleOf(*child, rule))
      rebase(*child, *known, way);
  }
}

void writeSettings(const vtb_world& world, const SceneModel* model, Xml& root) {
  SettingsValues then, now;
  if (model) then.def = model->settings;
  if (vtb_world_get_settings(&world, &now.def) != VTB_OK) return;
  Xml* settings = root.FirstChildElement(kSettings.name);
  if (!settings) {
    settings = root.GetDocument()->NewElement(kSettings.name);
    if (vertebra::scene::updateAttributes(kSettings, &then, &now, *settings) > 0)
      root.InsertFirstChild(settings);
    else
      root.GetDocument()->DeleteNode(settings);
    return;
  }
  vertebra::scene::updateAttributes(kSettings, &then, &now, *settings);
}

}  // namespace

std::string sceneText(const vtb_world& world, const std::string* folder) {
  static const std::string kEmpty = "<?xml version=\"1.0\"?>\n<scene/>\n";
  const SceneModel* model = world.fromScene ? world.scenes.front()->model.get() : nullptr;
  const std::string& text = model ? model->text : kEmpty;
  tinyxml2::XMLDocument document;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) refuse(VTB_E_NOMEM, "out of memory");
  Xml& root = *document.RootElement();
  vtb_world_def settings{};
  settings.struct_size = sizeof settings;
  if (vtb_world_get_settings(&world, &settings) != VTB_OK) refuse(VTB_E_INTERNAL, vtb_last_error());
  settings.callbacks = {};
  vtb_world* made = nullptr;
  if (vtb_world_create(&settings, &made) != VTB_OK) refuse(VTB_E_NOMEM, "out of memory");
  const std::unique_ptr<vtb_world> fresh(made);
  for (const auto& scene : world.scenes) addScene(scene->model, *fresh, scene->prefix, scene->placement);
  const std::uint64_t now = world.engine.hash();  // first, always: it takes new joints into trees, which may move the bodies written below
  const bool begun = world.scenes.size() > 1 || fresh->engine.hash() != now;
  Changes changes(world, *fresh, root);
  changes.write();
  if (model && folder) {
    std::error_code none;
    const fs::path from = fs::weakly_canonical(fs::path(model->path).parent_path(), none), to = fs::weakly_canonical(*folder, none);
    const fs::path way = from.lexically_relative(to);
    if (way != "." && !way.empty()) rebase(root, kScene, way);
  }
  writeSettings(world, model, root);
  if (begun) {
    Xml* state = root.FirstChildElement(kState.name);
    if (state) root.DeleteChild(state);
    writeState(world, changes.names(), *root.InsertNewChildElement(kState.name));
  }
  return vertebra::scene::printed(document);
}

}  // namespace vertebra::capi::scene
