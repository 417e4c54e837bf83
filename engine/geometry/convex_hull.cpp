// Hull of points through the reentrant C interface of Qhull. Points are first moved and scaled to a unit box by powers of two, so that one
// absolute tolerance suits every size; Qhull merges faces flatter than that tolerance, which keeps the topology valid. Qhull reports errors
// by longjmp: all calls stay in one function that holds no object with a destructor.
#include "engine/geometry/convex_hull.hpp"

#include <libqhull_r/qhull_ra.h>

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <map>

namespace vertebra::geometry {
namespace {

constexpr double kFlat = 1e-7;  // relative to the extent; thinner point sets are flat

struct Loops {  // faces of a hull as Qhull hands them over: vertex indices, the count of each face, outward normals
  std::vector<int> index, count;
  std::vector<Vec3> normals;
  int used = 0, faces = 0;
};

// Runs Qhull on n scaled points and writes the faces into the preallocated arrays of `loops`. Returns Qhull's exit code.
int runQhull(double* xyz, int n, const char* options, FILE* sink, Loops& loops) {
  qhT state;
  qhT* qh = &state;
  QHULL_LIB_CHECK
  qh_zero(qh, sink);
  volatile int code = qh_new_qhull(qh, 3, n, xyz, False, const_cast<char*>(options), nullptr, sink);
  if (!code) {
    qh->NOerrexit = False;
    code = setjmp(qh->errexit);
    if (!code) {
      facetT* facet;
      vertexT *vertex, **vertexp;
      FORALLfacets {
        setT* ordered = qh_facet3vertex(qh, facet);
        int k = qh_setsize(qh, ordered);
        if (loops.used + k > static_cast<int>(loops.index.size()) || loops.faces >= static_cast<int>(loops.count.size())) {
          code = qh_ERRqhull;
          break;
        }
        FOREACHvertex_(ordered) loops.index[loops.used++] = qh_pointid(qh, vertex->point);
        loops.count[loops.faces] = k;
        loops.normals[loops.faces++] = Vec3(facet->normal[0], facet->normal[1], facet->normal[2]);
        qh_settempfree(qh, &ordered);
      }
    }
    qh->NOerrexit = True;
  }
  int longMemory, totalMemory;
  qh_freeqhull(qh, qh_ALL);
  qh_memfreeshort(qh, &longMemory, &totalMemory);
  return code;
}

// Thickness of the point set: distance of the farthest point from the plane through three far-apart ones.
double thickness(const std::vector<Vec3>& p) {
  auto farthest = [&](auto&& measure) {
    size_t best = 0;
    for (size_t i = 1; i < p.size(); ++i)
      if (measure(p[i]) > measure(p[best])) best = i;
    return p[best];
  };
  Vec3 a = farthest([&](const Vec3& x) { return (x - p[0]).squaredNorm(); });
  Vec3 b = farthest([&](const Vec3& x) { return (x - a).squaredNorm(); });
  Vec3 ab = (b - a).normalized();
  Vec3 c = farthest([&](const Vec3& x) { return (x - a).cross(ab).squaredNorm(); });
  Vec3 normal = ab.cross(c - a);
  if (!(normal.norm() > kFlat)) return 0;
  normal.normalize();
  Vec3 d = farthest([&](const Vec3& x) { return std::abs((x - a).dot(normal)); });
  return std::abs((d - a).dot(normal));
}

// Builds faces, edges and neighbours, of more than `most` vertices nothing but these; false if the loops are not one closed convex
// polyhedron.
bool assemble(const std::vector<Vec3>& points, const Loops& loops, double tolerance, std::size_t most, ConvexHull& hull) {
  std::vector<int> number(points.size(), -1);
  std::vector<int> used(loops.index.begin(), loops.index.begin() + loops.used);
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (int i : used) {
    number[i] = static_cast<int>(hull.vertices.size());
    hull.vertices.push_back(points[i]);
  }
  if (hull.vertices.size() > most) return true;
  std::map<std::pair<int, int>, int> halfEdges;
  for (int f = 0, at = 0; f < loops.faces; at += loops.count[f++]) {
    std::vector<int> face;
    for (int k = 0; k < loops.count[f]; ++k) face.push_back(number[loops.index[at + k]]);
    if (face.size() < 3) return false;
    Vec3 area = Vec3::Zero();  // Newell's normal: valid also for a loop that is not quite flat
    const Vec3& origin = hull.vertices[face[0]];
    for (size_t k = 1; k + 1 < face.size(); ++k) area += (hull.vertices[face[k]] - origin).cross(hull.vertices[face[k + 1]] - origin);
    if (area.dot(loops.normals[f]) < 0) {
      std::reverse(face.begin(), face.end());
      area = -area;
    }
    Vec3 normal = area.norm() > 0 ? Vec3(area.normalized()) : loops.normals[f];
    if (normal.dot(loops.normals[f]) < 0.9999) normal = loops.normals[f];
    double offset = -kInf;
    for (const Vec3& v : hull.vertices) offset = std::max(offset, normal.dot(v));
    for (size_t k = 0; k < face.size(); ++k) {
      if (normal.dot(hull.vertices[face[k]]) < offset - tolerance) return false;
      if (!halfEdges.emplace(std::make_pair(face[k], face[(k + 1) % face.size()]), f).second) return false;
    }
    hull.faces.push_back(std::move(face));
    hull.normals.push_back(normal);
    hull.offsets.push_back(offset);
  }
  hull.neighbours.resize(hull.vertices.size());
  for (const auto& [edge, face] : halfEdges) {
    if (!halfEdges.count({edge.second, edge.first})) return false;
    hull.neighbours[edge.first].push_back(edge.second);
    if (edge.first < edge.second) hull.edges.push_back(edge);
  }
  for (std::size_t octant = 0; octant < hull.starts.size(); octant++) {
    const Vec3 d(octant & 1 ? -1 : 1, octant & 2 ? -1 : 1, octant & 4 ? -1 : 1);
    hull.starts[octant] = static_cast<int>(
        std::max_element(hull.vertices.begin(), hull.vertices.end(), [&](const Vec3& a, const Vec3& b) { return a.dot(d) < b.dot(d); }) -
        hull.vertices.begin());
  }
  return static_cast<int>(hull.vertices.size()) - static_cast<int>(hull.edges.size()) + static_cast<int>(hull.faces.size()) == 2;
}

}  // namespace

std::string makeConvexHull(const std::vector<Vec3>& points, ConvexHull& out, std::size_t most) {
  if (points.size() < 4) return "a convex hull needs at least 4 points, got " + std::to_string(points.size());
  if (points.size() > 50'000'000) return "a convex hull of more than 50 million points is refused";
  Vec3 lo = points[0], hi = points[0];
  for (size_t i = 0; i < points.size(); ++i) {
    if (!points[i].allFinite()) return "point " + std::to_string(i) + " of the convex hull is not finite";
    lo = lo.cwiseMin(points[i]);
    hi = hi.cwiseMax(points[i]);
  }
  double extent = (hi - lo).maxCoeff();
  if (!(extent > 1e-100 && extent < 1e100)) return "the points of the convex hull all coincide or are out of range";
  double scale = std::ldexp(1.0, -std::ilogb(extent));  // a power of two: scaling is exact
  Vec3 centre = 0.5 * (lo + hi);
  std::vector<Vec3> unit;
  unit.reserve(points.size());
  for (const Vec3& p : points) unit.push_back((p - centre) * scale);
  if (thickness(unit) < kFlat) return "the points of the convex hull lie in one plane or line: it has no volume";

  FILE* sink = std::fopen("/dev/null", "w");
  if (!sink) return "no sink for Qhull's messages";
  // Merging first; if merged loops fail the check below (noise about as large as the tolerance), plain triangles.
  std::string error = "Qhull could not build the convex hull";
  for (const char* options : {"qhull C-1e-7 Pp", "qhull Qt Pp", "qhull QJ Pp"}) {
    Loops loops;
    loops.index.resize(6 * unit.size() + 64);
    loops.count.resize(2 * unit.size() + 16);
    loops.normals.resize(2 * unit.size() + 16);
    int code = runQhull(unit[0].data(), static_cast<int>(unit.size()), options, sink, loops);
    ConvexHull hull;
    if (code == 0 && assemble(points, loops, 1e-5 * extent, most, hull)) {
      out = std::move(hull);
      error.clear();
      break;
    }
  }
  std::fclose(sink);
  return error;
}

}  // namespace vertebra::geometry
