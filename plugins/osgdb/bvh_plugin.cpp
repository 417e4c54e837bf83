// osgdb_bvh.so: osgDB's reader of BVH files, in place of OpenSceneGraph's own, which is right for one order of rotations alone.
#include <osgDB/FileNameUtils>
#include <osgDB/Registry>

#include "plugins/osgdb/abi.hpp"
#include "plugins/osgdb/clip.hpp"
#include "plugins/osgdb/reader.hpp"

namespace vertebra::osgdb {

class BvhReader : public Reader {
 public:
  BvhReader() : Reader("bvh", "BVH motion (vertebra)") {
    supportsOption("noBones", "the joints alone, nothing is drawn");
    supportsOption("unit=METRES", "length of the file's unit; else guessed from the figure's height");
    supportsOption("up=x|y|z", "axis of the file that points up; else guessed");
    supportsOption("animationPath[=JOINT]", "readObject answers the osg::AnimationPath of a joint (the first root) in the world");
  }
  const char* className() const override { return "BVH reader of vertebra"; }

 protected:
  osg::ref_ptr<osg::Node> node(const Source& source, const Settings& settings) const override {
    return clipNode(motionOf(source, settings).get(), osgDB::getSimpleFileName(source.name), settings);
  }
  osg::ref_ptr<osg::Object> object(const Source& source, const Settings& settings) const override {
    if (!settings.path) return node(source, settings);
    return clipPath(motionOf(source, settings).get(), settings.pathJoint, settings);
  }

 private:
  static Motion motionOf(const Source& source, const Settings& settings) {
    vtb_bvh_def def{};
    check(vtb_bvh_def_init(&def, sizeof def));
    if (settings.strict) def.flags |= VTB_LOAD_FLAG_STRICT;
    def.unit = settings.unit;
    def.up_axis = settings.up;
    vtb_diagnostics* findings = nullptr;
    vtb_motion* made = nullptr;
    const vtb_status status =
        source.text ? vtb_motion_parse_bvh(source.text->data(), source.text->size(), source.name.c_str(), &def, &findings, &made)
                    : vtb_motion_load_bvh(source.name.c_str(), &def, &findings, &made);
    Motion motion(made);
    tell(findings, status);
    return motion;
  }
};

}  // namespace vertebra::osgdb

using vertebra::osgdb::BvhReader;
REGISTER_OSGPLUGIN(bvh, BvhReader)
