"""Reference pages made from what the things themselves say: the command's --help, the Python package's docstrings, the topics of the header."""
import ast
import importlib.util
import pathlib
import re


def load(path):
    """A Python file of ours as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;").strip()


def command_page(root, command):
    """reference/command.md: every verb with its options."""
    manual = load(root / "cli/manual/manual.py")
    text, pages = manual.read_help(command)
    lines = ["# The command", "", "Made from `vertebra --help`. Manual pages say the same: `man vertebra`.", "", "```", text.strip(), "```", ""]
    for verb, page in pages.items():
        lines += [f"## vertebra {verb}", "", page.summary, "", f"`{page.usage}`", "", "| option | meaning |", "|---|---|"]
        for option in page.options:
            lines.append(f"| `{cell(', '.join(option.spelled()) + (' ' + option.value if option.value else ''))}` | {cell(option.help)} |")
        lines += ["", *(["```", page.details.strip(), "```", ""] if page.details.strip() else [])]
    return "\n".join(lines)


def signature(function):
    """The parameters of a function as they are written, self left out."""
    text = ast.unparse(function.args)
    text = re.sub(r"^(self|cls)(, )?", "", text)
    returns = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"({text}){returns}"


def public(node):
    return isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_") and ast.get_docstring(node)


def is_property(node):
    return any(isinstance(d, ast.Name) and d.id in ("property", "cached_property") for d in node.decorator_list)


def python_page(root):
    """reference/python.md: what `import vertebra` offers, from its sources; functions of the header are told in the C reference."""
    package = root / "capi/bindings/python/vertebra"
    opening = ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8")))
    exported = set(re.findall(r"^from \.\w+ import (.*)$", (package / "__init__.py").read_text(encoding="utf-8"), re.MULTILINE))
    names = {name.strip() for line in exported for name in line.split(",")}
    lines = ["# Python", "", opening, ""]
    for path in sorted(package.glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if not public(node) or node.name not in names:
                continue
            if isinstance(node, ast.FunctionDef):
                lines += [f"## {node.name}", "", f"`{node.name}{signature(node)}`", "", ast.get_docstring(node), ""]
                continue
            lines += [f"## {node.name}", "", ast.get_docstring(node), "", "| member | |", "|---|---|"]
            for member in node.body:
                if public(member) and isinstance(member, ast.FunctionDef):
                    head = member.name if is_property(member) else member.name + signature(member)
                    lines.append(f"| `{cell(head)}` | {cell(' '.join(ast.get_docstring(member).split()))} |")
            if lines[-1] == "|---|---|":
                del lines[-2:]
            lines.append("")
    return "\n".join(lines)


def c_page(root):
    """reference/c.md: the topics of the header, each leading to its page by Doxygen."""
    headers = root / "capi/include/vertebra"
    topics = re.findall(r'#include "vertebra/(\w+)\.h"', (headers / "vertebra.h").read_text(encoding="utf-8"))
    lines = ["# C", "", "Every function, struct and enumeration of `vertebra.h`: [the whole reference](c/index.html). By topic:", "", "| header | |", "|---|---|"]
    for topic in topics:
        comment = re.match(r"/\*(.*?)\*/", (headers / f"{topic}.h").read_text(encoding="utf-8"), re.S)[1]
        words = " ".join(re.sub(r"^ \* ?", "", line) for line in comment.strip().split("\n")).split(" - ", 1)[-1]
        sentence = re.match(r".*?\.(?= |$)", words)
        lines.append(f"| [{topic}.h](c/group__{topic.replace('_', '__')}.html) | {cell(sentence[0] if sentence else words)} |")
    return "\n".join(lines) + "\n"


def write(root, command, stage):
    for name, text in (("command", command_page(root, command)), ("python", python_page(root)), ("c", c_page(root))):
        pathlib.Path(stage, "reference", f"{name}.md").write_text(text, encoding="utf-8")
