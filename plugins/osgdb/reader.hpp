// How a file or a stream comes to a reader of ours, and how what it makes goes back to osgDB: exceptions become results with their text.
// Readers have no state that changes: osgDB calls them from several threads.
#pragma once
#include <string>
#include <vector>

#include <osg/Node>
#include <osgDB/ReaderWriter>

#include "plugins/osgdb/settings.hpp"

namespace vertebra::osgdb {

// What is read: a file, or a text that stands for one.
struct Source {
  std::string name;  // the file's path; of a text what findings call it
  const std::string* text = nullptr;
  std::vector<std::string> folders;  // of the caller's database path
};

class Reader : public osgDB::ReaderWriter {
 public:
  Reader(const char* extension, const char* description);

  ReadResult readNode(const std::string& file, const osgDB::Options* options) const override;
  ReadResult readNode(std::istream& in, const osgDB::Options* options) const override;
  ReadResult readObject(const std::string& file, const osgDB::Options* options) const override;
  ReadResult readObject(std::istream& in, const osgDB::Options* options) const override;

 protected:
  virtual osg::ref_ptr<osg::Node> node(const Source& source, const Settings& settings) const = 0;
  virtual osg::ref_ptr<osg::Object> object(const Source& source, const Settings& settings) const { return node(source, settings); }

 private:
  enum class Wanted { Node, Object };
  ReadResult read(const std::string& file, const osgDB::Options* options, Wanted wanted) const;
  ReadResult read(std::istream& in, const osgDB::Options* options, Wanted wanted) const;
  ReadResult read(const Source& source, const osgDB::Options* options, Wanted wanted) const;

  std::string extension_, description_;
};

// The root of a model: a name, the scale, a material that takes the colours of surfaces.
osg::ref_ptr<osg::MatrixTransform> makeRoot(const std::string& name, const Settings& settings);

}  // namespace vertebra::osgdb
