// See settings.hpp.
#include "plugins/osgdb/settings.hpp"

#include <charconv>
#include <cmath>
#include <sstream>

#include "plugins/osgdb/abi.hpp"

namespace vertebra::osgdb {

namespace {

// In any locale.
double positive(const std::string& word, const std::string& value) {
  double number = 0;
  const char* const end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, number);
  if (error != std::errc() || stop != end || !std::isfinite(number) || number <= 0)
    throw Failure("option '" + word + "': '" + value + "' is not a number above 0");
  return number;
}

vtb_up_axis axis(const std::string& word, const std::string& value) {
  if (value == "x") return VTB_UP_AXIS_X;
  if (value == "y") return VTB_UP_AXIS_Y;
  if (value == "z") return VTB_UP_AXIS_Z;
  throw Failure("option '" + word + "': the axis is x, y or z");
}

}  // namespace

Settings settingsOf(const osgDB::Options* options) {
  Settings settings;
  std::istringstream words(options ? options->getOptionString() : "");
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals), value = equals == std::string::npos ? "" : word.substr(equals + 1);
    const bool bare = equals == std::string::npos;
    if (name == "scale") settings.scale = positive(word, value);
    if (name == "unit") settings.unit = positive(word, value);
    if (name == "up") settings.up = axis(word, value);
    if (name == "animationPath") settings.path = true, settings.pathJoint = value;
    if (bare && name == "collision") settings.collision = true;
    if (bare && name == "strict") settings.strict = true;
    if (bare && name == "noMeshes") settings.noMeshes = true;
    if (bare && name == "noBones") settings.noBones = true;
  }
  return settings;
}

}  // namespace vertebra::osgdb
