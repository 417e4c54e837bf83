// What calls have made of a scene's world beside stepping it: things changed, destroyed, made anew; written into its document.
#pragma once
#include <tinyxml2.h>

#include <set>

#include "capi/src/scene/describe.hpp"
#include "capi/src/scene/model.hpp"
#include "capi/src/scene/table.hpp"

namespace vertebra::capi::scene {

using Xml = tinyxml2::XMLElement;

// `fresh`: a world made of the same document just now. Refuses, with all reasons, what a document cannot say.
class Changes {
 public:
  Changes(const vtb_world& world, const vtb_world& fresh, Xml& root) : world_(world), fresh_(fresh), root_(root) {}
  void write();
  const NameTable* names() const { return names_; }  // by kind; those of the world and those given to what has none

 private:
  // The document's own things.
  void own(const Instance& now, const Instance& then);
  void update(const Element& e, int kind, std::uint64_t bits, std::uint64_t before, Xml& xml);
  void updateShapes(const Element& body, const Instance& now, const Instance& then, Xml& xml);
  void updateJoint(int now, int then, Xml& xml);
  // Things of no document.
  void findNew();
  void newBody(int id);
  void newShape(int id, Xml& parent);
  void newJoint(int id);
  void newCoupling(int id);
  void newField(int id);
  void writeAxes(int joint, Xml& xml);
  std::string nameOf(int kind, std::uint64_t bits);
  std::string bodyName(int body) { return body < 0 ? "" : nameOf(VTB_NAMED_BODY, world_.bodies.handle(body)); }
  Xml* add(Xml& parent, const ElementRule& rule, const void* values);
  void cannot(const std::string& what) { left_ += (left_.empty() ? "" : "; ") + what; }

  const vtb_world& world_;
  const vtb_world& fresh_;
  Xml& root_;
  NameTable names_[kNameKinds];
  std::map<std::uint64_t, std::string> nameOf_[kNameKinds];
  std::set<std::uint64_t> known_[kNameKinds];
  std::string left_;
};

}  // namespace vertebra::capi::scene
