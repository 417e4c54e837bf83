// Reading a whole file of rows of numbers into memory, and the reason when that fails.
#pragma once
#include <string>

namespace vertebra {

inline constexpr std::size_t kLargestTable = std::size_t(1) << 30;  // bytes

// Empty, or what is wrong with the file.
std::string readTableFile(const std::string& path, std::string& text);

}  // namespace vertebra
