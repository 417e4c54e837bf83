"""The header's enumerations, made from vertebra.json: JointType.REVOLUTE for VTB_JOINT_TYPE_REVOLUTE, WorldFlag.NO_SLEEP | WorldFlag.PLANAR.
Wherever one is asked for, its word does as well: type="revolute"."""
import enum
from typing import Any

__all__: list[str] = []

def class_name(name: str) -> str:
    """vtb_joint_type: JointType."""
    return "".join(part.capitalize() for part in name.removeprefix("vtb_").split("_"))


def make_classes(enumerations: list[dict[str, Any]]) -> dict[str, type[enum.IntEnum] | type[enum.IntFlag]]:
    """By their names in the header."""
    made: dict[str, Any] = {}
    for entry in enumerations:
        kind = enum.IntFlag if entry["flags"] else enum.IntEnum
        members = {value["word"].upper(): value["value"] for value in entry["values"]}
        name = class_name(entry["name"])
        __all__.append(name)
        made[entry["name"]] = globals()[name] = kind(name, members, module=__name__)
        made[entry["name"]].__doc__ = entry["about"]
        for value in entry["values"]:
            made[entry["name"]][value["word"].upper()].__doc__ = value["about"]
    return made
