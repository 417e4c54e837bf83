// osgdb_urdf.so: osgDB's reader of URDF files.
#include <osgDB/Registry>

#include "plugins/osgdb/abi.hpp"
#include "plugins/osgdb/reader.hpp"
#include "plugins/osgdb/robot.hpp"

namespace vertebra::osgdb {

class UrdfReader : public Reader {
 public:
  UrdfReader() : Reader("urdf", "URDF robot (vertebra)") {
    supportsOption("noMeshes", "mesh files stay unread");
    supportsOption("collision", "collision shapes in place of visuals");
  }
  const char* className() const override { return "URDF reader of vertebra"; }

 protected:
  osg::ref_ptr<osg::Node> node(const Source& source, const Settings& settings) const override {
    vtb_urdf_def def{};
    check(vtb_urdf_def_init(&def, sizeof def));
    if (settings.strict) def.flags |= VTB_LOAD_FLAG_STRICT;
    if (settings.noMeshes) def.flags |= VTB_LOAD_FLAG_NO_MESHES;
    std::vector<const char*> folders;
    for (const std::string& folder : source.folders) folders.push_back(folder.c_str());
    def.mesh_roots = folders.data();
    def.mesh_root_count = static_cast<std::uint32_t>(folders.size());
    vtb_diagnostics* findings = nullptr;
    vtb_skeleton* made = nullptr;
    const vtb_status status =
        source.text ? vtb_skeleton_parse_urdf(source.text->data(), source.text->size(), source.name.c_str(), &def, &findings, &made)
                    : vtb_skeleton_load_urdf(source.name.c_str(), &def, &findings, &made);
    const Skeleton skeleton(made);
    tell(findings, status);
    return robotNode(made, settings);
  }
};

}  // namespace vertebra::osgdb

using vertebra::osgdb::UrdfReader;
REGISTER_OSGPLUGIN(urdf, UrdfReader)
