// Base of all feature classes of the plugin: the engine, the register of records, identities.
#pragma once

#include <ignition/physics/Implements.hh>
#include <memory>
#include <string>
#include <unordered_map>

#include "plugins/ignition/records.hpp"

namespace ignition::physics::vertebra {

class Base : public Implements3d<FeatureList<Feature>> {
 public:
  ~Base() override;
  Identity InitiateEngine(std::size_t) override { return this->GenerateIdentity(0); }

 protected:
  // A new record in the register; its identity is identityOf(record). Free groups are made where hosts only ask: the register is mutable.
  template <class T, class... Arguments>
  std::shared_ptr<T> make(Arguments&&... arguments) const {
    auto record = std::make_shared<T>(std::forward<Arguments>(arguments)...);
    record->id = next_++;
    records_[record->id] = record;
    return record;
  }
  void forget(const Record& record) { records_.erase(record.id); }
  Identity identityOf(const std::shared_ptr<Record>& record) const {
    return record ? this->GenerateIdentity(record->id, record) : this->GenerateInvalidId();
  }
  // The record that an identity refers to; its kind follows from the function that is called.
  template <class T>
  std::shared_ptr<T> get(const Identity& identity) const {
    return std::static_pointer_cast<T>(std::static_pointer_cast<Record>(this->Reference(identity)));
  }
  template <class T>
  T& at(const Identity& identity) const {
    return *static_cast<T*>(this->ReferenceInterface<Record>(identity));
  }
  // A record by its number; none if it was removed.
  std::shared_ptr<Record> record(std::size_t id) const {
    const auto found = records_.find(id);
    return found == records_.end() ? nullptr : found->second;
  }

  // A new world in the list; none: told.
  std::shared_ptr<World> makeWorld(const std::string& name);
  std::vector<std::shared_ptr<World>> worlds_;

 private:
  mutable std::unordered_map<std::size_t, std::shared_ptr<Record>> records_;
  mutable std::size_t next_ = 1;  // 0 is the engine
};

}  // namespace ignition::physics::vertebra
