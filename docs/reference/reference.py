#!/usr/bin/env python3
"""Turns vertebra.json into a header that Doxygen understands. Usage: reference.py vertebra.json HEADERS OUT.h

Declarations, sentences, units, ranges and defaults come from vertebra.json; the conventions and the opening comment of each topic from the
headers in the folder HEADERS. The statuses that a call may answer follow from its parameters.
"""
import html
import json
import pathlib
import re
import sys


def words(text):
    """A text, ready for Doxygen."""
    return re.sub(r"([\\@%#])", r"\\\1", html.escape(text, quote=False)).strip()


def opening(path):
    """The opening comment of a header, without stars."""
    comment = re.match(r"/\*(.*?)\*/", path.read_text(encoding="utf-8"), flags=re.S).group(1)
    return [re.sub(r"^ \* ?", "", line) for line in comment.strip().split("\n")]


def block(lines):
    return "/** " + "\n".join(line for line in lines if line) + "\n */"


def declarator(entry):
    if entry["kind"] == "callback":
        return f"{entry['returns']} (*{entry['name']})({', '.join(map(declarator, entry['parameters']))})"
    return f"{entry['c_type']} {entry['name']}" + (f"[{entry['count']}]" if entry["kind"] == "array" else "")


def shown(default):
    return " ".join(map(str, default)) if isinstance(default, list) else str(default)


def meaning(entry, enumerations):
    """Sentence, unit, range, length and default of a field or parameter."""
    parts = [words(entry["about"])]
    if "unit" in entry:
        parts.append(f"unit: {words(entry['unit'])}")
    if "range_text" in entry:
        parts.append(words(entry["range_text"]))
    if entry.get("boolean"):
        parts.append("0 or 1")
    if "flags" in entry:
        parts.append(f"bits of {entry['flags']}")
    if "length" in entry:
        parts.append("array of " + words(" x ".join(entry["length"])))
    if entry.get("nullable"):
        parts.append("may be NULL")
    if "default" in entry:
        names = {v["value"]: v["name"] for e in enumerations if e["name"] == entry["element"] for v in e["values"]}
        parts.append(f"default {names.get(entry['default'], entry['default']) if names else shown(entry['default'])}")
    return "; ".join(parts)


def statuses(function, handles):
    """What a call may answer, from the types of its parameters."""
    if function["returns"] != "vtb_status":
        return "as said; cannot fail"
    text = "VTB_OK, or VTB_E_ARG"
    if any(p["kind"] == "value" and p["element"] in handles for p in function["parameters"]):
        text += ", VTB_E_STALE"
    if any(p["c_type"] == "vtb_world*" for p in function["parameters"]):
        text += ", VTB_E_BUSY inside a callback"
    return text + "; others where said. vtb_last_error() tells which argument and why."


class Writer:
    def __init__(self, api, headers):
        self.api, self.headers, self.out = api, headers, []
        self.handle_names = {h["name"] for h in api["handles"]}

    def run(self):
        self.out.append("/** @mainpage vertebra.h\n@verbatim\n" + "\n".join(opening(self.headers / "vertebra.h")) + "\n@endverbatim */\n/** @file */")
        keys = ("constants", "objects", "handles", "enumerations", "structs", "functions")
        topics = list(dict.fromkeys(entry["topic"] for key in keys for entry in self.api[key]))
        for topic in topics:
            lines = opening(self.headers / f"{topic}.h")
            self.out.append(f"/** @defgroup {topic} {topic}.h\n@verbatim\n" + "\n".join(lines) + "\n@endverbatim\n@{ */")
            for key in keys:
                for entry in self.api[key]:
                    if entry["topic"] == topic:
                        getattr(self, key)(entry)
            self.out.append("/** @} */")
        return "\n".join(self.out) + "\n"

    def constants(self, entry):
        self.out.append(f"{block(['A constant.'])}\nenum {{ {entry['name']} = {entry['value']} /**< {words(entry['about'])} */ }};")

    def objects(self, entry):
        self.out.append(f"{block([words(entry['about'])])}\ntypedef struct {entry['name']} {entry['name']};")

    def handles(self, entry):
        self.out.append(f"{block([words(entry['about'])])}\ntypedef struct {{ uint64_t bits; /**< 0 = none */ }} {entry['name']};")

    def enumerations(self, entry):
        values = "".join(f"\n  {v['name']} = {v['value']}, /**< {words(v['about'])} */" for v in entry["values"])
        self.out.append(f"{block([words(entry['about'])])}\ntypedef enum {{{values}\n}} {entry['name']};")

    def structs(self, entry):
        prepared = any(f["name"] == entry["name"] + "_init" for f in self.api["functions"])
        general = f"Prepared by {entry['name']}_init." if prepared else ""
        fields = "".join(f"\n  {declarator(f)}; /**< {meaning(f, self.api['enumerations'])} */" for f in entry["fields"])
        self.out.append(f"{block([words(entry['about']), general])}\ntypedef struct {{{fields}\n}} {entry['name']};")

    def functions(self, entry):
        lines = [words(entry["about"])]
        lines += [f"@param[{p['direction'].replace('inout', 'in,out')}] {p['name']} {meaning(p, self.api['enumerations'])}" for p in entry["parameters"]]
        lines.append("@return " + statuses(entry, self.handle_names))
        parameters = ", ".join(map(declarator, entry["parameters"])) or "void"
        self.out.append(f"{block(lines)}\n{entry['returns']} {entry['name']}({parameters});")


def main():
    description, headers, out = map(pathlib.Path, sys.argv[1:4])
    out.write_text(Writer(json.loads(description.read_text(encoding="utf-8")), headers).run(), encoding="utf-8")


main()
