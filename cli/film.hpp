// A film written by the program ffmpeg, which is given the pictures through a pipe.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace vertebra::cli {

class Film {
 public:
  // To OUT.mp4 or OUT.gif, by way of OUT.part. Failure where ffmpeg is missing.
  Film(const std::string& path, int width, int height, double rate);
  ~Film();  // ends ffmpeg and removes what is unfinished
  Film(const Film&) = delete;
  Film& operator=(const Film&) = delete;
  void add(const std::vector<std::uint8_t>& pixels);  // RGB, rows from the top
  void finish();                                      // Failure unless ffmpeg has written all

 private:
  void wait();  // until ffmpeg has ended; Failure unless it did so with status 0

  std::string path_, part_;
  pid_t process_ = -1;
  int pipe_ = -1;
};

}  // namespace vertebra::cli
