// Conversion between a struct of vertebra.h and the engine's as one list of pairs, which serves both directions. The values were checked
// before (readStruct); what a list cannot say (handles, arrays, checks over several fields) stays with the function that uses it.
#pragma once
#include <functional>
#include <type_traits>

#include "capi/src/check.hpp"

namespace vertebra::capi {

// One number or vector, to the engine's type.
template <class C, class O>
void toEngine(const C& from, O& to) {
  if constexpr (std::is_enum_v<C>)
    to = static_cast<O>(enumerator(from));
  else if constexpr (std::is_same_v<O, bool>)
    to = from != 0;
  else if constexpr (std::is_array_v<C> && std::is_same_v<O, Vec3>)
    to = Vec3(from[0], from[1], from[2]);
  else if constexpr (std::is_array_v<C> && std::is_same_v<O, Pose>)
    to = Pose{Vec3(from[0], from[1], from[2]), unit(Quat(from[6], from[3], from[4], from[5]))};
  else if constexpr (std::is_array_v<C> && std::is_same_v<O, Quat>)
    to = unit(Quat(from[3], from[0], from[1], from[2]));
  else if constexpr (std::is_array_v<C> && std::is_same_v<O, Mat3>)
    to = inertia(from);
  else if constexpr (std::is_array_v<C>)
    std::copy(std::begin(from), std::end(from), std::begin(to));
  else
    to = static_cast<O>(from);
}

// And back.
template <class O, class C>
void fromEngine(const O& from, C& to) {
  if constexpr (std::is_array_v<C> && std::is_same_v<O, Mat3>)
    writeInertia(from, to);
  else if constexpr (std::is_array_v<C> && std::is_array_v<O>)
    std::copy(std::begin(from), std::end(from), std::begin(to));
  else if constexpr (std::is_array_v<C>)
    write(from, to);
  else
    to = static_cast<C>(from);
}

template <class List, class Def, class Own>
void readPairs(const List& list, const Def& def, Own& own) {
  for (const auto& pair : list) pair.read(def, own);
}
template <class List, class Own, class Def>
void writePairs(const List& list, const Own& own, Def& def) {
  for (const auto& pair : list) pair.write(own, def);
}

// A member of a member, by pointers to both: at<&FieldSlot::def, &FieldDefinition::range>.
template <auto outer, auto inner>
struct MemberOfMember {
  template <class T>
  constexpr auto& operator()(T& value) const {
    return std::invoke(inner, std::invoke(outer, value));
  }
};
template <auto outer, auto inner>
inline constexpr MemberOfMember<outer, inner> at{};

// D names a field of Def by a pointer to member; O one of Own likewise, or a member of a member.
template <class Def, class Own>
struct Pairs {
  struct Pair {
    void (*read)(const Def&, Own&);
    void (*write)(const Own&, Def&);
  };

  template <auto D, auto O>
  static constexpr Pair same() {
    return {[](const Def& def, Own& own) { toEngine(std::invoke(D, def), std::invoke(O, own)); },
            [](const Own& own, Def& def) { fromEngine(std::invoke(O, own), std::invoke(D, def)); }};
  }
  // A vector of unit length, which the engine has exactly so.
  template <auto D, auto O>
  static constexpr Pair direction() {
    return {[](const Def& def, Own& own) {
              const auto& v = std::invoke(D, def);
              std::invoke(O, own) = unit(Vec3(v[0], v[1], v[2]));
            },
            [](const Own& own, Def& def) { fromEngine(std::invoke(O, own), std::invoke(D, def)); }};
  }
  // A bit of flags that says the bool is true, or false.
  template <auto D, std::uint32_t bit, auto O, bool meaning = true>
  static constexpr Pair flag() {
    return {[](const Def& def, Own& own) { std::invoke(O, own) = ((std::invoke(D, def) & bit) != 0) == meaning; },
            [](const Own& own, Def& def) {
              auto& flags = std::invoke(D, def);
              flags = std::invoke(O, own) == meaning ? flags | bit : flags & ~bit;
            }};
  }
  template <auto D, std::uint32_t bit, auto O>
  static constexpr Pair flagNot() {
    return flag<D, bit, O, false>();
  }
  // The fields of a struct inside Def, by its own list of pairs with the same struct of the engine, or with a member of it.
  template <auto D, class Group, auto O = std::identity{}>
  static constexpr Pair part() {
    return {[](const Def& def, Own& own) { readPairs(Group::list, std::invoke(D, def), std::invoke(O, own)); },
            [](const Own& own, Def& def) { writePairs(Group::list, std::invoke(O, own), std::invoke(D, def)); }};
  }
  // A part that counts where a member, whose pair stands before, has this value.
  template <auto D, class Group, auto O, auto value>
  static constexpr Pair partWhere() {
    return {[](const Def& def, Own& own) {
              if (std::invoke(O, own) == value) readPairs(Group::list, std::invoke(D, def), own);
            },
            [](const Own& own, Def& def) {
              if (std::invoke(O, own) == value) writePairs(Group::list, own, std::invoke(D, def));
            }};
  }
  // One of two enumerators that stand for true and false.
  template <auto D, auto yes, auto no, auto O>
  static constexpr Pair choice() {
    return {[](const Def& def, Own& own) { std::invoke(O, own) = enumerator(std::invoke(D, def)) == yes; },
            [](const Own& own, Def& def) { std::invoke(D, def) = std::invoke(O, own) ? yes : no; }};
  }
};

// The description's defaults with the engine's values in place of those that the list names.
template <class Def, class List, class Own>
Def described(const List& list, const Own& own) {
  Def def = defaults<Def>();
  writePairs(list, own, def);
  return def;
}

}  // namespace vertebra::capi
