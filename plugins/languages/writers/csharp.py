"""C#: structs of the same layout and static functions; pointers are pointers, so programs are compiled with /unsafe."""
from . import constants, enumerations, named, sizes, structs

SCALARS = {"double": "double", "float": "float", "int32_t": "int", "uint32_t": "uint", "uint64_t": "ulong", "uint8_t": "byte", "size_t": "UIntPtr",
           "char": "byte", "void": "void"}
WORDS = {"params", "ref", "in", "out", "fixed", "base", "lock", "is", "as", "object", "event", "operator", "checked", "default", "implicit"}


def declarations(api):
    kinds, objects = enumerations(api), {entry["name"] for entry in api["objects"]}

    def element(name):
        return "int" if name in kinds else "void" if name in objects else SCALARS.get(name, name)

    def kind(entry):
        if entry["kind"] == "callback":
            return "IntPtr"
        if entry["kind"] in ("value", "struct"):
            return element(entry["element"])
        return element(entry["element"]) + "*" * max(entry.get("c_type", "*").count("*"), 1)

    def listed(parameters, text):
        return ", ".join(f"{text if each['kind'] == 'text' and text else kind(each)} {named(each['name'], WORDS)}" for each in parameters)

    out = ["// vertebra.h for C#: made from vertebra.json by declare.py.\nusing System;\nusing System.Runtime.InteropServices;\n\n"]
    delegates, text = [], ["public static unsafe class Vertebra {\n"]
    for name, value, about in constants(api):
        text.append(f"  /// <summary>{escaped(about)}</summary>\n  public const int {name} = {value};\n")
    for name, fields, about in structs(api):
        out.append(f"/// <summary>{escaped(about)}</summary>\n[StructLayout(LayoutKind.Sequential)]\npublic unsafe struct {name} {{\n")
        for field in fields:
            own = named(field["name"], WORDS)
            declared = (f"public fixed {element(field['element'])} {own}[{field['count']}];" if field["kind"] == "array" else
                        f"public {kind(field)} {own};")
            out.append(f"  /// <summary>{escaped(field['about'])}</summary>\n  {declared}\n")
            if field["kind"] == "callback":
                returned = "void*" if field["returns"] == "void*" else element(field["returns"])
                delegates.append(f"[UnmanagedFunctionPointer(CallingConvention.Cdecl)]\n"
                                 f"public unsafe delegate {returned} {name}_{field['name']}({listed(field['parameters'], '')});\n")
        out.append("}\n")
    for entry in api["functions"]:
        returned = {"const char*": "IntPtr", "uint32_t": "uint"}.get(entry["returns"], "int")
        text.append(f"  /// <summary>{escaped(entry['about'])}</summary>\n  [DllImport(\"vertebra\", CallingConvention = CallingConvention.Cdecl)]\n"
                    f"  public static extern {returned} {entry['name']}({listed(entry['parameters'], 'string')});\n")
    checks = "".join(f"    if (sizeof({name}) != {size}) return \"{name}\";\n" for name, size in sizes(api))
    text.append(f"  /// <summary>A struct of another size than in C; null: none</summary>\n  public static string Differing() {{\n{checks}    return null;\n  }}\n")
    return "".join(out + delegates + text) + "}\n"


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
