// Growth of the lists of a world: by an eighth at a time, because unused capacity counts as memory of the world, too.
#pragma once
#include <algorithm>
#include <vector>

namespace vertebra::inline state {

template <class T>
void makeRoom(std::vector<T>& list, std::size_t size) {
  if (list.capacity() < size) list.reserve(std::max(size, list.size() + list.size() / 8 + 4));
}
template <class T>
void growTo(std::vector<T>& list, std::size_t size) {
  makeRoom(list, size);
  list.resize(size);
}

}  // namespace vertebra::inline state
