"""Java: an interface for JNA, with a class for each struct and an interface for each callback."""
from . import constants, enumerations, named, sizes, structs

SCALARS = {"double": "double", "float": "float", "int32_t": "int", "uint32_t": "int", "uint64_t": "long", "uint8_t": "byte", "size_t": "long",
           "char": "byte"}
REFERENCES = {"double": "double[]", "float": "float[]", "int32_t": "int[]", "uint32_t": "int[]", "uint64_t": "long[]", "uint8_t": "byte[]",
              "size_t": "long[]", "char": "byte[]"}
WORDS = {"default", "final", "native", "package", "abstract", "super", "this", "switch", "break", "case", "class", "float", "double", "private"}


def declarations(api):
    kinds = enumerations(api)
    values = {name for name, _, _ in structs(api)}

    def kind(entry, where):
        """where: field, parameter, or callback (whose pointers point to the library's memory)."""
        element = "int32_t" if entry["element"] in kinds else entry["element"]
        if entry["kind"] == "callback":
            return "Callback"
        if entry["kind"] == "text":
            return "Pointer" if where == "field" else "String"
        if entry["kind"] in ("value", "struct"):
            return SCALARS.get(element) or (element if where == "field" else f"{element}.ByValue")
        if where == "field" and entry["kind"] == "array":
            return f"{SCALARS[element]}[]"
        if where == "parameter" and entry["c_type"].count("*") <= 1 and entry["kind"] != "object":
            if element in values and not entry.get("length"):
                return element
            return REFERENCES.get(element, "Pointer")
        return "PointerByReference" if where == "parameter" and entry["c_type"].count("*") == 2 else "Pointer"

    out = ["// vertebra.h for Java through JNA: made from vertebra.json by declare.py.\nimport com.sun.jna.*;\nimport com.sun.jna.ptr.*;\n\n"
           "public interface Vertebra extends Library {\n"]
    for name, value, about in constants(api):
        out.append(f"  /** {about} */\n  int {name} = {value};\n")
    for name, fields, about in structs(api):
        order = ", ".join(f'"{named(field["name"], WORDS)}"' for field in fields)
        out.append(f"  /** {about} */\n  @Structure.FieldOrder({{{order}}})\n  class {name} extends Structure {{\n")
        for field in fields:
            own = named(field["name"], WORDS)
            made = f" = new {SCALARS[field['element']]}[{field['count']}]" if field["kind"] == "array" else ""
            own_kind = f"{name}_{field['name']}" if field["kind"] == "callback" else kind(field, "field")
            out.append(f"    /** {field['about'].replace('*/', '* /')} */\n    public {own_kind} {own}{made};\n")
        if any(handle["name"] == name for handle in api["handles"]):
            out.append(f"    public static class ByValue extends {name} implements Structure.ByValue {{}}\n"
                       f"    public ByValue value() {{ ByValue made = new ByValue(); made.bits = bits; return made; }}\n")
        out.append("  }\n")
        for field in fields:
            if field["kind"] == "callback":
                returned = {"void": "void", "void*": "Pointer"}.get(field["returns"]) or SCALARS[field["returns"]]
                parameters = ", ".join(f"{kind(each, 'callback')} {named(each['name'], WORDS)}" for each in field["parameters"])
                out.append(f"  interface {name}_{field['name']} extends Callback {{ {returned} invoke({parameters}); }}\n")
    for entry in api["functions"]:
        returned = {"const char*": "String"}.get(entry["returns"], "int")
        parameters = ", ".join(f"{kind(each, 'parameter')} {named(each['name'], WORDS)}" for each in entry["parameters"])
        out.append(f"  /** {entry['about']} */\n  {returned} {entry['name']}({parameters});\n")
    checks = "".join(f"    if (new {name}().size() != {size}) return \"{name}\";\n" for name, size in sizes(api))
    out.append(f"  /** A struct of another size than in C; null: none. */\n  static String differing() {{\n{checks}    return null;\n  }}\n")
    return "".join(out) + "}\n"
