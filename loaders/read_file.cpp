// See read_file.hpp.
#include "loaders/read_file.hpp"

#include <filesystem>
#include <fstream>

namespace vertebra {

std::string readTableFile(const std::string& path, std::string& text) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return "it is not a regular file";
  const auto size = std::filesystem::file_size(path, error);
  if (error || size > kLargestTable) return "the file is larger than a GiB; divide it";
  std::ifstream in(path, std::ios::binary);
  text.resize(size);
  in.read(text.data(), static_cast<std::streamsize>(size));
  return !in && size > 0 ? "the file cannot be read" : "";
}

}  // namespace vertebra
