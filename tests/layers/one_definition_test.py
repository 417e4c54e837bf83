#!/usr/bin/env python3
"""Checks the one-definition rule: no type outside an anonymous namespace is defined in two files that one program links.

Two such types of one name let the linker take one's members for the other's: unoptimised builds then overwrite memory. In folders whose
sources are compiled in groups (VERTEBRA_UNITY) types in anonymous namespaces and constants have names of their own in a namespace, too; and
no function in an anonymous namespace has the name of one that a header of its namespace declares: in a group other sources might call it.
one_definition_test.py ROOT checks a tree; one_definition_test.py --self-test checks that the rule is able to fail.
"""
import collections
import os
import re
import sys
import tempfile

LIBRARY = ("engine", "loaders", "capi/src")  # linked into every program
GROUPED = ("engine", "loaders", "capi/src")  # compiled in groups, but for:
ALONE = "engine/geometry/shapes"
PROGRAMS = ("cli", "viewer", "bench", "tests")  # each folder is treated as one program

TOKEN = re.compile(
    r"namespace\s*([\w:]*)\s*\{"
    r"|\b(?:struct|class|enum class|enum|union)\s+(?:\[\[[^\]]*\]\]\s*)?(\w+)\s*(?:final\s*)?(?::[^;{(]*)?\{"
    r"|[{}]")

NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.M)

CONSTANT = re.compile(r"^(?:inline |static )*const(?:expr)? [^(;]*?\b(k[A-Z]\w*)\b(?:\[\w*\])*\s*[={]([^;]*)", re.M)

# A function that starts at the start of a line.
FUNCTION = re.compile(r"^(?!return|else|namespace|using|struct|class|enum|template|typedef|static_assert)\w[\w:<>,&*\[\] ]*?[ *&](\w+)\(", re.M)

ANONYMOUS = re.compile(r"^namespace \{\n(.*?)^\}  // namespace$", re.M | re.S)


def types_of(text, local=False):
    """Names of the types that a file defines with linkage, with their namespaces; or of those in anonymous namespaces."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', '""', text)
    scopes, names = [], []  # a scope: the name of a namespace ("" = anonymous), or None
    for match in TOKEN.finditer(text):
        namespace, name = match.group(1), match.group(2)
        if name:
            if None not in scopes and ("" in scopes) == local:
                names.append("::".join(scopes + [name]))
            scopes.append(None)
        elif match.group(0).startswith("namespace"):
            scopes.append(namespace)
        elif match.group(0) == "{":
            scopes.append(None)
        elif scopes:
            scopes.pop()
    return names


def constants_of(text):
    """Names of the constants that stand at the start of a line."""
    names = []
    for match in CONSTANT.finditer(re.sub(r"//[^\n]*", " ", text)):
        names += [match.group(1)] + re.findall(r", (k[A-Z]\w*) = ", match.group(2))
    return names


def sources(root, folder):
    for directory, subdirectories, files in os.walk(os.path.join(root, folder)):
        subdirectories.sort()
        for name in sorted(files):
            if name.endswith((".cpp", ".hpp")):
                yield os.path.join(directory, name)


def definitions(root, paths):
    places = collections.defaultdict(list)
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for name in types_of(file.read()):
                places[name].append(os.path.relpath(path, root))
    return places


def hidden_functions(root):
    """Functions in anonymous namespaces of sources that a header of their namespace declares, too."""
    declared, hidden = collections.defaultdict(list), collections.defaultdict(list)
    for path in (path for folder in GROUPED for path in sources(root, folder)):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        space = NAMESPACE.search(text)
        if not space:
            continue
        if path.endswith(".hpp"):
            names, places = FUNCTION.findall(text), declared
        else:
            names, places = FUNCTION.findall("".join(ANONYMOUS.findall(text))), hidden
        for name in set(names):
            places[f"{space.group(1)}: {name}"].append(os.path.relpath(path, root))
    return [(name, files + declared[name]) for name, files in hidden.items() if name in declared]


def check(root):
    library = definitions(root, [path for folder in LIBRARY for path in sources(root, folder)])
    programs = collections.defaultdict(list)
    for folder in PROGRAMS:
        for path in sources(root, folder):
            programs[os.path.dirname(path)].append(path)
    complaints = [(name, files) for name, files in library.items() if len(files) > 1]
    for paths in programs.values():
        if paths[0].startswith(os.path.join(root, "bench")):  # one file a program
            continue
        for name, files in definitions(root, paths).items():
            if len(files + library.get(name, [])) > 1:
                complaints.append((name, files + library.get(name, [])))
    local = collections.defaultdict(list)
    for path in (path for folder in GROUPED for path in sources(root, folder) if path.endswith(".cpp")):
        if os.path.relpath(os.path.dirname(path), root) == ALONE:
            continue
        with open(path, encoding="utf-8") as file:
            text = file.read()
        space = NAMESPACE.search(text)  # a group holds files of several folders, which may share it
        for name in set(types_of(text, local=True) + constants_of(text)):
            local[f"{space.group(1) if space else 'no namespace'}: {name}"].append(os.path.relpath(path, root))
    complaints += [(name, files) for name, files in local.items() if len(files) > 1]
    complaints += hidden_functions(root)
    return [f"{name} is defined in {' and in '.join(files)}; rename one, or put a type in an anonymous namespace"
            for name, files in sorted(complaints)]


def self_test():
    files = {
        "engine/a.hpp": "namespace vertebra {\nstruct A { enum Kind { X } k; };\nnamespace { struct Local {}; }\n}\n",
        "engine/b.cpp": "namespace vertebra {\nnamespace { struct Local { int i; }; }\nstruct B {};\n}\n",
        "engine/c.hpp": "namespace vertebra::c {\nint add(double a);\n}\n",
        "engine/c.cpp": "namespace vertebra::c {\nstruct A {};\nconstexpr int kMost = 3, kLeast = 1;\n}\n",
    }
    double = "namespace vertebra { class A final : public B { }; }\n"
    for extra, text, expected in ((None, "", 0), ("engine/d.cpp", double, 1), ("tests/x/e.cpp", double, 1),
                                  ("engine/x/e.cpp", "namespace vertebra::c {\nnamespace {\nconstexpr double kLeast = 2;\n}\n}\n", 1),
                                  ("engine/x/f.cpp", "namespace vertebra::c {\nnamespace {\nint one() {\n  return 1;\n}\nint add(int a) {\n  return a;\n}\n}  // namespace\n}\n", 1),
                                  ("engine/e.cpp", "namespace vertebra { namespace {\nstruct Local {};\n} }\n", 1)):
        with tempfile.TemporaryDirectory() as root:
            for path, text in list(files.items()) + ([(extra, text)] if extra else []):
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
            complaints = check(root)
            if len(complaints) != expected:
                sys.exit(f"self-test with {extra}: expected {expected} complaints, got {complaints}")


def main():
    if sys.argv[1] == "--self-test":
        self_test()
        return
    complaints = check(sys.argv[1])
    print("\n".join(complaints) or "every type is defined once")
    sys.exit(1 if complaints else 0)


main()
