// Continuous collision: see continuous.cpp.
#pragma once
#include "engine/collision/foresight.hpp"
#include "engine/state/contact_world.hpp"

namespace vertebra::collision {

bool isFast(const ContactWorld& w, int body, const Foresight& foresight);  // moves farther in a step than the contact margin
// Extends the box of a shape by the body's motion; false: it moves no farther than the margin.
bool sweepBox(const ContactWorld& w, int shape, const Foresight& foresight, geometry::Aabb& box);
// Whether two shapes may penetrate deeper within the step than the existing contacts allow for.
bool meetFast(const ContactWorld& w, int shapeA, int shapeB, const geometry::Aabb& boxA, const geometry::Aabb& boxB,
              const Foresight& foresight);
// Contacts of two such shapes within the next step, besides those that they have: `contacts` from firstContact on. Returns the number of
// distances that were measured: the cost.
std::int64_t addSpeculativeContacts(const ContactWorld& w, int shapeA, int shapeB, const Foresight& foresight, std::size_t firstContact,
                                    std::vector<Contact>& contacts, std::vector<SpeculativeContact>& speculative);

}  // namespace vertebra::collision
