// See save.hpp.
#include "capi/src/scene/save.hpp"

#include <cstring>
#include <filesystem>

#include "capi/src/scene/build.hpp"
#include "capi/src/scene/state.hpp"
#include "capi/src/scene/table.hpp"
#include "loaders/scene/values.hpp"
#include "loaders/scene/write.hpp"

namespace vertebra::capi::scene {

namespace {

using Xml = tinyxml2::XMLElement;
namespace fs = std::filesystem;

const ElementRule* ruleOf(const Xml& xml, const ElementRule& parent) {
  for (const ElementRule* rule : parent.children)
    if (std::strcmp(rule->name, xml.Name()) == 0) return rule;
  return nullptr;
}

// Paths that are relative to one folder become relative to another.
void rebase(Xml& xml, const ElementRule& rule, const fs::path& way) {
  for (const auto& attribute : rule.attributes) {
    const char* file = attribute.value == vertebra::scene::Value::File ? xml.Attribute(attribute.name) : nullptr;
    if (file) xml.SetAttribute(attribute.name, (way / file).lexically_normal().generic_string().c_str());
  }
  for (Xml* child = xml.FirstChildElement(); child; child = child->NextSiblingElement()) {
    if (std::strcmp(child->Name(), vertebra::scene::kRepeat.name) == 0)
      rebase(*child, rule, way);
    else if (const ElementRule* known = ruleOf(*child, rule))
      rebase(*child, *known, way);
  }
}

std::uint64_t hashOf(const vtb_world& world) { return world.engine.hash(); }

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
  const SceneModel* model = world.scene.get();
  if (!model) refuse(VTB_E_UNSUPPORTED, "the world was not made from a scene");
  tinyxml2::XMLDocument document;
  if (document.Parse(model->text.data(), model->text.size()) != tinyxml2::XML_SUCCESS) refuse(VTB_E_NOMEM, "out of memory");
  Xml& root = *document.RootElement();
  if (folder) {
    std::error_code none;
    const fs::path from = fs::weakly_canonical(fs::path(model->path).parent_path(), none), to = fs::weakly_canonical(*folder, none);
    const fs::path way = from.lexically_relative(to);
    if (way != "." && !way.empty()) rebase(root, kScene, way);
  }
  writeSettings(world, model, root);
  vtb_world_def settings{};
  settings.struct_size = sizeof settings;
  if (vtb_world_get_settings(&world, &settings) != VTB_OK) refuse(VTB_E_INTERNAL, vtb_last_error());
  settings.log = nullptr, settings.before_step = nullptr, settings.filter = nullptr, settings.user = nullptr;
  vtb_world* made = nullptr;
  if (vtb_world_create(&settings, &made) != VTB_OK) refuse(VTB_E_NOMEM, "out of memory");
  const std::unique_ptr<vtb_world> fresh(made);
  addScene(*model, *fresh, "", Pose());
  if (hashOf(*fresh) != hashOf(world)) {
    Xml* state = root.FirstChildElement(kState.name);
    if (state)
      state->DeleteChildren();
    else
      state = root.InsertNewChildElement(kState.name);
    writeState(world, *state);
  }
  return vertebra::scene::printed(document);
}

}  // namespace vertebra::capi::scene
