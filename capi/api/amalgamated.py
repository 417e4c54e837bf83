"""The declarations as one file without a preprocessor directive, for generators of foreign-function interfaces that have no preprocessor."""

HEAD = """/* vertebra_amalgamated.h - vertebra.h in one file without preprocessor directives. Made from vertebra.h; its comments are there.
 * For readers of C declarations that include nothing. It needs nothing before it: it defines the types of fixed width itself, as 64-bit
 * Linux does, so that a C program may include <stdint.h> and <stddef.h> beside it. */
"""
FIXED = """typedef signed int int32_t;
typedef unsigned int uint32_t;
typedef unsigned char uint8_t;
typedef unsigned long uint64_t;
typedef unsigned long size_t;
"""


def declarator(field):
    if field["kind"] == "callback":
        return f"{field['returns']} (*{field['name']})({', '.join(map(declarator, field['parameters'])) or 'void'})"
    extent = f"[{field['count']}]" if field["kind"] == "array" else ""
    return f"{field['c_type']} {field['name']}{extent}"


def write(model):
    out = [HEAD + FIXED]
    for constant in model["constants"]:
        out.append(f"enum {{ {constant['name']} = {constant['value']} }};")
    for entry in model["objects"]:
        out.append(f"typedef struct {entry['name']} {entry['name']};")
    for entry in model["handles"]:
        out.append(f"typedef struct {entry['name']} {{\n  uint64_t bits;\n}} {entry['name']};")
    for entry in model["enumerations"]:
        values = ",\n".join(f"  {v['name']} = {v['value']}" for v in entry["values"])
        out.append(f"typedef enum {entry['name']} {{\n{values}\n}} {entry['name']};")
    for entry in model["structs"]:
        fields = "\n".join(f"  {declarator(field)};" for field in entry["fields"])
        out.append(f"typedef struct {entry['name']} {{\n{fields}\n}} {entry['name']};")
    for entry in model["functions"]:
        out.append(f"{entry['returns']} {entry['name']}({', '.join(map(declarator, entry['parameters'])) or 'void'});")
    return "\n".join(out) + "\n"
