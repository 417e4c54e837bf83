// Names of a world's things, by kind, in the order they were given. What was destroyed keeps its name until the name is given again.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace vertebra::capi {

class NameTable {
 public:
  // False if another thing has the name.
  bool add(const std::string& name, std::uint64_t bits) {
    if (!index_.emplace(name, list_.size()).second) return false;
    named_[bits] = list_.size();
    list_.push_back({name, bits});
    return true;
  }
  // The name of a thing; null: none.
  const std::string* nameOf(std::uint64_t bits) const {
    const auto at = named_.find(bits);
    return at == named_.end() ? nullptr : &list_[at->second].first;
  }
  void remove(std::uint64_t bits) {
    const auto at = named_.find(bits);
    if (at == named_.end()) return;
    const std::size_t place = at->second;
    index_.erase(list_[place].first);
    named_.erase(at);
    list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(place));
    for (auto& entry : index_) entry.second -= entry.second > place;
    for (auto& entry : named_) entry.second -= entry.second > place;
  }
  std::uint64_t find(const std::string& name) const {  // 0: none
    const auto at = index_.find(name);
    return at == index_.end() ? 0 : list_[at->second].second;
  }
  const std::vector<std::pair<std::string, std::uint64_t>>& list() const { return list_; }
  void shorten(std::size_t count) {  // forgets the latest
    while (list_.size() > count) {
      index_.erase(list_.back().first);
      named_.erase(list_.back().second);
      list_.pop_back();
    }
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : list_) all.push_back(entry.first);
    return all;
  }

 private:
  std::vector<std::pair<std::string, std::uint64_t>> list_;
  std::map<std::string, std::size_t> index_;    // into the list, by name
  std::map<std::uint64_t, std::size_t> named_;  // and by handle
};

}  // namespace vertebra::capi
