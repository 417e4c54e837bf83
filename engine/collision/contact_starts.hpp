// Forces of contacts from which the next solution starts: see StartsAt.
#pragma once
#include "engine/state/contact_world.hpp"

namespace vertebra::collision {

// f(contact, torque) for each that pressed, in the order of shapes.
template <class F>
void eachStart(const ContactWorld& w, F&& f) {
  const bool present = w.startsAt == StartsAt::Contacts;
  const std::vector<Contact>& contacts = present ? w.contacts : w.starts();
  const std::vector<Vec3>& torques = present ? w.torques : w.startTorques();
  for (std::size_t i = 0; i < contacts.size(); i++) {
    const Vec3 torque = torqueAt(torques, i);
    if (!contacts[i].past() && (contacts[i].force != Vec3::Zero() || torque != Vec3::Zero())) f(contacts[i], torque);
  }
}

void keepStarts(ContactWorld& w);  // in a list of their own, before their contacts change

}  // namespace vertebra::collision
