// See render_output.hpp.
#include "cli/render_output.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "cli/film.hpp"
#include "cli/view_library.hpp"

namespace vertebra::cli {

namespace {

constexpr int kLargestPicture = 8192;  // pixels
constexpr double kFastestGif = 50;  // pictures a second: the format counts in hundredths of a second, and players slow down what is faster

bool number(std::string_view text, int& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// PATH with its one %d or %0Nd taken apart.
struct Pattern {
  std::string before, after;
  std::size_t digits = 0;

  explicit Pattern(const std::string& path) {
    const std::size_t start = path.find('%'), end = path.find('d', start);
    int width = 0;
    const std::string_view middle = std::string_view(path).substr(start + 1, end == std::string::npos ? 0 : end - start - 1);
    if (end == std::string::npos || path.find('%', start + 1) != std::string::npos ||
        (!middle.empty() && (middle[0] != '0' || !number(middle, width) || width > 9)))
      throw UsageError("-o: '" + path + "' has no number such as %04d where its % is");
    digits = static_cast<std::size_t>(width);
    before = path.substr(0, start);
    after = path.substr(end + 1);
  }
  std::string at(int index) const {
    std::string text = std::to_string(index);
    if (text.size() < digits) text.insert(0, digits - text.size(), '0');
    return before + text + after;
  }
};

// Leaves a file that is there as it is, and none where there was none.
void checkWritable(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code none;
  const bool there = fs::exists(path, none);
  errno = 0;
  const bool good = !fs::is_directory(path, none) && std::ofstream(path, std::ios::app).good();
  if (!good) throw Failure("cannot write '" + path + "': " + (errno ? std::strerror(errno) : "it is a folder"));
  if (!there) fs::remove(path, none);
}

class Pictures : public Output {
 public:
  explicit Pictures(const OutputChoice& choice) : choice_(choice) {
    if (choice.kind == OutputKind::kFrames) pattern_ = std::make_unique<Pattern>(choice.path);
    checkWritable(name());
  }
  void add(const std::vector<std::uint8_t>& pixels, double) override {
    const ViewLibrary& library = viewLibrary();
    library.check(library.writePng(name().c_str(), pixels.data(), choice_.width, choice_.height));
    count_++;
  }

 private:
  std::string name() const { return pattern_ ? pattern_->at(count_) : choice_.path; }

  OutputChoice choice_;
  std::unique_ptr<Pattern> pattern_;
  int count_ = 0;
};

struct StripDestroy {
  void operator()(vtb_strip* strip) const { viewLibrary().stripDestroy(strip); }
};

class StripOutput : public Output {
 public:
  explicit StripOutput(const OutputChoice& choice) : path_(choice.path) {
    checkWritable(path_);
    const int columns = std::min(choice.pictures, std::max(4, static_cast<int>(std::ceil(std::sqrt(2.0 * choice.pictures)))));
    vtb_strip* made = nullptr;
    viewLibrary().check(viewLibrary().stripCreate(choice.width, choice.height, columns, &made));
    strip_.reset(made);
  }
  void add(const std::vector<std::uint8_t>& pixels, double time) override {
    char caption[32];
    const auto hundredths = std::lround(100 * time);  // not %f, which follows the locale
    std::snprintf(caption, sizeof caption, "%ld.%02ld s", hundredths / 100, hundredths % 100);
    viewLibrary().check(viewLibrary().stripAdd(strip_.get(), pixels.data(), caption, ""));
  }
  void finish() override { viewLibrary().check(viewLibrary().stripWrite(strip_.get(), path_.c_str())); }

 private:
  std::string path_;
  std::unique_ptr<vtb_strip, StripDestroy> strip_;
};

class FilmOutput : public Output {
 public:
  explicit FilmOutput(const OutputChoice& choice) {
    checkWritable(choice.path);
    checkWritable(choice.path + ".part");
    film_ = std::make_unique<Film>(choice.path, choice.width, choice.height, choice.rate);
  }
  void add(const std::vector<std::uint8_t>& pixels, double) override { film_->add(pixels); }
  void finish() override { film_->finish(); }

 private:
  std::unique_ptr<Film> film_;
};

}  // namespace

void readSize(const Arguments& arguments, int& width, int& height) {
  if (!arguments.has("size")) return;
  const std::string text = arguments.text("size");
  const auto parts = split(text, 'x');
  if (parts.size() != 2 || !number(parts[0], width) || !number(parts[1], height) || width < 1 || height < 1 || width > kLargestPicture ||
      height > kLargestPicture)
    throw UsageError("--size: '" + arguments.text("size") + "' is not WIDTHxHEIGHT with 1 to " + std::to_string(kLargestPicture) +
                     " pixels each");
}

OutputChoice::OutputChoice(const Arguments& arguments) : path(arguments.text("out")) {
  const bool film = path.ends_with(".mp4") || path.ends_with(".gif");
  if (!film && !path.ends_with(".png")) throw UsageError("-o OUT.png, OUT.mp4, OUT.gif or FOLDER/frame_%04d.png is needed");
  if (film)
    kind = OutputKind::kFilm;
  else if (path.find('%') != std::string::npos)
    kind = OutputKind::kFrames;
  if (arguments.has("strip")) {
    if (sequence()) throw UsageError("--strip makes one PNG; " + path + " is none");
    kind = OutputKind::kStrip;
    pictures = static_cast<int>(arguments.integer("strip", 1, 1, 200));
    width = 480;
    height = 360;
  }
  readSize(arguments, width, height);
  if (path.ends_with(".mp4") && (width % 2 || height % 2)) throw UsageError("--size: width and height of a film in mp4 are even numbers");
  if (arguments.has("fps") && !sequence()) throw UsageError("--fps is for films and numbered pictures");
  rate = arguments.positive("fps", rate);
  if (rate > 1000) throw UsageError("--fps is at most 1000");
  if (path.ends_with(".gif") && rate > kFastestGif) throw UsageError("--fps is at most 50 in a GIF");
}

std::unique_ptr<Output> openOutput(const OutputChoice& choice) {
  if (choice.kind == OutputKind::kStrip) return std::make_unique<StripOutput>(choice);
  if (choice.kind == OutputKind::kFilm) return std::make_unique<FilmOutput>(choice);
  return std::make_unique<Pictures>(choice);
}

}  // namespace vertebra::cli
