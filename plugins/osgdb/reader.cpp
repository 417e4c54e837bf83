// See reader.hpp.
#include "plugins/osgdb/reader.hpp"

#include <iterator>
#include <new>

#include <osg/Material>
#include <osg/MatrixTransform>
#include <osgDB/FileNameUtils>
#include <osgDB/FileUtils>

#include "plugins/osgdb/abi.hpp"

namespace vertebra::osgdb {

Reader::Reader(const char* extension, const char* description) : extension_(extension), description_(description) {
  supportsExtension(extension, description);
  supportsOption("scale=FACTOR", "size of the whole model, above 0");
  supportsOption("strict", "what would be mended is an error");
}

osgDB::ReaderWriter::ReadResult Reader::readNode(const std::string& file, const osgDB::Options* options) const {
  return read(file, options, Wanted::Node);
}
osgDB::ReaderWriter::ReadResult Reader::readNode(std::istream& in, const osgDB::Options* options) const {
  return read(in, options, Wanted::Node);
}
osgDB::ReaderWriter::ReadResult Reader::readObject(const std::string& file, const osgDB::Options* options) const {
  return read(file, options, Wanted::Object);
}
osgDB::ReaderWriter::ReadResult Reader::readObject(std::istream& in, const osgDB::Options* options) const {
  return read(in, options, Wanted::Object);
}

osgDB::ReaderWriter::ReadResult Reader::read(const std::string& file, const osgDB::Options* options, Wanted wanted) const {
  if (!acceptsExtension(osgDB::getLowerCaseFileExtension(file))) return ReadResult::FILE_NOT_HANDLED;
  Source source;
  source.name = osgDB::findDataFile(file, options);
  if (source.name.empty()) return ReadResult::FILE_NOT_FOUND;
  return read(source, options, wanted);
}

osgDB::ReaderWriter::ReadResult Reader::read(std::istream& in, const osgDB::Options* options, Wanted wanted) const {
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad()) return ReadResult(description_ + ": the stream cannot be read");
  Source source;
  source.name = "stream." + extension_;
  source.text = &text;
  return read(source, options, wanted);
}

osgDB::ReaderWriter::ReadResult Reader::read(const Source& given, const osgDB::Options* options, Wanted wanted) const {
  try {
    Source source = given;
    if (options)
      for (const std::string& folder : options->getDatabasePathList())
        if (!folder.empty()) source.folders.push_back(folder);
    const Settings settings = settingsOf(options);
    const osg::ref_ptr<osg::Object> made =
        wanted == Wanted::Node ? osg::ref_ptr<osg::Object>(node(source, settings)) : object(source, settings);
    return ReadResult(made.get());
  } catch (const std::bad_alloc&) {
    return ReadResult::INSUFFICIENT_MEMORY_TO_LOAD;
  } catch (const std::exception& error) {
    return ReadResult(std::string(error.what()));
  }
}

osg::ref_ptr<osg::MatrixTransform> makeRoot(const std::string& name, const Settings& settings) {
  osg::ref_ptr<osg::MatrixTransform> root = new osg::MatrixTransform;
  root->setName(name);
  osg::ref_ptr<osg::Material> material = new osg::Material;
  material->setColorMode(osg::Material::AMBIENT_AND_DIFFUSE);
  osg::StateSet* state = root->getOrCreateStateSet();
  state->setAttributeAndModes(material);
  if (settings.scale != 1) {
    root->setMatrix(osg::Matrixd::scale(settings.scale, settings.scale, settings.scale));
    state->setMode(GL_NORMALIZE, osg::StateAttribute::ON);
  }
  return root;
}

}  // namespace vertebra::osgdb
