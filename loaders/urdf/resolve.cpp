// See resolve.hpp.
#include "loaders/urdf/resolve.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace vertebra {

namespace {

namespace fs = std::filesystem;

struct Uri {
  std::string scheme;             // "package", "file", ... or empty
  bool absolute = false;          // of file URIs and plain paths
  std::vector<std::string> path;  // components; the first is the package if the scheme is "package"
};

int hexDigit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string percentDecoded(const std::string& s) {
  std::string out;
  for (std::size_t i = 0; i < s.size(); ++i) {
    int high = s[i] == '%' && i + 2 < s.size() ? hexDigit(s[i + 1]) : -1, low = high >= 0 ? hexDigit(s[i + 2]) : -1;
    if (low >= 0) {
      out += static_cast<char>(16 * high + low);
      i += 2;
    } else {
      out += s[i];
    }
  }
  return out;
}

Uri parse(const std::string& text) {
  Uri uri;
  std::string rest = text;
  std::size_t mark = text.find("://");
  if (mark != std::string::npos) {
    uri.scheme = text.substr(0, mark);
    rest = text.substr(mark + 3);
    if (uri.scheme == "file") rest = percentDecoded(rest);
    if (uri.scheme == "model") uri.scheme = "package";  // Gazebo's scheme for the same
  }
  std::replace(rest.begin(), rest.end(), '\\', '/');
  uri.absolute = uri.scheme != "package" && !rest.empty() && rest[0] == '/';
  std::string part;
  for (char c : rest + "/") {
    if (c != '/') {
      part += c;
    } else {
      if (!part.empty() && part != ".") uri.path.push_back(part);
      part.clear();
    }
  }
  return uri;
}

fs::path joined(const std::vector<std::string>& parts, std::size_t from) {
  fs::path out;
  for (std::size_t i = from; i < parts.size(); ++i) out /= parts[i];
  return out;
}

std::vector<fs::path> environmentPaths(const char* variable) {
  std::vector<fs::path> out;
  const char* value = std::getenv(variable);
  std::string part;
  for (const char* c = value != nullptr ? value : "";; ++c) {
    if (*c != ':' && *c != 0) {
      part += *c;
      continue;
    }
    if (!part.empty()) out.push_back(part);
    part.clear();
    if (*c == 0) break;
  }
  return out;
}

std::vector<fs::path> foldersAbove(const std::string& urdfPath) {
  constexpr std::size_t kMost = 12;
  std::error_code ec;
  fs::path folder = fs::absolute(fs::path(urdfPath), ec).lexically_normal().parent_path();
  std::vector<fs::path> out;
  while (out.size() < kMost) {
    out.push_back(folder);
    if (folder == folder.root_path() || folder.empty()) break;
    folder = folder.parent_path();
  }
  return out;
}

class Search {
 public:
  explicit Search(ResolvedMesh& out) : out_(out) {}
  bool look(const fs::path& folder, const fs::path& rest) {
    const std::string under = folder.lexically_normal().string();
    if (std::find(out_.folders.begin(), out_.folders.end(), under) == out_.folders.end()) out_.folders.push_back(under);
    return look(folder / rest);
  }
  bool look(const fs::path& candidate) {
    std::string path = candidate.lexically_normal().string();
    if (std::find(out_.tried.begin(), out_.tried.end(), path) != out_.tried.end()) return false;
    out_.tried.push_back(path);
    std::error_code ec;
    if (!fs::is_regular_file(candidate, ec)) return false;
    out_.path = path;
    return true;
  }

 private:
  ResolvedMesh& out_;
};

bool inPackage(const Uri& uri, const UrdfOptions& options, const std::vector<fs::path>& above, Search& search) {
  if (uri.path.empty()) return false;
  const std::string& package = uri.path[0];
  fs::path whole = joined(uri.path, 0), rest = joined(uri.path, 1);
  for (const std::string& root : options.meshRoots)
    if (search.look(fs::path(root), whole) || search.look(fs::path(root), rest)) return true;
  std::error_code ec;
  for (const fs::path& folder : above) {
    bool isPackage = folder.filename() == package || fs::is_regular_file(folder / "package.xml", ec);
    if ((isPackage && search.look(folder, rest)) || search.look(folder, whole)) return true;
  }
  for (const fs::path& folder : environmentPaths("ROS_PACKAGE_PATH"))
    if (search.look(folder, whole) || (folder.filename() == package && search.look(folder, rest))) return true;
  for (const fs::path& folder : environmentPaths("AMENT_PREFIX_PATH"))
    if (search.look(folder / "share", whole)) return true;
  return false;
}

}  // namespace

ResolvedMesh resolveMeshPath(const std::string& uri, const std::string& urdfPath, const UrdfOptions& options) {
  ResolvedMesh out;
  Search search(out);
  std::string given;
  if (options.resolveMesh && options.resolveMesh(uri, given) && search.look(given)) return out;
  Uri parsed = parse(uri);
  if (parsed.path.empty() || parsed.path.size() > 64 || uri.size() > 4096) return out;
  std::vector<fs::path> above = foldersAbove(urdfPath);
  if (parsed.scheme == "package") {
    if (inPackage(parsed, options, above, search)) return out;
  } else if (parsed.absolute) {
    if (search.look(fs::path("/"), joined(parsed.path, 0))) return out;
  } else if (parsed.scheme.empty() || parsed.scheme == "file") {
    if (search.look(above.front(), joined(parsed.path, 0))) return out;
    for (const std::string& root : options.meshRoots)
      if (search.look(fs::path(root), joined(parsed.path, 0))) return out;
  } else {
    return out;  // http and similar: nothing is downloaded
  }
  out.guessed = true;
  for (const std::string& root : options.meshRoots)
    for (std::size_t from = 0; from < parsed.path.size(); ++from)
      if (search.look(fs::path(root), joined(parsed.path, from))) return out;
  for (const fs::path& folder : above)  // at least one folder of the path must exist, except beside the URDF itself
    for (std::size_t from = 0; from + 1 < parsed.path.size() || (folder == above.front() && from < parsed.path.size()); ++from)
      if (search.look(folder, joined(parsed.path, from))) return out;
  return out;
}

}  // namespace vertebra
