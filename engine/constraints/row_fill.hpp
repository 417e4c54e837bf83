// The way of two links' wrenches to their roots, link by link: the order in which a row's coordinates lie (row_buffer.cpp).
#pragma once
#include "engine/constraints/row_bodies.hpp"
#include "engine/dynamics/link_recursions.hpp"

namespace vertebra::constraints {

// Either link may be -1. In one tree the later link goes first, until the ways meet: `meet` is called there, and `visitB` from there on.
template <class A, class B, class M>
inline void walkUp(const RowBodies& bodies, int linkA, int linkB, A&& visitA, B&& visitB, M&& meet) {
  const TreeState& topology = bodies.topology;
  const int treeA = linkA >= 0 ? bodies.treeOf(linkA) : -1, treeB = linkB >= 0 ? bodies.treeOf(linkB) : -2;
  const auto up = [&](int link, int first) { return topology.model[link].parent < 0 ? -1 : first + topology.model[link].parent; };
  if (treeA != treeB) {
    if (linkB >= 0)
      for (int l = linkB, first = topology.trees[treeB].first; l >= 0; l = up(l, first)) visitB(l);
    if (linkA >= 0)
      for (int l = linkA, first = topology.trees[treeA].first; l >= 0; l = up(l, first)) visitA(l);
    return;
  }
  const int first = topology.trees[treeA].first;
  int a = linkA, b = linkB;
  while (a != b) {
    if (a > b) {
      visitA(a);
      a = up(a, first);
    } else {
      visitB(b);
      b = up(b, first);
    }
  }
  if (b < 0) return;
  meet();
  for (; b >= 0; b = up(b, first)) visitB(b);
}

}  // namespace vertebra::constraints
