// See fmu_licenses.hpp. FMI 3.0.1, 2.5.1.1.4 and FMI 2.0.4, 2.3: documentation/licenses/license.txt is where a reader begins.
#include "cli/fmu_licenses.hpp"

#include <filesystem>
#include <fstream>

#include "license/license.hpp"  // made in the build from our LICENSE

namespace vertebra::cli {

namespace {

namespace fs = std::filesystem;

// The packages that own these files, by their lists of files. A merged /usr is known to some lists as /lib.
std::map<std::string, std::string> ownersOf(const std::vector<std::pair<std::string, std::string>>& libraries) {
  std::map<std::string, std::string> wanted, owners;  // library by path; package by library
  for (const auto& [library, path] : libraries) {
    std::error_code error;
    const std::string real = fs::canonical(path, error).string();
    if (error) continue;
    wanted[real] = library;
    if (real.starts_with("/usr/")) wanted[real.substr(4)] = library;
  }
  std::error_code error;
  for (const fs::directory_entry& list : fs::directory_iterator("/var/lib/dpkg/info", error)) {
    if (list.path().extension() != ".list") continue;
    const std::string name = list.path().stem().string(), package = name.substr(0, name.find(':'));  // zlib1g:amd64
    if (!package.starts_with("lib") && !package.starts_with("zlib")) continue;
    std::ifstream lines(list.path());
    for (std::string line; std::getline(lines, line);)
      if (const auto found = wanted.find(line); found != wanted.end()) owners[found->second] = package;
  }
  return owners;
}

}  // namespace

Files fmuLicenses(const std::vector<std::pair<std::string, std::string>>& libraries) {
  Files files;
  std::string index = std::string("vertebra, of which this FMU holds a library:\n\n") + kLicense + "\nLibraries that go with it:\n";
  const auto owners = ownersOf(libraries);
  for (const auto& [library, path] : libraries) {
    const auto owner = owners.find(library);
    const fs::path text = owner == owners.end() ? fs::path() : fs::path("/usr/share/doc") / owner->second / "copyright";
    if (std::error_code error; text.empty() || !fs::is_regular_file(text, error)) {
      index += library + ": its licence was not found where the FMU was made\n";
      continue;
    }
    const std::string file = owner->second + ".txt";
    index += library + ": " + file + "\n";
    files[file] = contentOf(text);
  }
  files["license.txt"] = index;
  return files;
}

}  // namespace vertebra::cli
