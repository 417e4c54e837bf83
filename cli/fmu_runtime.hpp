// The shared library that FMUs hold: found beside this command, opened, asked for the description of a model; and the libraries it needs.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace vertebra::cli {

// What it tells of a model.
struct FmuModel {
  std::string description;             // modelDescription.xml
  double innerStep = 0, stepSize = 0;  // s
  int inputs = 0, parameters = 0, outputs = 0;
};

class FmuRuntime {
 public:
  explicit FmuRuntime(int version);  // of FMI: 2 or 3; Failure where the library is not there

  const std::string& path() const { return path_; }
  // Paths of the libraries that must go with it, by the names it asks for. The C and C++ libraries are the host's.
  std::vector<std::pair<std::string, std::string>> needed() const;

  FmuModel describe(const std::string& resources, const std::string& identifier, const std::string& name, double stopTime,
                    double stepSize) const;  // stepSize 0: a default
  // Rows of CSV, the head first.
  void reference(const std::string& resources, double stopTime, double stepSize, const std::function<void(std::string_view)>& row) const;

 private:
  void* function(const char* name) const;

  std::string path_;
  void* library_;
};

}  // namespace vertebra::cli
