// Licences of what an FMU holds: ours, and those of the libraries that go with it, as their Debian packages tell them.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "cli/fmu_resources.hpp"

namespace vertebra::cli {

// Files of an FMU's documentation/licenses by name: license.txt, which names the others. libraries: names and paths, as FmuRuntime::needed
// gives them. One that no package owns is named without a text.
Files fmuLicenses(const std::vector<std::pair<std::string, std::string>>& libraries);

}  // namespace vertebra::cli
