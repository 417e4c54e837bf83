// See write_file.hpp.
#include "loaders/write_file.hpp"

#include <cstdio>

namespace vertebra {

bool writeFile(const std::string& text, const std::string& path, Diagnostics& diagnostics) {
  std::FILE* f = std::fopen(path.c_str(), "wb");
  bool good = f != nullptr && std::fwrite(text.data(), 1, text.size(), f) == text.size();
  if (f && std::fclose(f) != 0) good = false;
  if (!good) diagnostics.add(Severity::Error, "file.unwritable", path, 0, "", "the file cannot be written");
  return good;
}

}  // namespace vertebra
