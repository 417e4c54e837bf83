"""Reads vertebra.h and its topics into one model: constants, enumerations, objects, handles, structs, functions, each with what its comment
says. read(path) returns the model, or raises SystemExit with a line "file:line: what is missing" for each fault."""
import pathlib

from pycparser import c_ast

import grammar
import source
from values import default_of

SIZES = {"double": 8, "float": 4, "int32_t": 4, "uint32_t": 4, "uint64_t": 8, "uint8_t": 1, "size_t": 8}  # and alignments, but of structs
NUMBERS = ("double", "float")
PLAIN = ("struct_size", "reserved")  # fields that mean the same in every struct


class Reader:
    def __init__(self, header):
        self.headers = source.topics(pathlib.Path(header))
        self.by_name = {h.path.name: h for h in self.headers}
        self.faults = []
        self.model = {key: [] for key in ("constants", "enumerations", "objects", "handles", "structs", "functions")}
        self.enumerations, self.structs, self.objects = {}, {}, set()
        self.parameters = {}
        for header in self.headers:
            for comment in header.comments:
                if comment.lines and comment.lines[0].startswith("Parameters "):
                    self.parameters[header.topic] = self.guard(header, comment.first, grammar.parameters, comment.parameters()) or {}

    def fault(self, header, line, text):
        self.faults.append(f"{header.path}:{line}: {text}")

    def guard(self, header, line, function, *arguments):
        try:
            return function(*arguments)
        except grammar.Wrong as wrong:
            self.fault(header, line, str(wrong))
            return None

    def about(self, header, line, name):
        """The sentences above a type."""
        comment = header.at(line)
        if not comment or comment.behind:
            self.fault(header, line, f"{name} has no comment above it")
            return ""
        return comment.sentences()

    def read(self):
        for node in source.declarations(self.headers):
            header = self.by_name[node.coord.file]
            if isinstance(node, c_ast.Typedef):
                self.typedef(header, node)
            elif isinstance(node.type, c_ast.FuncDecl):
                self.function(header, node)
            elif isinstance(node.type, c_ast.Enum):
                for value, number in self.enumerators(header, node.type, None):
                    self.model["constants"].append({"name": value["name"], "value": number, "about": value["about"], "topic": header.topic})
            else:
                self.fault(header, node.coord.line, "a declaration of a kind that vertebra.h does not have")
        if self.faults:
            raise SystemExit("\n".join(self.faults))
        return self.model

    # ---- types

    def typedef(self, header, node):
        kind = node.type.type
        line = kind.coord.line if kind.coord else node.coord.line
        entry = {"name": node.name, "topic": header.topic, "about": self.about(header, line, node.name)}
        if kind.name != node.name:
            self.fault(header, line, f"{node.name}: the tag must have the same name")
        if isinstance(kind, c_ast.Enum):
            entry["flags"] = node.name.endswith("_flag")
            entry["values"] = [value for value, _ in self.enumerators(header, kind, node.name)]
            self.enumerations[node.name] = entry
            self.model["enumerations"].append(entry)
        elif kind.decls is None:
            self.objects.add(node.name)
            self.model["objects"].append(entry)
        elif [d.name for d in kind.decls] == ["bits"]:
            SIZES[node.name] = 8
            self.model["handles"].append(entry)
        else:
            self.struct(header, entry, kind)

    def enumerators(self, header, enum, name):
        prefix = {"vtb_status": "VTB_"}.get(name, f"{name.upper()}_") if name else "VTB_"
        if name:
            SIZES[name] = 4
        for item in enum.values.enumerators:
            comment = header.at(item.coord.line)
            if not comment:
                self.fault(header, item.coord.line, f"{item.name} has no sentence")
            if not item.name.startswith(prefix):
                self.fault(header, item.coord.line, f"{item.name} does not begin with {prefix}")
            if item.value is None:
                self.fault(header, item.coord.line, f"{item.name} has no value")
                continue
            number = int(item.value.expr.value) * -1 if isinstance(item.value, c_ast.UnaryOp) else int(item.value.value, 0)
            yield {"name": item.name, "word": item.name[len(prefix):].lower(), "value": number,
                   "about": comment.sentences() if comment else ""}, number

    def struct(self, header, entry, kind):
        entry["line"], entry["fields"], offset, widest = kind.coord.line, [], 0, 1
        self.structs[entry["name"]] = entry
        for declaration in kind.decls:
            field = self.type_of(header, declaration.type)
            if field["kind"] == "value" and field["element"] in self.structs:
                field["kind"] = "struct"
            size = SIZES[field["element"]] if field["kind"] in ("value", "array", "struct") else 8
            alignment = self.structs[field["element"]]["alignment"] if field["kind"] == "struct" else size
            if offset % alignment:
                self.fault(header, declaration.coord.line, f"{declaration.name} has hidden padding before it")
            field.update(name=declaration.name, offset=offset)
            offset, widest = offset + size * field["count"], max(widest, alignment)
            self.describe(header, declaration, field)
            entry["fields"].append(field)
        if offset % widest:
            self.fault(header, entry["line"], f"{entry['name']} has hidden padding at its end")
        entry["size"], entry["alignment"] = offset, widest
        SIZES[entry["name"]] = offset
        defaults = [f for f in entry["fields"] if f["name"] not in PLAIN and f["kind"] != "struct"]
        given = [f for f in defaults if "default" in f]
        for field in defaults if given else []:
            if "default" not in field:
                self.fault(header, entry["line"], f"{entry['name']}.{field['name']} has no default in brackets; other fields have")
        self.model["structs"].append(entry)

    def type_of(self, header, node):
        """Kind (value, array, pointer, text, object, callback; a value of a struct becomes struct), element type and count of a declarator."""
        if isinstance(node, c_ast.ArrayDecl):
            inner = self.type_of(header, node.type)
            return {**inner, "kind": "array", "count": int(node.dim.value), "c_type": inner["c_type"]}
        if isinstance(node, c_ast.PtrDecl) and isinstance(node.type, c_ast.FuncDecl):
            returned, arguments = self.signature(header, node.type)
            return {"kind": "callback", "element": "void", "count": 1, "returns": returned, "parameters": arguments, "c_type": "callback"}
        if isinstance(node, c_ast.PtrDecl):
            inner = self.type_of(header, node.type)
            text = inner["c_type"] + "*" + (" const" if "const" in node.quals else "")
            kind = "pointer"
            if inner["c_type"] == "const char":
                kind = "text"
            elif inner["c_type"] in self.objects or inner["c_type"].removeprefix("const ") in self.objects:
                kind = "object"
            return {"kind": kind, "element": inner["element"], "count": 1, "c_type": text}
        name = " ".join(node.type.names) if isinstance(node.type, c_ast.IdentifierType) else node.type.name
        const = "const " if "const" in node.quals else ""
        return {"kind": "value", "element": name, "count": 1, "c_type": const + name}

    def describe(self, header, declaration, field):
        """What the comment beside a field says of it."""
        line = declaration.coord.line
        comment = header.at(line)
        if not comment:
            self.fault(header, line, f"{declaration.name} has no comment")
            return
        result = self.guard(header, line, grammar.field, comment.sentences())
        if result is None:
            return
        spec, default, sentence = result
        field.update(spec, about=sentence)
        self.check(header, line, declaration.name, field)
        if default is not None:
            value = self.guard(header, line, default_of, field, default, self.enumerations)
            if value is not None:
                field["default"] = value

    def check(self, header, line, name, entry):
        """That a field or parameter says all that its type asks for."""
        numeric = entry["element"] in NUMBERS and entry["kind"] != "callback"
        if numeric and "unit" not in entry:
            self.fault(header, line, f"{name}: a number without a unit")
        if not numeric and "unit" in entry:
            self.fault(header, line, f"{name}: a unit beside something that is not in double or float")
        if "flags" in entry and not self.enumerations.get(entry["flags"], {}).get("flags"):
            self.fault(header, line, f"{name}: {entry['flags']} is no enumeration of flags")
        for word in entry.get("except", []):
            if word not in [v["word"] for v in self.enumerations.get(entry["element"], {}).get("values", [])]:
                self.fault(header, line, f"{name}: {word} is no word of {entry['element']}")
        if entry["kind"] == "struct" and "struct_size" in [f["name"] for f in self.structs[entry["element"]]["fields"]]:
            self.fault(header, line, f"{name}: a struct with a struct_size of its own inside another")
        if "length" in entry and entry["kind"] not in ("pointer", "text"):
            self.fault(header, line, f"{name}: the length of something that is no pointer")

    # ---- functions

    def signature(self, header, declaration):
        returned = self.type_of(header, declaration.type)["c_type"] if not isinstance(declaration.type, c_ast.FuncDecl) else ""
        arguments = []
        for parameter in declaration.args.params if declaration.args else []:
            if parameter.name is None:  # (void)
                continue
            entry = self.type_of(header, parameter.type)
            entry["name"] = parameter.name
            arguments.append(entry)
        return returned, arguments

    def function(self, header, node):
        line, name = node.coord.line, node.name
        returned, arguments = self.signature(header, node.type)
        entry = {"name": name, "topic": header.topic, "line": line, "returns": returned, "parameters": arguments, "about": ""}
        own = {}
        comment = header.at(line)
        if name.endswith("_init"):
            entry["about"] = "Fills the struct with its defaults."
        elif not comment or comment.behind:
            self.fault(header, line, f"{name} has no comment above it")
        else:
            entry["about"] = comment.sentences()
            own = self.guard(header, line, grammar.parameters, comment.parameters()) or {}
        for stray in set(own) - {a["name"] for a in arguments}:
            self.fault(header, line, f"{name} has no parameter {stray}")
        for argument in arguments:
            known = [table[argument["name"]] for table in (own, self.parameters.get(header.topic, {}), self.parameters.get("base", {}))
                     if argument["name"] in table]
            if not known:
                self.fault(header, line, f"{name}: the parameter {argument['name']} is not described")
                continue
            argument.update(known[0])
            argument["direction"] = direction_of(argument)
            self.check(header, line, f"{name}: {argument['name']}", argument)
        self.model["functions"].append(entry)


def direction_of(argument):
    """in, out, or inout for an object that the call may change."""
    if argument["kind"] == "object":
        return "in" if argument["c_type"].startswith("const ") else "inout"
    if argument["kind"] in ("value", "text", "callback"):
        return "in"
    return "in" if argument["c_type"].startswith("const ") or argument["c_type"].endswith("const*") else "out"


def read(header):
    return Reader(header).read()
