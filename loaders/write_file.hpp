// Writing a text to a file as it is, with the finding when that fails.
#pragma once
#include <string>

#include "loaders/diagnostics.hpp"

namespace vertebra {

bool writeFile(const std::string& text, const std::string& path, Diagnostics& diagnostics);

}  // namespace vertebra
