// Shared by the BVH tests.
#pragma once
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "loaders/bvh/bvh.hpp"
#include "tests/support.hpp"

namespace test {

inline std::vector<std::string> bvhFiles(const std::string& dir) {
  std::vector<std::string> files;
  std::error_code ec;
  if (dir.empty() || !std::filesystem::is_directory(dir, ec)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(dir))
    if (entry.path().extension() == ".bvh") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

inline vertebra::figure::Motion loadedFile(const std::string& file) {
  vertebra::figure::Motion m;
  vertebra::Diagnostics d;
  bool good = vertebra::loadBvhFile(file, {}, m, d);
  INFO(d.text());
  REQUIRE(good);
  return m;
}

inline vertebra::figure::Motion loaded(const std::string& text) {
  vertebra::figure::Motion m;
  vertebra::Diagnostics d;
  bool good = vertebra::loadBvhText(text, "text.bvh", {}, m, d);
  INFO(d.text());
  REQUIRE(good);
  return m;
}

inline const vertebra::Diagnostic* find(const vertebra::Diagnostics& d, const std::string& code) {
  for (const vertebra::Diagnostic& e : d.entries)
    if (e.code == code) return &e;
  return nullptr;
}

}  // namespace test
