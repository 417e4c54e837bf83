#!/usr/bin/env python3
"""vertebra.json against vertebra.h: every declaration that the header has is there, and sizes, offsets and values are the compiler's.

Arguments: vertebra.json, the include folder, a C compiler, a scratch folder. The names in the header are found by plain patterns, not by
the reader that made the file; the numbers by a C program.
"""
import json
import pathlib
import re
import subprocess
import sys


def declared(folder):
    """Names of types, enumerators and functions, and fields by struct, as patterns find them in the headers."""
    text = "\n".join(re.sub(r"/\*.*?\*/", "", p.read_text(encoding="utf-8"), flags=re.S) for p in sorted(folder.glob("*.h")))
    fields = {}
    for name, body in re.findall(r"typedef struct (vtb_\w+) \{(.*?)\n\}", text, flags=re.S):
        fields[name] = re.findall(r"(?:\(\*(\w+)\)\([^;]*\)|(\w+)(?:\[\d+\])?);", body)
    return {"functions": set(re.findall(r"^[\w ]+\*? ?(vtb_\w+)\(", text, flags=re.M)),
            "enumerators": set(re.findall(r"\b(VTB_[A-Z]\w*) = ", text)),
            "types": set(re.findall(r"typedef (?:struct|enum) (vtb_\w+)", text)),
            "fields": {name: [a or b for a, b in found] for name, found in fields.items()}}


def described(api):
    values = [v for e in api["enumerations"] for v in e["values"]] + api["constants"]
    fields = {s["name"]: [f["name"] for f in s["fields"]] for s in api["structs"]}
    fields.update({h["name"]: ["bits"] for h in api["handles"]})
    types = {e["name"] for key in ("enumerations", "structs", "handles", "objects") for e in api[key]}
    return {"functions": {f["name"] for f in api["functions"]}, "enumerators": {v["name"] for v in values}, "types": types, "fields": fields}


def program(api):
    """A C program that prints what the compiler knows, one "name number" a line."""
    lines = []
    for struct in api["structs"]:
        lines.append(f'P("{struct["name"]}", sizeof({struct["name"]}))')
        lines += [f'P("{struct["name"]}.{f["name"]}", offsetof({struct["name"]}, {f["name"]}))' for f in struct["fields"]]
    for entry in api["enumerations"]:
        lines.append(f'P("{entry["name"]}", sizeof({entry["name"]}))')
        lines += [f'P("{v["name"]}", {v["name"]})' for v in entry["values"]]
    return ('#include <stdio.h>\n#include <vertebra/vertebra.h>\n#define P(name, value) printf("%s %lld\\n", name, (long long)(value));\n'
            "int main(void) {\n" + "\n".join(lines) + "\nreturn 0;\n}\n")


def expected(api):
    for struct in api["structs"]:
        yield struct["name"], struct["size"]
        for field in struct["fields"]:
            yield f'{struct["name"]}.{field["name"]}', field["offset"]
    for entry in api["enumerations"]:
        yield entry["name"], 4
        for value in entry["values"]:
            yield value["name"], value["value"]


def main():
    description, include, compiler, scratch = sys.argv[1:]
    api = json.loads(pathlib.Path(description).read_text(encoding="utf-8"))
    header, ours = declared(pathlib.Path(include) / "vertebra"), described(api)
    for key in header:
        assert header[key] == ours[key], f"{key}: {sorted(map(str, set(header[key]) ^ set(ours[key]))) or 'the fields differ'}"
    source, binary = pathlib.Path(scratch) / "layout.c", pathlib.Path(scratch) / "layout"
    source.write_text(program(api), encoding="utf-8")
    subprocess.run([compiler, "-std=c99", "-I", include, str(source), "-o", str(binary)], check=True)
    told = dict(line.split() for line in subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout.splitlines())
    wrong = [f"{name}: {number}, the compiler says {told[name]}" for name, number in expected(api) if int(told[name]) != number]
    assert not wrong, "\n".join(wrong)
    for function in api["functions"]:
        for parameter in function["parameters"]:
            assert parameter["direction"] in ("in", "out", "inout") and parameter["about"], (function["name"], parameter)
            assert parameter["element"] != "double" or parameter["unit"], (function["name"], parameter)
    print(len(ours["functions"]), "functions,", len(ours["fields"]), "structs,", len(told), "numbers as the compiler has them")


main()
