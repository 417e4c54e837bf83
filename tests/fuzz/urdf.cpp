// Any bytes as a URDF, strict and lenient: no crash, and what loads is a valid skeleton.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "loaders/urdf/urdf.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vertebra;
  if (size == 0) return 0;
  UrdfOptions options;  // the first byte chooses
  options.strict = data[0] & 1;
  options.loadMeshes = false;
  options.deriveCollision = data[0] & 2;
  options.missingInertia = data[0] & 4 ? UrdfOptions::MissingInertia::FromGeometry : UrdfOptions::MissingInertia::Zero;
  options.invalidInertia = data[0] & 8 ? UrdfOptions::InvalidInertia::Nearest : UrdfOptions::InvalidInertia::Repair;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  figure::Skeleton skeleton;
  Diagnostics diagnostics;
  bool loaded = loadUrdfText(text, "fuzz.urdf", options, skeleton, diagnostics);
  if (loaded == diagnostics.hasErrors()) std::abort();
  for (const Diagnostic& d : diagnostics.entries)
    if (d.code.rfind("urdf.urdfdom", 0) == 0 || d.code == "urdf.skeleton.invalid") std::abort();  // errors of the library, not of the file
  if (loaded && !figure::checkSkeleton(skeleton).empty()) std::abort();
  return 0;
}
