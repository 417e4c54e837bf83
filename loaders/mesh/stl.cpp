// See stl.hpp. Layout: 80 bytes of header, the number of triangles, then for each a normal, three corners and two bytes; little-endian
// floats. Corners are found again by their bits in a table of open addresses.
#include "loaders/mesh/stl.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <vector>

namespace vertebra {
namespace {

constexpr std::size_t kHeader = 84, kTriangle = 50, kNormal = 12;

std::uint32_t number(const unsigned char* at) {
  return static_cast<std::uint32_t>(at[0]) | static_cast<std::uint32_t>(at[1]) << 8 | static_cast<std::uint32_t>(at[2]) << 16 |
         static_cast<std::uint32_t>(at[3]) << 24;
}

using Corner = std::array<std::uint32_t, 3>;

Corner cornerAt(const unsigned char* at) {
  Corner c;
  for (std::size_t k = 0; k < 3; k++) {
    c[k] = number(at + 4 * k);
    if (c[k] == 0x80000000u) c[k] = 0;  // -0 equals 0
  }
  return c;
}

float valueOf(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

class Vertices {
 public:
  Vertices(std::vector<Vec3>& out, std::size_t corners) : out_(out) {
    std::size_t size = 16;
    while (size < 2 * corners) size *= 2;
    table_.assign(size, -1);
  }
  int find(const Corner& c) {
    const std::size_t mask = table_.size() - 1;
    std::uint64_t hash = 1469598103934665603ull;
    for (std::uint32_t x : c) hash = (hash ^ x) * 1099511628211ull;
    std::size_t at = static_cast<std::size_t>(hash ^ hash >> 29) & mask;
    for (; table_[at] >= 0; at = (at + 1) & mask)
      if (corners_[static_cast<std::size_t>(table_[at])] == c) return table_[at];
    table_[at] = static_cast<int>(corners_.size());
    corners_.push_back(c);
    out_.emplace_back(valueOf(c[0]), valueOf(c[1]), valueOf(c[2]));
    return table_[at];
  }

 private:
  std::vector<Vec3>& out_;
  std::vector<Corner> corners_;
  std::vector<int> table_;
};

}  // namespace

std::optional<geometry::TriangleMesh> readBinaryStl(const std::string& path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = in ? static_cast<std::streamoff>(in.tellg()) : 0;
  if (size < static_cast<std::streamoff>(kHeader)) return std::nullopt;
  unsigned char header[kHeader];
  in.seekg(0);
  if (!in.read(reinterpret_cast<char*>(header), kHeader)) return std::nullopt;
  const std::size_t count = number(header + 80);
  if (count == 0 || static_cast<std::uint64_t>(size) != kHeader + std::uint64_t(kTriangle) * count) return std::nullopt;
  std::vector<unsigned char> bytes(kTriangle * count);
  if (!in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()))) return std::nullopt;
  geometry::TriangleMesh mesh;
  mesh.triangles.reserve(count);
  Vertices vertices(mesh.vertices, 3 * count);
  for (std::size_t i = 0; i < count; i++) {
    const unsigned char* const corner = bytes.data() + kTriangle * i + kNormal;
    mesh.triangles.emplace_back(vertices.find(cornerAt(corner)), vertices.find(cornerAt(corner + 12)),
                                vertices.find(cornerAt(corner + 24)));
  }
  return mesh;
}

}  // namespace vertebra
