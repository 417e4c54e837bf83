// See mesh.hpp.
#include "loaders/mesh/mesh.hpp"

#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "loaders/mesh/stl.hpp"

namespace vertebra {

namespace {

std::string extensionOf(const std::string& path) {
  std::string e = std::filesystem::path(path).extension().string();
  for (char& c : e)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return e;
}

// Faults found before assimp reads the file: kind, size, and a binary STL whose count does not fit.
std::string refusal(const std::string& path) {
  std::error_code ec;
  if (!std::filesystem::is_regular_file(path, ec)) return "the file does not exist or is not a regular file";
  std::uintmax_t size = std::filesystem::file_size(path, ec);
  if (ec) return "the file cannot be read";
  if (size == 0) return "the file is empty";
  if (size > kLargestMeshFile) return "the file is larger than " + std::to_string(kLargestMeshFile >> 20) + " MiB";
  std::string e = extensionOf(path);
  if (e != ".stl" && e != ".obj" && e != ".dae" && e != ".gltf" && e != ".glb" && e != ".ply")
    return "files of kind '" + e + "' are not read; use stl, obj, dae, gltf, glb or ply";
  std::ifstream in(path, std::ios::binary);
  char head[84] = {};
  in.read(head, sizeof head);
  if (in.gcount() == 0) return "the file cannot be read";
  if (e == ".stl" && std::strncmp(head, "solid", 5) != 0) {
    if (in.gcount() < static_cast<std::streamsize>(sizeof head)) return "a binary STL is shorter than its header";
    std::uint32_t count = 0;
    for (int i = 3; i >= 0; --i) count = count << 8 | static_cast<unsigned char>(head[80 + i]);
    if (84 + std::uintmax_t(50) * count > size)
      return "a binary STL claims " + std::to_string(count) + " triangles, more than the file holds";
  }
  return "";
}

constexpr std::size_t kMostTriangles = 20000000;
constexpr const char *kBadNumbers = "it holds coordinates that are not finite, or bad indices",
                     *kTooMany = "it holds more than 20 million triangles";
constexpr double kFarthest = 1e9;  // m

Eigen::Matrix4d matrixOf(const aiMatrix4x4& m) {
  Eigen::Matrix4d out;
  for (unsigned r = 0; r < 4; ++r)
    for (unsigned c = 0; c < 4; ++c) out(r, c) = m[r][c];
  return out;
}

void colourOf(const aiScene& scene, const aiMesh& mesh, MeshPart& part) {
  if (mesh.mMaterialIndex >= scene.mNumMaterials) return;
  const aiMaterial& material = *scene.mMaterials[mesh.mMaterialIndex];
  aiColor4D c;
  aiString name;
  bool placeholder = material.Get(AI_MATKEY_NAME, name) == AI_SUCCESS && std::strcmp(name.C_Str(), AI_DEFAULT_MATERIAL_NAME) == 0;
  if (placeholder || material.Get(AI_MATKEY_COLOR_DIFFUSE, c) != AI_SUCCESS) return;
  float alpha = c.a, opacity = 1;
  if (material.Get(AI_MATKEY_OPACITY, opacity) == AI_SUCCESS && opacity > 0) alpha = std::min(alpha, opacity);
  const float values[4] = {c.r, c.g, c.b, alpha};
  for (int i = 0; i < 4; ++i) part.rgba[i] = std::isfinite(values[i]) ? std::min(1.0f, std::max(0.0f, values[i])) : 0.7f;
  part.hasColour = true;
}

// Triangles of one assimp mesh under a node; false when a coordinate is not finite.
bool convert(const aiMesh& from, const Eigen::Matrix4d& pose, geometry::TriangleMesh& to) {
  int base = static_cast<int>(to.vertices.size());
  for (unsigned i = 0; i < from.mNumVertices; ++i) {
    const aiVector3D& v = from.mVertices[i];
    Vec3 p = (pose * Eigen::Vector4d(v.x, v.y, v.z, 1)).head<3>();
    if (!p.allFinite() || p.cwiseAbs().maxCoeff() > kFarthest) return false;
    to.vertices.push_back(p);
  }
  bool mirrored = pose.topLeftCorner<3, 3>().determinant() < 0;
  for (unsigned i = 0; i < from.mNumFaces; ++i) {
    const aiFace& f = from.mFaces[i];
    if (f.mNumIndices != 3) continue;  // points and lines
    Eigen::Vector3i t(static_cast<int>(f.mIndices[0]), static_cast<int>(f.mIndices[1]), static_cast<int>(f.mIndices[2]));
    if (t.minCoeff() < 0 || t.maxCoeff() >= static_cast<int>(from.mNumVertices)) return false;
    if (mirrored) std::swap(t[1], t[2]);
    to.triangles.push_back(t.array() + base);
  }
  return true;
}

std::string collect(const aiScene& scene, std::vector<MeshPart>& parts) {
  struct Visit {
    const aiNode* node;
    Eigen::Matrix4d pose;
  };
  std::vector<Visit> open{{scene.mRootNode, matrixOf(scene.mRootNode->mTransformation)}};
  std::size_t triangles = 0;
  while (!open.empty()) {
    Visit v = open.back();
    open.pop_back();
    for (unsigned i = 0; i < v.node->mNumMeshes; ++i) {
      const aiMesh& mesh = *scene.mMeshes[v.node->mMeshes[i]];
      auto made = std::make_shared<geometry::TriangleMesh>();
      if (!convert(mesh, v.pose, *made)) return kBadNumbers;
      if (made->triangles.empty()) continue;
      triangles += made->triangles.size();
      if (triangles > kMostTriangles) return kTooMany;
      MeshPart part;
      part.name = mesh.mName.C_Str();
      colourOf(scene, mesh, part);
      part.mesh = std::move(made);
      parts.push_back(std::move(part));
    }
    for (unsigned i = v.node->mNumChildren; i-- > 0;)
      open.push_back({v.node->mChildren[i], v.pose * matrixOf(v.node->mChildren[i]->mTransformation)});
  }
  return parts.empty() ? "it holds no triangles" : "";
}

// A binary STL: one part without a colour, as assimp makes of it.
std::string takeStl(geometry::TriangleMesh&& mesh, std::vector<MeshPart>& parts) {
  if (mesh.triangles.size() > kMostTriangles) return kTooMany;
  for (const Vec3& p : mesh.vertices)
    if (!p.allFinite() || p.cwiseAbs().maxCoeff() > kFarthest) return kBadNumbers;
  parts.emplace_back();
  parts.back().mesh = std::make_shared<geometry::TriangleMesh>(std::move(mesh));
  return "";
}

}  // namespace

std::string loadMesh(const std::string& path, std::vector<MeshPart>& parts) {
  parts.clear();
  std::string problem = refusal(path);
  if (!problem.empty()) return problem;
  if (extensionOf(path) == ".stl")
    if (std::optional<geometry::TriangleMesh> mesh = readBinaryStl(path)) return takeStl(std::move(*mesh), parts);
  try {
    Assimp::Importer importer;
    importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS, aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS | aiComponent_COLORS |
                                                            aiComponent_TEXCOORDS | aiComponent_BONEWEIGHTS | aiComponent_ANIMATIONS |
                                                            aiComponent_TEXTURES | aiComponent_LIGHTS | aiComponent_CAMERAS);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
    const aiScene* scene = importer.ReadFile(path, aiProcess_RemoveComponent | aiProcess_Triangulate | aiProcess_JoinIdenticalVertices);
    if (scene == nullptr || scene->mRootNode == nullptr) {
      problem = std::string("it cannot be read: ") + importer.GetErrorString();
    } else {
      problem = collect(*scene, parts);
    }
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    problem = std::string("it cannot be read: ") + e.what();
  }
  if (!problem.empty()) parts.clear();
  return problem;
}

char colladaUpAxis(const std::string& path) {
  if (extensionOf(path) != ".dae") return 0;
  std::ifstream in(path, std::ios::binary);
  std::string head(1 << 16, 0);  // <asset> comes first
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  for (char axis : {'X', 'Y', 'Z'}) {
    std::size_t at = head.find("<up_axis>");
    std::size_t word = at == std::string::npos ? at : head.find_first_not_of(" \t\r\n", at + 9);
    if (word != std::string::npos && head.compare(word, 4, std::string(1, axis) + "_UP") == 0) return axis;
  }
  return 0;
}

Mat3 turnToZUp(char upAxis) {
  Mat3 m = Mat3::Identity();
  if (upAxis == 'Y') m << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  if (upAxis == 'X') m << 0, -1, 0, 0, 0, -1, 1, 0, 0;
  return m;
}

const MeshCache::Entry& MeshCache::get(const std::string& path, bool turned) {
  auto [at, fresh] = entries_.try_emplace({path, turned});
  Entry& entry = at->second;
  if (!fresh) return entry;
  if (!turned) {
    entry.problem = loadMesh(path, entry.parts);
    entry.upAxis = colladaUpAxis(path);
    return entry;
  }
  entry = get(path);
  Mat3 turn = turnToZUp(entry.upAxis);
  for (MeshPart& part : entry.parts) {
    auto copy = std::make_shared<geometry::TriangleMesh>(*part.mesh);
    for (Vec3& v : copy->vertices) v = turn * v;
    part.mesh = std::move(copy);
  }
  return entry;
}

std::shared_ptr<const geometry::TriangleMesh> scaledMesh(const std::shared_ptr<const geometry::TriangleMesh>& mesh, const Vec3& scale) {
  if (scale == Vec3::Ones()) return mesh;
  auto out = std::make_shared<geometry::TriangleMesh>(*mesh);
  for (Vec3& v : out->vertices) v = v.cwiseProduct(scale);
  if (scale.prod() < 0)
    for (Eigen::Vector3i& t : out->triangles) std::swap(t[1], t[2]);
  return out;
}

}  // namespace vertebra
