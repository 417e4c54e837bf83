// The lists of pairs between structs of vertebra.h and the engine's: the engine's own defaults are those that the header states, and values
// other than defaults come back unchanged.
#include <cstring>

#include "capi/src/conversions.hpp"
#include "capi/src/conversions_forces.hpp"
#include "capi/src/conversions_machines.hpp"
#include "capi/src/conversions_results.hpp"
#include "tests/support.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace vertebra::capi {
void setLastError(const char*, const char*) noexcept {}  // the library's own is not linked here
}  // namespace vertebra::capi

namespace {

std::string differences(const StructDescription& description, const void* a, const void* b) {
  std::string names;
  for (const FieldDescription& f : description) {
    const std::size_t end = &f + 1 == description.end() ? description.size : (&f + 1)->offset;
    if (std::memcmp(static_cast<const char*>(a) + f.offset, static_cast<const char*>(b) + f.offset, end - f.offset) != 0)
      names += std::string(names.empty() ? "" : ", ") + f.name;
  }
  return names;
}

// The defaults of the engine's struct, written over those of the header's.
template <class Group>
void checkDefaults() {
  using D = typename Group::D;
  const D stated = defaults<D>();
  const D own = described<D>(Group::list, typename Group::O{});
  INFO(description<D>().name);
  CHECK(differences(description<D>(), &stated, &own) == "");
}

// Other values in each field that a list could contain, there and back; `others` names those that stand in no list.
template <class Group>
void checkReturn(const std::string& others = "") {
  using D = typename Group::D;
  D given = defaults<D>();
  int kinds = 0;
  for (const FieldDescription& f : description<D>()) {
    char* at = reinterpret_cast<char*>(&given) + f.offset;
    const auto put = [&](auto value) { std::memcpy(at, &value, sizeof value); };
    if (f.kind == Kind::Real && f.form == Form::Plain)
      for (int i = 0; i < f.count; i++) {
        const double value = 0.5 + i * 0.0625;
        std::memcpy(at + i * sizeof value, &value, sizeof value);
      }
    else if (f.kind == Kind::Integer || f.kind == Kind::Boolean)
      put(std::int32_t(1));
    else if (f.kind == Kind::Enumeration)
      put(f.enumeration->words[1].value);
    else
      continue;
    kinds++;
  }
  REQUIRE(kinds > 0);
  typename Group::O own{};
  readPairs(Group::list, given, own);
  D back = given;
  for (const FieldDescription& f : description<D>())  // fields missing in the list keep this value
    if (f.kind == Kind::Real || f.kind == Kind::Integer || f.kind == Kind::Boolean || f.kind == Kind::Enumeration)
      std::memset(reinterpret_cast<char*>(&back) + f.offset, 0x4d, f.kind == Kind::Real ? sizeof(double) * f.count : 4);
  writePairs(Group::list, own, back);
  INFO(description<D>().name);
  CHECK(differences(description<D>(), &given, &back) == others);
}

}  // namespace

TEST_CASE("the engine's defaults are those that vertebra.h states") {
  checkDefaults<SettingsPairs>();
  checkDefaults<AxisPairs>();
  checkDefaults<SurfacePairs>();
  checkDefaults<ShapePairs>();
  checkDefaults<BodyPairs>();
  checkDefaults<JointPairs>();
  checkDefaults<LinkPairs>();
  checkDefaults<MotorPairs>();
  checkDefaults<CouplingPairs>();
  checkDefaults<FieldPairs>();
  checkDefaults<RowPairs>();
  checkDefaults<OdePairs>();
  checkDefaults<DrivelinePairs>();
  checkDefaults<DrivelineInputPairs>();
  checkDefaults<ParticlesPairs>();
  checkDefaults<EmitterPairs>();
  checkDefaults<SinkPairs>();
  checkDefaults<SensorPairs>();
}

TEST_CASE("a setting that is read is written back the same, and none is forgotten") {
  checkReturn<SettingsPairs>();
  checkReturn<AxisPairs>();
  checkReturn<MotorPairs>();
  checkReturn<SurfacePairs>();
  checkReturn<DrivelineInputPairs>();
}

TEST_CASE("what the library tells comes from the lists of pairs, and no field of theirs is forgotten") {
  checkReturn<StatsPairs>();
  checkReturn<EnergyPairs>();
  checkReturn<JointForcesPairs>("axes");
  checkReturn<JointEventPairs>();
  checkReturn<ContactPairs>("torsion, rolling, slip");
  checkReturn<RayHitPairs>();
  checkReturn<ClosestPairs>();
  checkReturn<ParticlePairs>();
  checkReturn<ParticleCountsPairs>();
  checkReturn<OdeReportPairs>("next_step");
  checkReturn<MotionJointPairs>("channel_count, end_sites");
  checkReturn<SkeletonPairs>("links, joints, visuals, shapes, sites, mass, roles");
  checkReturn<LinkInfoPairs>("parent_joint");
  checkReturn<JointInfoPairs>("axes, parent_frame, child_frame, axis, axis2");  // directions and poses come back normalised
  checkReturn<DrivelineStatePairs>();
}

TEST_CASE("of a force field the law of its type is read and written, and none of another") {
  const vtb_field_def stated = defaults<vtb_field_def>();
  for (std::int32_t type = VTB_FIELD_TYPE_RADIAL; type < VTB_FIELD_TYPE_USER; type++) {
    vtb_field_def given = stated;
    given.type = static_cast<vtb_field_type>(type);
    given.radial = {{0}, {1, 2, 3}, 4, 5};
    given.pairwise = {6, 7, 8};
    given.drag = {{9, 10, 11}, 12, 13, 14};
    given.magnus = {{15, 16, 17}, 18};
    given.lennard_jones = {19, 20, 21};
    given.attractor = {{22, 23, 24}, 25, 26, 27};
    FieldDefinition own;
    readPairs(FieldPairs::list, given, own);
    const vtb_field_def back = described<vtb_field_def>(FieldPairs::list, own);
    vtb_field_def expected = stated;
    expected.type = given.type;
    int fields = 0;
    for (const FieldDescription& f : description<vtb_field_def>()) {
      const std::string law = enumeration<vtb_field_type>().words[type].word;
      if (std::string(f.name).rfind(law + ".", 0) != 0) continue;
      fields++;
      std::memcpy(reinterpret_cast<char*>(&expected) + f.offset, reinterpret_cast<const char*>(&given) + f.offset,
                  sizeof(double) * f.count);
    }
    REQUIRE(fields > 0);
    CHECK(differences(description<vtb_field_def>(), &expected, &back) == "");
  }
}

TEST_CASE("each flag of a world stands in the list of pairs") {
  for (const FieldDescription& f : description<vtb_world_def>()) {
    if (f.kind != Kind::Flags) continue;
    for (std::size_t i = 0; i < f.enumeration->count; i++) {
      vtb_world_def def = defaults<vtb_world_def>();
      const auto bit = static_cast<std::uint32_t>(f.enumeration->words[i].value);
      std::memcpy(reinterpret_cast<char*>(&def) + f.offset, &bit, sizeof bit);
      WorldSettings settings;
      readPairs(SettingsPairs::list, def, settings);
      const vtb_world_def back = described<vtb_world_def>(SettingsPairs::list, settings);
      INFO(f.enumeration->words[i].name);
      CHECK(differences(description<vtb_world_def>(), &def, &back) == "");
    }
  }
}
