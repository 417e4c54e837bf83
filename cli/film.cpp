// See film.hpp.
#include "cli/film.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "cli/arguments.hpp"
#include "cli/output.hpp"

extern char** environ;

namespace vertebra::cli {

namespace {

// mp4: H.264 as browsers play it. gif: a palette for each picture, so that ffmpeg need not keep all of them.
std::vector<std::string> wordsFor(const std::string& path, const std::string& part, int width, int height, double rate) {
  std::vector<std::string> words = {"ffmpeg",
                                    "-nostdin",
                                    "-loglevel",
                                    "error",
                                    "-y",
                                    "-f",
                                    "rawvideo",
                                    "-pix_fmt",
                                    "rgb24",
                                    "-s",
                                    std::to_string(width) + "x" + std::to_string(height),
                                    "-r",
                                    readable(rate),
                                    "-i",
                                    "pipe:0"};
  if (path.ends_with(".gif"))
    words.insert(words.end(), {"-vf", "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1", "-f", "gif", part});
  else
    words.insert(words.end(), {"-c:v", "libx264", "-crf", "20", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4", part});
  return words;
}

}  // namespace

Film::Film(const std::string& path, int width, int height, double rate) : path_(path), part_(path + ".part") {
  std::signal(SIGPIPE, SIG_IGN);  // an ffmpeg that ends early is told of by write
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Failure(std::string("cannot make a pipe to ffmpeg: ") + std::strerror(errno));
  pipe_ = ends[1];
  std::vector<std::string> words = wordsFor(path_, part_, width, height, rate);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawnattr_init(&attributes);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const int failed = posix_spawnp(&process_, "ffmpeg", &actions, &attributes, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[0]);
  if (failed == 0) return;
  process_ = -1;
  close(pipe_);
  throw Failure(std::string("films need the program ffmpeg, which cannot be started (") + std::strerror(failed) +
                "); Debian: apt-get install ffmpeg. Without it: numbered pictures, -o FOLDER/frame_%04d.png");
}

Film::~Film() {
  if (process_ < 0) return;
  kill(process_, SIGKILL);  // it would finish the film of what it has
  close(pipe_);
  waitpid(process_, nullptr, 0);
  unlink(part_.c_str());
}

void Film::add(const std::vector<std::uint8_t>& pixels) {
  for (std::size_t done = 0; done < pixels.size();) {
    const ssize_t written = write(pipe_, pixels.data() + done, pixels.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int reason = errno;
      wait();
      throw Failure(std::string("cannot write to ffmpeg: ") + std::strerror(reason));
    }
    done += static_cast<std::size_t>(written);
  }
}

void Film::wait() {
  close(pipe_);
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = -1;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  unlink(part_.c_str());
  throw Failure("ffmpeg could not write " + path_ + " (its own words stand above)");
}

void Film::finish() {
  wait();
  if (std::rename(part_.c_str(), path_.c_str()) != 0) throw Failure("cannot write " + path_ + ": " + std::strerror(errno));
}

}  // namespace vertebra::cli
