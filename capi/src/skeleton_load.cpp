// Skeletons loaded from URDF.
#include "capi/src/check.hpp"
#include "capi/src/objects.hpp"
#include "loaders/urdf/urdf.hpp"

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
