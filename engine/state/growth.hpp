// Growing of lists that hold a world: by a quarter at a time, as what stands empty counts as memory of the world too.
#pragma once
#include <algorithm>
#include <vector>

namespace vertebra {

template <class T>
void makeRoom(std::vector<T>& list, std::size_t size) {
  if (list.capacity() < size) list.reserve(std::max(size, list.size() + list.size() / 4));
}
template <class T>
void growTo(std::vector<T>& list, std::size_t size) {
  makeRoom(list, size);
  list.resize(size);
}

}  // namespace vertebra
