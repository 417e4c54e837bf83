// Where `vertebra render` puts its pictures: one PNG, a film strip, numbered PNGs or a film.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/arguments.hpp"

namespace vertebra::cli {

enum class OutputKind { kPicture, kStrip, kFrames, kFilm };

// What is asked for; the constructor throws UsageError for what does not go together.
struct OutputChoice {
  explicit OutputChoice(const Arguments& arguments);
  bool sequence() const { return kind == OutputKind::kFrames || kind == OutputKind::kFilm; }

  std::string path;
  OutputKind kind = OutputKind::kPicture;
  int pictures = 1;  // of a strip
  int width = 1280, height = 720;
  double rate = 30;  // pictures a second of a sequence
};

void readSize(const Arguments& arguments, int& width, int& height);  // of --size; left alone without it

class Output {
 public:
  virtual ~Output() = default;
  virtual void add(const std::vector<std::uint8_t>& pixels, double time) = 0;  // RGB, rows from the top; s
  virtual void finish() {}
};

// Failure where it cannot be written, before anything is drawn.
std::unique_ptr<Output> openOutput(const OutputChoice& choice);

}  // namespace vertebra::cli
