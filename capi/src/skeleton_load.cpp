// Skeletons loaded from URDF and skeleton files, and written as such.
#include <fstream>

#include "capi/src/check.hpp"
#include "capi/src/convert.hpp"
#include "capi/src/objects.hpp"
#include "capi/src/skeleton_file/file.hpp"
#include "loaders/scene/reference.hpp"
#include "loaders/urdf/urdf.hpp"
#include "loaders/xml_text.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

UrdfOptions urdfOptions(const vtb_urdf_def* given) {
  const vtb_urdf_def def = readOptional(given);
  UrdfOptions options;
  const uint32_t flags = def.flags;
  options.strict = flags & VTB_LOAD_FLAG_STRICT;
  options.loadMeshes = !(flags & VTB_LOAD_FLAG_NO_MESHES);
  options.deriveCollision = flags & VTB_LOAD_FLAG_DERIVE_COLLISION;
  switch (def.inertia) {
    case VTB_INERTIA_GEOMETRY:
      options.missingInertia = UrdfOptions::MissingInertia::FromGeometry;
      break;
    case VTB_INERTIA_ERROR:
      options.missingInertia = UrdfOptions::MissingInertia::Error;
      options.invalidInertia = UrdfOptions::InvalidInertia::Error;
      break;
    default:
      break;
  }
  for (uint32_t i = 0; i < def.mesh_root_count; i++) options.meshRoots.emplace_back(&required(def.mesh_roots[i], "mesh_roots"));
  if (def.resolve)
    options.resolveMesh = [resolve = def.resolve, user = def.user](const std::string& uri, std::string& path) {
      std::vector<char> buffer(4096, '\0');
      if (!resolve(user, uri.c_str(), buffer.data(), buffer.size())) return false;
      buffer.back() = '\0';
      path = buffer.data();
      return true;
    };
  return options;
}

std::shared_ptr<const figure::Skeleton> kept(bool loaded, figure::Skeleton&& skeleton) {
  return loaded ? std::make_shared<const figure::Skeleton>(std::move(skeleton)) : nullptr;
}

}  // namespace

vtb_status vtb_urdf_def_init(vtb_urdf_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }

vtb_status vtb_skeleton_load_urdf(const char* path, const vtb_urdf_def* def, vtb_diagnostics** diagnostics, vtb_skeleton** out) {
  return guarded(__func__, [&] {
    required(path, "path");
    required(out, "out");
    const UrdfOptions options = urdfOptions(def);
    requireReadable(path);
    deliver(diagnostics, out, [&](Diagnostics& findings) {
      figure::Skeleton skeleton;
      const bool loaded = loadUrdfFile(path, options, skeleton, findings);
      return kept(loaded, std::move(skeleton));
    });
  });
}

vtb_status vtb_skeleton_parse_urdf(const char* text, size_t size, const char* name, const vtb_urdf_def* def, vtb_diagnostics** diagnostics,
                                   vtb_skeleton** out) {
  return guarded(__func__, [&] {
    requiredArray(text, size, "text");
    required(name, "name");
    required(out, "out");
    const UrdfOptions options = urdfOptions(def);
    deliver(diagnostics, out, [&](Diagnostics& findings) {
      figure::Skeleton skeleton;
      const bool loaded = loadUrdfText(std::string(text, size), name, options, skeleton, findings);
      return kept(loaded, std::move(skeleton));
    });
  });
}

vtb_status vtb_skeleton_load(const char* path, const vtb_urdf_def* def, vtb_diagnostics** diagnostics, vtb_skeleton** out) {
  return guarded(__func__, [&] {
    required(path, "path");
    required(out, "out");
    const UrdfOptions options = urdfOptions(def);
    requireReadable(path);
    deliver(diagnostics, out, [&](Diagnostics& findings) {
      std::string text;
      if (readXmlFile(path, text).empty() && skeleton_file::isSkeletonFile(text)) return skeleton_file::read(text, path, findings);
      figure::Skeleton skeleton;
      const bool loaded = loadUrdfFile(path, options, skeleton, findings);
      return kept(loaded, std::move(skeleton));
    });
  });
}

vtb_status vtb_skeleton_parse(const char* text, size_t size, const char* name, const vtb_urdf_def* def, vtb_diagnostics** diagnostics,
                              vtb_skeleton** out) {
  return guarded(__func__, [&] {
    requiredArray(text, size, "text");
    required(name, "name");
    required(out, "out");
    const UrdfOptions options = urdfOptions(def);
    const std::string content(text ? text : "", size);
    deliver(diagnostics, out, [&](Diagnostics& findings) {
      if (skeleton_file::isSkeletonFile(content)) return skeleton_file::read(content, name, findings);
      figure::Skeleton skeleton;
      const bool loaded = loadUrdfText(content, name, options, skeleton, findings);
      return kept(loaded, std::move(skeleton));
    });
  });
}

vtb_status vtb_skeleton_save(const vtb_skeleton* skeleton, const char* path) {
  return guarded(__func__, [&] {
    const std::string text = skeleton_file::write(*required(skeleton, "skeleton").model);
    std::ofstream file(&required(path, "path"), std::ios::binary);
    file << text;
    file.close();
    if (!file) refuse(VTB_E_IO, "'" + std::string(path) + "' cannot be written");
  });
}

vtb_status vtb_skeleton_write(const vtb_skeleton* skeleton, char* buffer, size_t size, size_t* needed) {
  return guarded(__func__, [&] {
    const figure::Skeleton& model = *required(skeleton, "skeleton").model;
    required(needed, "needed");
    writeText(skeleton_file::write(model), buffer, size, needed);
  });
}

vtb_status vtb_skeleton_get_reference(char* buffer, size_t size, size_t* needed) {
  return guarded(__func__, [&] { writeText(vertebra::scene::reference(skeleton_file::rules().skeleton), buffer, size, needed); });
}
