"""The model as vertebra.json, for bindings and documentation. Infinite numbers are the texts "inf" and "-inf"."""
import json
import math

ABOUT = ("Made from vertebra.h. Enumerations, structs and functions in the order of the header; offsets and sizes are those of 64-bit "
         "machines. A field of the kind struct holds the struct that element names. Directions: in, out, inout. length: factors of the "
         "number of elements that a pointer points to. Without a range numbers are finite.")
DROPPED = ("line", "alignment")


def plain(value):
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items() if key not in DROPPED and item is not None}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value


def write(model, version):
    return json.dumps({"about": ABOUT, "version": version, **plain(model)}, indent=1, ensure_ascii=False) + "\n"
