// The lists of pairs between structs of vertebra.h and the engine's: the engine's own defaults are those that the header states, and values
// other than defaults come back unchanged.
#include <cstring>

#include "capi/src/conversions.hpp"
#include "capi/src/conversions_machines.hpp"
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

// Other values in each field that a list could contain, there and back.
template <class Group>
void checkReturn() {
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
  CHECK(differences(description<D>(), &given, &back) == "");
}

}  // namespace

TEST_CASE("the engine's defaults are those that vertebra.h states") {
  checkDefaults<SettingsPairs>();
  checkDefaults<AxisPairs>();
  checkDefaults<SurfaceDefPairs>();
  checkDefaults<ShapeSurfacePairs>();
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
}

TEST_CASE("a setting that is read is written back the same, and none is forgotten") {
  checkReturn<SettingsPairs>();
  checkReturn<AxisPairs>();
  checkReturn<MotorPairs>();
  checkReturn<SurfaceDefPairs>();
  checkReturn<DrivelineInputPairs>();
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
