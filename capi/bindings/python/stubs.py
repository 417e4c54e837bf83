#!/usr/bin/env python3
"""Writes the declarations that editors and type checkers read (vertebra/library.pyi, enums.pyi, errors.pyi) from vertebra.json; the same
classes are made from it when the package is imported. With --check it writes nothing, and fails where a file differs.

    stubs.py vertebra.json [--check]
"""
import json
import keyword
import pathlib
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "vertebra"))
from enums import class_name  # noqa: E402
from errors import class_name as error_name  # noqa: E402

HEAD = "# Made by stubs.py from vertebra.json: not to be edited.\n"
INTEGERS = {"int32_t", "uint32_t", "uint64_t", "uint8_t", "size_t"}


def quoted(text, indent):
    """A docstring, wrapped."""
    text = text.replace("\\", "\\\\").replace('"""', "'''")
    text = text + " " if text.endswith('"') else text
    lines = [line for part in text.split("\n") for line in (textwrap.wrap(part, 130 - indent, subsequent_indent="    " if part.startswith(" ") else "") or [""])]
    return textwrap.indent('"""' + "\n".join(lines) + '"""', " " * indent, lambda line: line.strip() != "") + "\n"


def read_type(entry, enumerations):
    """Type of a field, as it is read."""
    kind, element = entry["kind"], entry["element"]
    if kind == "array":
        return "ctypes.Array[Any]"
    if kind in ("pointer", "object", "callback"):
        return "Any"
    if kind == "text":
        return "bytes | None"
    return "float" if element in ("double", "float") else "int" if element in INTEGERS or element in enumerations else element


def given_type(entry, enumerations):
    """Type of a parameter, as it may be given."""
    kind, element = entry["kind"], entry["element"]
    if kind == "text":
        return "Text"
    if kind == "array" or (kind == "pointer" and element in ("double", "float") and entry.get("length")):
        return "Array | None" if entry["direction"] == "in" else "Out"
    if kind in ("object", "pointer"):
        return "Any"
    if element in enumerations:
        return "int | str"
    return "float" if element == "double" else "int" if element in INTEGERS else f"{element} | None"


def sentences(entry):
    lines = [entry["about"]]
    for part in entry.get("parameters") or entry.get("fields") or []:
        unit = f" [{part['unit']}]" if part.get("unit") else ""
        lines.append(f"    {part['name']}{unit}: {part['about']}")
    return "\n".join(lines)


def library(api):
    enumerations = {entry["name"] for entry in api["enumerations"]}
    out = [HEAD, "import ctypes\nimport os\nfrom typing import Any, Sequence\n\nimport numpy as np\n\nfrom .errors import Error as Error\n\n"
                 "Array = Sequence[float] | np.ndarray\nOut = np.ndarray | ctypes.Array[Any] | None\n"
                 "Text = str | bytes | os.PathLike[str] | None\n\n",
           "class Struct(ctypes.Structure): ...\n\n",
           "class Handle(Struct):\n    bits: int\n    def __bool__(self) -> bool: ...\n    def __hash__(self) -> int: ...\n\n"]
    inside = ["    def __init__(self, library: str, description: str) -> None: ...\n", "    version: str\n",
              "    def make(self, struct: str, **values: Any) -> Any: ...\n", "    def about(self, name: str) -> str: ...\n",
              "    def _value(self, owner: Any, name: str, value: Any, kept: list[Any], given: dict[str, Any]) -> Any: ...\n",
              "    _objects: dict[str, Any]\n", "    _keywords: dict[str, Any]\n"]
    inside += [f"    {entry['name']}: int\n" for entry in api["constants"]]
    for entry in api["enumerations"]:
        inside += [f"    {value['name']}: int  # {value['about']}\n" for value in entry["values"]]
    for entry in api["handles"]:
        inside.append(f"    class {entry['name']}(Handle):\n{quoted(entry['about'], 8)}")
    for entry in api["structs"]:
        inside.append(f"    class {entry['name']}(Struct):\n{quoted(sentences(entry), 8)}")
        for field in entry["fields"]:
            if keyword.iskeyword(field["name"]):  # reached by getattr(), and by vtb.make(from_=...)
                continue
            kind = read_type(field, enumerations)
            inside.append(f"        {field['name']}: {'Library.' + kind if kind.startswith('vtb_') else kind}\n")
    for entry in api["functions"]:
        parameters = []
        for parameter in entry["parameters"]:
            kind = given_type(parameter, enumerations)
            name = parameter["name"] + "_" * keyword.iskeyword(parameter["name"])
            parameters.append(f"{name}: {'Library.' + kind if kind.startswith('vtb_') else kind}")
        returned = {"const char*": "bytes", "uint32_t": "int"}.get(entry["returns"], "None")
        inside.append(f"    def {entry['name']}({', '.join(['self', *(f'{p}' for p in parameters), '/'])}) -> {returned}:\n"
                      f"{quoted(sentences(entry), 8)}        ...\n")
    return "".join(out) + "class Library:\n" + "".join(inside) + "\nvtb: Library\n"


def exported(names):
    return "__all__ = [\n" + "".join(f'    "{name}",\n' for name in names) + "]\n"


def enums(api):
    out = [HEAD, "import enum\n\n" + exported(class_name(entry["name"]) for entry in api["enumerations"])]
    for entry in api["enumerations"]:
        out.append(f"\nclass {class_name(entry['name'])}(enum.{'IntFlag' if entry['flags'] else 'IntEnum'}):\n{quoted(entry['about'], 4)}")
        out += [f"    {value['word'].upper()} = {value['value']}\n{quoted(value['about'], 4)}" for value in entry["values"]]
    return "".join(out)


def errors(api):
    out = [HEAD, "from typing import Any\n\n", exported(error_name(value["word"]) for value in api["enumerations"][0]["values"] if value["value"]),
           "\nclass Error(RuntimeError):\n    status: int\n    findings: tuple[Any, ...]\n"
           "    def __init__(self, status: int, text: str) -> None: ...\n"]
    for value in api["enumerations"][0]["values"]:
        if value["value"]:
            out.append(f"\nclass {error_name(value['word'])}(Error):\n{quoted(value['name'] + ': ' + value['about'] + '.', 4)}    ...\n")
    return "".join(out)


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    api = json.loads(pathlib.Path(arguments[0]).read_text(encoding="utf-8"))
    assert api["enumerations"][0]["name"] == "vtb_status"
    differing = []
    for name, text in (("library", library(api)), ("enums", enums(api)), ("errors", errors(api))):
        file = HERE / "vertebra" / f"{name}.pyi"
        if "--check" not in sys.argv:
            file.write_text(text, encoding="utf-8")
        elif not file.is_file() or file.read_text(encoding="utf-8") != text:
            differing.append(file.name)
    if differing:
        sys.exit(f"{', '.join(differing)}: not what vertebra.json says; run capi/bindings/python/stubs.py {arguments[0]}")


main()
