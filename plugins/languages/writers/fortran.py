"""Fortran: a module of iso_c_binding interfaces. Pointers that may be null, and those to structs, are type(c_ptr): c_loc(x), c_null_ptr."""
from . import constants, enumerations, sizes, structs

SCALARS = {"double": "real(c_double)", "float": "real(c_float)", "int32_t": "integer(c_int32_t)", "uint32_t": "integer(c_int32_t)",
           "uint64_t": "integer(c_int64_t)", "uint8_t": "integer(c_int8_t)", "size_t": "integer(c_size_t)", "char": "character(kind=c_char)"}


def declarations(api):
    kinds = enumerations(api)
    taken = {entry["name"] for entry in api["functions"]}  # letters count alike, large and small: VTB_ABI and vtb_abi

    def element(name):
        return SCALARS["int32_t"] if name in kinds else SCALARS.get(name) or f"type({name})"

    def field(entry):
        own = "type_" if entry["name"] == "type" else entry["name"]
        if entry["kind"] == "callback":
            return f"type(c_funptr) :: {own}"
        if entry["kind"] in ("text", "pointer", "object"):
            return f"type(c_ptr) :: {own}"
        return f"{element(entry['element'])} :: {own}" + (f"({entry['count']})" if entry["kind"] == "array" else "")

    def parameter(entry):
        if entry["kind"] == "value":
            return f"{element(entry['element'])}, value :: {entry['name']}"
        if entry["kind"] == "text" and not entry.get("nullable"):
            return f"character(kind=c_char), intent(in) :: {entry['name']}(*)"
        if entry["kind"] == "array" and not entry.get("nullable"):
            return f"{element(entry['element'])} :: {entry['name']}(*)"
        return f"type(c_ptr), value :: {entry['name']}"

    out = ["! vertebra.h for Fortran: made from vertebra.json by declare.py.\nmodule vertebra\n  use, intrinsic :: iso_c_binding\n  implicit none\n"]
    for name, value, about in constants(api):
        own = name + "_" if name.lower() in taken else name
        out.append(f"  integer(c_int32_t), parameter :: {own} = {value}_c_int32_t  ! {about}\n")
    for name, fields, about in structs(api):
        out.append(f"  ! {about}\n  type, bind(c) :: {name}\n")
        out += [f"    {field(each)}  ! {each['about']}\n" for each in fields]
        out.append(f"  end type\n")
    out.append("  interface\n")
    for entry in api["functions"]:
        returned = {"const char*": "type(c_ptr)", "uint32_t": "integer(c_int32_t)"}.get(entry["returns"], "integer(c_int32_t)")
        names = ", ".join(each["name"] for each in entry["parameters"])
        out.append(f"    ! {entry['about']}\n    function {entry['name']}({names}) bind(c) result(answer)\n      import\n")
        out += [f"      {parameter(each)}\n" for each in entry["parameters"]]
        out.append(f"      {returned} :: answer\n    end function\n")
    checks = "".join(f"    if (storage_size(of_{name}) /= {8 * size}) differing = differing + 1\n" for name, size in sizes(api))
    checked = "".join(f"    type({name}) :: of_{name}\n" for name, _ in sizes(api))
    return "".join(out) + ("  end interface\ncontains\n  ! Structs of another size than in C.\n  integer function differing()\n" + checked +
                           "    differing = 0\n" + checks + "  end function\nend module\n")
