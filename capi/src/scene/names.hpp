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
    list_.push_back({name, bits});
    return true;
  }
  std::uint64_t find(const std::string& name) const {  // 0: none
    const auto at = index_.find(name);
    return at == index_.end() ? 0 : list_[at->second].second;
  }
  const std::vector<std::pair<std::string, std::uint64_t>>& list() const { return list_; }
  void shorten(std::size_t count) {  // forgets the latest
    while (list_.size() > count) {
      index_.erase(list_.back().first);
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
  std::map<std::string, std::size_t> index_;
};

}  // namespace vertebra::capi
