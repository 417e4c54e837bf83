// A ZIP archive in memory: deflated entries, alike in every run (all dated 1980-01-01). Source: APPNOTE.TXT of PKWARE, version 2.0 of the
// format; below 4 GB and 65535 entries.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace vertebra::cli {

class Zip {
 public:
  void add(const std::string& name, std::string_view content);  // name: with '/' between folders
  void write(const std::string& path) const;                    // Failure where it cannot be written

 private:
  std::string entries_, directory_;
  std::uint16_t count_ = 0;
};

}  // namespace vertebra::cli
