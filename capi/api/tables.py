"""The model as C++: what capi/src/description.cpp includes. One description for each struct, with offsets and types that the compiler checks."""
import math

HEAD = "// Made from vertebra.h by capi/api; see capi/src/description.hpp.\n"
KINDS = {"double": "Real", "float": "Float", "int32_t": "Integer", "uint32_t": "Unsigned", "uint64_t": "Wide", "uint8_t": "Byte"}


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
    if field.get("unit") == "pose":
        return "Pose"
    return "UnitVector" if field.get("unit_length") else "Plain"


def range_of(field):
    if "range" not in field:
        return "{}"
    r = field["range"]
    flag = {True: "true", False: "false"}
    also = "kNone" if r["also"] is None else number(r["also"])
    return (f"{{{number(r['lower'])}, {number(r['upper'])}, {flag[r['lower_open']]}, {flag[r['upper_open']]}, {flag[r['infinity']]}, "
            f"{also}, {text(field['range_text'])}}}")


def length_of(field, fields):
    """Constant factor and up to two fields of counts; factor 0 where the length is not told by the struct itself."""
    factor, counts = 1, []
    for part in field.get("length", ["?"]):
        if part.isdigit():
            factor *= int(part)
        elif part in fields:
            counts.append(str(fields[part]["offset"]))
        else:
            return "{0, 0, {0, 0}}"
    return f"{{{factor}, {len(counts)}, {{{', '.join(counts + ['0'] * (2 - len(counts)))}}}}}"


def enumeration(entry):
    name = entry["name"]
    out = [f"constexpr WordDescription {name}_words[] = {{"]
    out += [f"    {{{text(v['name'])}, {text(v['word'])}, {v['name']}, {text(v['about'])}}}," for v in entry["values"]]
    out.append("};")
    out.append(f"constexpr EnumerationDescription {name}_description{{{text(name)}, {name}_words, {len(entry['values'])}}};")
    return out


def struct(entry, model):
    name, out, rows = entry["name"], [], []
    fields = {f["name"]: f for f in entry["fields"]}
    for field in entry["fields"]:
        member = f"{name}::{field['name']}"
        kind = kind_of(field, model)
        if field["kind"] in ("value", "array"):
            extent = f"[{field['count']}]" if field["kind"] == "array" else ""
            out.append(f"static_assert(std::is_same_v<decltype({member}), {field['element']}{extent}>);")
        defaults = "nullptr"
        value = field.get("default", "none")
        if value != "none" and kind not in ("Handle", "Array", "Text", "Object", "Callback"):
            numbers = value if isinstance(value, list) else [value]
            defaults = f"default_{name}_{field['name']}"
            out.append(f"constexpr double {defaults}[] = {{{', '.join(map(number, numbers))}}};")
        kinds = field.get("flags") or (field["element"] if kind == "Enumeration" else None)
        words = [v["word"] for e in model["enumerations"] if e["name"] == field["element"] for v in e["values"]]
        excepted = sum(1 << words.index(word) for word in field.get("except", []))
        element = KINDS.get(field["element"], "Other")
        rows.append(f"    {{{text(field['name'])}, Kind::{kind}, Element::{element}, offsetof({name}, {field['name']}), {field['count']}, "
                    f"Form::{form_of(field)}, {'true' if field.get('nullable') else 'false'}, {text(field.get('unit', ''))}, "
                    f"{text(field['about'])}, {range_of(field)}, {defaults}, {'&' + kinds + '_description' if kinds else 'nullptr'}, "
                    f"{excepted}, {length_of(field, fields)}}},")
    out.append(f"static_assert(sizeof({name}) == {entry['size']});")
    out += [f"constexpr FieldDescription {name}_fields[] = {{", *rows, "};"]
    out.append(f"constexpr StructDescription {name}_description{{{text(name)}, sizeof({name}), {name}_fields, {len(rows)}}};")
    return out


def write(model):
    out = [HEAD, "namespace {"]
    for entry in model["enumerations"]:
        out += enumeration(entry)
    for entry in model["structs"]:
        out += struct(entry, model)
    out.append("}  // namespace")
    for entry in model["structs"]:
        out.append(f"template <>\nconst StructDescription& description<{entry['name']}>() {{ return {entry['name']}_description; }}")
    for entry in model["enumerations"]:
        out.append(f"template <>\nconst EnumerationDescription& enumeration<{entry['name']}>() {{ return {entry['name']}_description; }}")
    return "\n".join(out) + "\n"
