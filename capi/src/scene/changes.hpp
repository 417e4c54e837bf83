// What calls have made of a scene's world beside stepping it: things changed, destroyed, made anew; written into its document.
#pragma once
#include <tinyxml2.h>

#include <set>

#include "capi/src/scene/describe.hpp"
#include "capi/src/scene/model.hpp"
#include "capi/src/scene/table.hpp"

namespace vertebra::capi::scene {

using Xml = tinyxml2::XMLElement;

const ElementRule& ruleOfShape(int type);  // vtb_shape_type

// `fresh`: a world made of the same scenes just now. Refuses, with all reasons, what a document cannot say.
class Changes {
 public:
  Changes(const vtb_world& world, const vtb_world& fresh, Xml& root);
  void write();
  const NameTable* names() const { return names_; }  // by kind; those of the world and those given to what has none

 private:
  // Things of the document, and of scenes that were added (changes.cpp).
  void locate(const std::vector<Element>& elements, Xml& parent);
  void compare(const Instance& now, const Instance& then, bool own);
  bool goneWithParent(const Element& e) const;
  void update(int kind, std::uint64_t bits, std::uint64_t before, Xml& xml);
  void updateJoint(int now, int then, Xml& xml);
  void updateField(int now, int then, Xml& xml);
  void compareFigure(std::uint64_t now, std::uint64_t then);
  void dropReferences(const Instance& scene);
  void compareMotions();
  // Things of no document (changes_made.cpp).
  void findMade();
  void madeInOrder();
  void madeBody(int id);
  void madeShape(int id, Xml& parent);
  void madeJoint(int id);
  void madeDrives(int joint, Xml& xml);
  void madeCoupling(int id);
  void madeConstraint(int id);
  void madeParticles(int id);
  void madeField(int id);
  void madeSensor(int id);
  void pairs();
  void terms(const std::vector<CouplingTerm>& terms, Xml& xml);

  bool unknown(const HandleTable& table, int kind, int id) const {  // alive, of no figure and of no scene
    return table.alive(id) && table.owner(id) < 0 && known_[kind].count(table.handle(id)) == 0;
  }
  std::string nameOf(int kind, std::uint64_t bits);
  std::string bodyName(int body) { return body < 0 ? "" : nameOf(VTB_NAMED_BODY, world_.bodies.handle(body)); }
  Xml* add(Xml& parent, const ElementRule& rule, const void* values);
  void write(Xml& xml, const ElementRule& rule, const char* attribute, const void* values);  // whatever the default
  void cannot(const std::string& what) { left_ += (left_.empty() ? "" : "; ") + what; }

  const vtb_world& world_;
  const vtb_world& fresh_;
  Xml& root_;
  std::vector<std::vector<int>> shapes_, freshShapes_;  // by body
  std::map<std::uint64_t, std::string> freshBodyNames_;
  NameTable names_[kNameKinds];
  std::map<std::uint64_t, std::string> nameOf_[kNameKinds];
  std::set<std::uint64_t> known_[kNameKinds];
  std::map<const Element*, Xml*> nodes_;             // of elements that stand in the document once
  std::map<const Element*, const Element*> parent_;  // of the document's
  std::set<const Element*> gone_;
  std::string left_;
};

}  // namespace vertebra::capi::scene
