"""Rust: a module of raw declarations, as bindgen makes them, without a crate."""
from . import constants, enumerations, named, sizes, structs

SCALARS = {"double": "f64", "float": "f32", "int32_t": "i32", "uint32_t": "u32", "uint64_t": "u64", "uint8_t": "u8", "size_t": "usize",
           "char": "c_char", "void": "c_void"}
WORDS = {"type", "ref", "in", "self", "move", "loop", "box", "fn", "mod", "match", "use", "where", "final", "priv"}


def declarations(api):
    kinds = enumerations(api)

    def element(name):
        return "i32" if name in kinds else SCALARS.get(name, name)

    def kind(entry, in_field):
        if entry["kind"] == "callback":
            returned = {"void": "", "void*": " -> *mut c_void"}.get(entry["returns"], f" -> {element(entry['returns'])}")
            return f"Option<unsafe extern \"C\" fn({', '.join(kind(each, False) for each in entry['parameters'])}){returned}>"
        if entry["kind"] in ("value", "struct"):
            return element(entry["element"])
        if entry["kind"] == "array" and in_field:
            return f"[{element(entry['element'])}; {entry['count']}]"
        stars = max(entry.get("c_type", "*").count("*"), 1)
        constant = entry.get("c_type", "").startswith("const")
        return "*mut " * (stars - 1) + ("*const " if constant else "*mut ") + element(entry["element"])

    out = ["//! vertebra.h for Rust: made from vertebra.json by declare.py.\n#![allow(non_camel_case_types, dead_code)]\n"
           "use std::os::raw::{c_char, c_void};\n\n"]
    for name, value, about in constants(api):
        out.append(f"/// {about}\npub const {name}: i32 = {value};\n")
    for entry in api["objects"]:
        out.append(f"/// {entry['about']}\n#[repr(C)]\npub struct {entry['name']} {{ private: [u8; 0] }}\n")
    for name, fields, about in structs(api):
        out.append(f"/// {about}\n#[repr(C)]\n#[derive(Clone, Copy)]\npub struct {name} {{\n")
        out += [f"    /// {field['about']}\n    pub {named(field['name'], WORDS)}: {kind(field, True)},\n" for field in fields]
        out.append("}\n")
    out += [f"const _: [(); {size}] = [(); std::mem::size_of::<{name}>()];\n" for name, size in sizes(api)]
    out.append('#[link(name = "vertebra")]\nextern "C" {\n')
    for entry in api["functions"]:
        returned = {"const char*": "*const c_char", "uint32_t": "u32"}.get(entry["returns"], "i32")
        parameters = ", ".join(f"{named(each['name'], WORDS)}: {kind(each, False)}" for each in entry["parameters"])
        out.append(f"    /// {entry['about']}\n    pub fn {entry['name']}({parameters}) -> {returned};\n")
    return "".join(out) + "}\n"
