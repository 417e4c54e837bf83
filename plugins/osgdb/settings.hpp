// What a caller asks for by the option string of osgDB: words, apart by spaces. The string goes to every reader of a load, so that words
// which are not ours are other readers'; a value of ours that makes no sense is a Failure.
#pragma once
#include <string>

#include <osgDB/Options>

#include "vertebra/vertebra.h"

namespace vertebra::osgdb {

struct Settings {
  double scale = 1;                    // of the whole model
  bool collision = false;              // collision shapes in place of visuals
  bool strict = false;                 // what would be mended is an error
  bool noMeshes = false;               // mesh files stay unread
  bool noBones = false;                // a clip's joints alone
  double unit = 0;                     // m: of a BVH file; 0: guessed
  vtb_up_axis up = VTB_UP_AXIS_GUESS;  // of a BVH file
  bool path = false;                   // readObject answers an animation path
  std::string pathJoint;               // of this joint; empty: of the root
};

Settings settingsOf(const osgDB::Options* options);

}  // namespace vertebra::osgdb
