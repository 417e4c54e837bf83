// The grammar of scene files as data: which elements there are, which attributes each takes and where their values go. The table itself
// (capi/src/scene/table.cpp) is the only place that names an attribute; reading, writing, refusing and the reference page follow it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/math/types.hpp"

namespace vertebra::scene {

// What an attribute holds, and the type of the field its value goes to.
enum class Value {
  Name,         // std::string: what others call the element
  Reference,    // std::string: the name of another element
  References,   // std::vector<std::string>, parted by blanks
  Text,         // std::string
  File,         // std::string: a path, relative to the file it stands in; absolute or relative to the working directory after reading
  Number,       // double[count]
  Orientation,  // double[4]: quaternion x y z w; in the file also roll, pitch, yaw [rad], as in a URDF
  Numbers,      // std::vector<double>, a multiple of count
  Indices,      // std::vector<uint32_t>, a multiple of count
  Integer,      // int32_t
  Choice,       // int32_t, one of a list of words
  Switch,       // uint32_t: yes sets the bits `mask`; if `inverted`, no does
  Bits,         // uint32_t: a number, decimal or 0x..., or all
  Colour        // float[4]: three or four numbers from 0 to 1
};

struct Word {
  const char* name;
  std::int32_t value;
};

struct AttributeRule {
  std::string name;
  Value value;
  std::size_t offset;  // of the field in the element's values
  std::string about;   // what it means, with its unit
  int count = 1;
  std::vector<Word> words = {};
  std::uint32_t mask = 0;
  bool inverted = false;
  bool required = false;
};

enum class Role { Plain, Include, Repeat };  // the latter two are the reader's own

struct ElementRule {
  const char* name;
  const char* about;
  std::shared_ptr<void> (*make)();  // values, all at their defaults
  std::vector<AttributeRule> attributes;
  std::vector<const ElementRule*> children;  // besides include and repeat, which stand wherever elements do
  Role role = Role::Plain;

  const AttributeRule* attribute(const std::string& wanted) const;  // null if there is none
};

// Another file of scenes in the place of this element.
struct IncludeValues {
  std::string file, prefix;
  double pose[7] = {0, 0, 0, 0, 0, 0, 1};
};
// Its children `count` times, with a variable that runs.
struct RepeatValues {
  std::string variable = "i";
  std::int32_t count = 0, from = 0;
};
extern const ElementRule kInclude, kRepeat;

template <class T>
std::shared_ptr<void> makeValues() {
  return std::make_shared<T>();
}

// An element as read. Includes and repetitions are gone; their marks are the prefix in names and the placement.
struct Element {
  const ElementRule* rule = nullptr;
  std::shared_ptr<const std::string> file;
  int line = 0;
  int index = -1;     // which element it is of those it stands among, in its file; -1: the outermost
  bool own = true;    // stands in the first file, once: not included, not repeated
  bool sound = true;  // nothing in it was refused; of the outermost element: nothing at all is missing below it
  Pose placement;     // of the includes it stands in
  std::shared_ptr<void> values;
  std::vector<bool> given;  // which attributes of the rule were written
  std::vector<Element> children;

  template <class T>
  T& as() const {
    return *static_cast<T*>(values.get());
  }
  bool has(const std::string& attribute) const;  // was it written?
  std::string label() const;                     // "body 'box'", for messages
};

}  // namespace vertebra::scene
