// A film strip: pictures of one size in rows, each with a caption along its upper edge and a note along its lower one, written as one PNG.
#pragma once
#include <string>
#include <vector>

#include <osg/Image>

namespace vertebra::viewer {

// false, with the reason in error, where the file cannot be written.
bool writePng(const osg::Image& image, const std::string& path, std::string& error);

class FilmStrip {
 public:
  FilmStrip(int width, int height, int columns) : width_(width), height_(height), columns_(columns) {}

  void add(const osg::ref_ptr<osg::Image>& picture, const std::string& caption, const std::string& note);
  int count() const { return static_cast<int>(pictures_.size()); }
  int width() const;  // pixels of the whole strip
  int height() const;
  // false, with the reason in error, when it cannot be drawn or written.
  bool write(const std::string& path, std::string& error) const;

 private:
  struct Picture {
    osg::ref_ptr<osg::Image> image;
    std::string caption, note;
  };
  int width_, height_, columns_;
  std::vector<Picture> pictures_;
};

}  // namespace vertebra::viewer
