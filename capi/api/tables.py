"""The model as C++: what capi/src/description.cpp includes. One description and the defaults of each struct, with offsets and types that the
compiler checks. The fields of a struct inside another stand in the outer one's description by their path, such as contact.margin."""
import math

import grammar

HEAD = "// Made from vertebra.h by capi/api; see capi/src/description.hpp.\n"
KINDS = {"double": "Real", "float": "Float", "int32_t": "Integer", "uint32_t": "Unsigned", "uint64_t": "Wide", "uint8_t": "Byte"}
LOWEST = -16  # no enumerator is below it or above 47: sets of them are numbers of 64 bits


def text(value):
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def number(value):
    value = float(value)
    if math.isinf(value):
        return "kInfinity" if value > 0 else "-kInfinity"
    return repr(value)


def kind_of(field, model):
    if field["name"] == "struct_size":
        return "Size"
    if field["name"] == "reserved":
        return "Reserved"
    if field["kind"] == "struct":
        return "Struct"
    if field["kind"] in ("value", "array"):
        if field.get("boolean"):
            return "Boolean"
        if "flags" in field:
            return "Flags"
        if field["element"] in KINDS:
            return KINDS[field["element"]]
        names = {e["name"] for e in model["enumerations"]}
        return "Enumeration" if field["element"] in names else "Handle"
    return {"pointer": "Array", "text": "Text", "object": "Object", "callback": "Callback"}[field["kind"]]


def form_of(field):
    if field.get("unit") in ("pose", "twist"):
        return field["unit"].capitalize()
    return "UnitVector" if field.get("unit_length") else "Plain"


def range_of(field):
    if "range" not in field:
        return "{}"
    lower, upper = grammar.closed_ends(field["range"])
    also = "kNone" if field["range"]["also"] is None else number(field["range"]["also"])
    return f"{{{number(lower)}, {number(upper)}, {also}, {text(field['range_text'])}}}"


def length_of(field, fields, offset):
    """Constant factor and up to two fields of counts; factor 0 where the length is not told by the struct itself."""
    factor, counts = 1, []
    for part in field.get("length", ["?"]):
        if part.isdigit():
            factor *= int(part)
        elif part in fields:
            counts.append(str(offset + fields[part]["offset"]))
        else:
            return "{0, 0, {0, 0}}"
    return f"{{{factor}, {len(counts)}, {{{', '.join(counts + ['0'] * (2 - len(counts)))}}}}}"


def allowed_of(entry, excepted=()):
    """Bits that flags may have; or the values that an enumeration may have, as bits from LOWEST on."""
    values = [v["value"] for v in entry["values"] if v["word"] not in excepted]
    return sum(values) if entry["flags"] else sum(1 << value - LOWEST for value in values)


def enumeration(entry):
    name = entry["name"]
    out = [f"constexpr WordDescription {name}_words[] = {{"]
    out += [f"    {{{text(v['name'])}, {text(v['word'])}, {v['name']}, {text(v['about'])}}}," for v in entry["values"]]
    out.append("};")
    out.append(f"constexpr EnumerationDescription {name}_description{{{text(name)}, {name}_words, {len(entry['values'])}, {allowed_of(entry)}u}};")
    return out


def rows_of(entry, model, outer, path, offset):
    """A line for each field, those of structs inside it by their path."""
    fields = {f["name"]: f for f in entry["fields"]}
    enumerations = {e["name"]: e for e in model["enumerations"]}
    for field in entry["fields"]:
        name = path + field["name"]
        if field["kind"] == "struct":
            inner = next(s for s in model["structs"] if s["name"] == field["element"])
            yield from rows_of(inner, model, outer, name + ".", offset + field["offset"])
            continue
        kind = kind_of(field, model)
        words = field.get("flags") or (field["element"] if kind == "Enumeration" else None)
        allowed = allowed_of(enumerations[words], field.get("except", [])) if words else 0
        element = KINDS.get(field["element"], "Other")
        yield (f"    {{{text(name)}, Kind::{kind}, Element::{element}, offsetof({outer}, {name}), {field['count']}, "
               f"Form::{form_of(field)}, {'true' if field.get('nullable') else 'false'}, {text(field.get('unit', ''))}, "
               f"{text(field['about'])}, {range_of(field)}, {'&' + words + '_description' if words else 'nullptr'}, "
               f"{allowed}u, {length_of(field, fields, offset)}}},")


def default_lines(entry, model):
    """Assignments of the defaults that are not zero."""
    for field in entry["fields"]:
        kind, name = kind_of(field, model), f"values.{field['name']}"
        if kind == "Size":
            yield f"{name} = sizeof values;"
        if kind == "Struct":
            yield f"{name} = {field['element']}_made();"
        if kind in ("Handle", "Array", "Text", "Object", "Callback") or "default" not in field:
            continue
        numbers = field["default"] if isinstance(field["default"], list) else [field["default"]]
        for i, value in enumerate(numbers):
            if value:
                at = f"{name}[{i}]" if field["kind"] == "array" else name
                yield f"{at} = static_cast<{field['element']}>({number(value) if kind in ('Real', 'Float') else value});"


def struct(entry, model):
    name, out = entry["name"], []
    for field in entry["fields"]:
        if field["kind"] in ("value", "array", "struct"):
            extent = f"[{field['count']}]" if field["kind"] == "array" else ""
            out.append(f"static_assert(std::is_same_v<decltype({name}::{field['name']}), {field['element']}{extent}>);")
    rows = list(rows_of(entry, model, name, "", 0))
    out.append(f"static_assert(sizeof({name}) == {entry['size']});")
    out += [f"constexpr {name} {name}_made() {{", f"  {name} values{{}};", *(f"  {line}" for line in default_lines(entry, model)), "  return values;", "}"]
    out.append(f"constexpr {name} {name}_defaults = {name}_made();")
    out += [f"constexpr FieldDescription {name}_fields[] = {{", *rows, "};"]
    out.append(f"constexpr StructDescription {name}_description{{{text(name)}, sizeof({name}), {name}_fields, {len(rows)}}};")
    return out


def write(model):
    out = [HEAD, "namespace {", f"static_assert(kLowestEnumerator == {LOWEST});"]
    for entry in model["enumerations"]:
        out += enumeration(entry)
    for entry in model["structs"]:
        out += struct(entry, model)
    out.append("}  // namespace")
    for entry in model["structs"]:
        out.append(f"template <>\nconst StructDescription& description<{entry['name']}>() {{ return {entry['name']}_description; }}")
        out.append(f"template <>\nconst {entry['name']}& defaults<{entry['name']}>() {{ return {entry['name']}_defaults; }}")
    for entry in model["enumerations"]:
        out.append(f"template <>\nconst EnumerationDescription& enumeration<{entry['name']}>() {{ return {entry['name']}_description; }}")
    return "\n".join(out) + "\n"
