#!/usr/bin/env python3
"""Turns vertebra.h into a header that Doxygen understands. Usage: reference.py vertebra.h glossary.txt OUT.h

The header keeps its short comments. A comment on lines of its own belongs to what follows it up to a blank line; one behind a
declaration belongs to that. Arguments and fields get their shapes, units and frames from the glossary; the statuses a call may answer
follow from its arguments. Fails, and says why, where a function has no comment or an argument is not in the glossary.
"""
import html
import pathlib
import re
import sys

FUNCTION = re.compile(r"^(?:vtb_status|uint32_t|const char \*)\s*(vtb_\w+)\(([^;{}]*)\);", re.S)
HANDLES = ("vtb_body", "vtb_shape", "vtb_joint", "vtb_coupling", "vtb_figure")
complaints = []


def words(comment):
    """The text of a C comment, ready for Doxygen."""
    lines = [re.sub(r"^\s*\* ?", "", line) for line in comment[2:-2].strip("*").split("\n")]
    return html.escape("\n".join(lines), quote=False).replace("\\", "\\\\").replace("@", "\\@").replace("%", "\\%").replace("#", "\\#").strip()


def glossary(path):
    table = {}
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, meaning = line.split(" | ", 1)
            table[name.strip()] = meaning.strip()
    return table


def statuses(arguments):
    """What a call may answer, from the types of its arguments."""
    text = "VTB_OK, or VTB_E_ARG"
    if any(f"{h} " in a for h in HANDLES for a in arguments):
        text += ", VTB_E_STALE"
    if any(a.startswith("vtb_world *") for a in arguments):
        text += ", VTB_E_BUSY inside a callback"
    return text + "; others where said. vtb_last_error() tells which argument and why."


def describe_function(name, arguments, comment, terms):
    out = [comment]
    for argument in arguments:
        short = re.split(r"[ *]+", argument)[-1]
        meaning = terms.get(f"{name}.{short}", terms.get(short))
        if meaning is None:
            complaints.append(f"{name}: '{short}' is not in the glossary")
        else:
            out.append(f"@param {short} {meaning}")
    return out


def block(lines):
    return "/** " + "\n".join(line for line in lines if line) + "\n */\n"


class Reader:
    def __init__(self, text, terms):
        self.text, self.terms, self.at, self.out, self.open = text, terms, 0, [], False

    def behind(self, end):
        """The comment that stands behind a declaration on its line, and where to go on."""
        match = re.compile(r"[ \t]*(/\*.*?\*/)", re.S).match(self.text, end)
        return (words(match.group(1)), match.end()) if match else ("", end)

    def run(self):
        group, lead = "", 0
        while self.at < len(self.text):
            rest = self.text[self.at:]
            if rest.startswith("/*"):
                end = self.text.index("*/", self.at) + 2
                comment = self.text[self.at:end]
                banner = re.fullmatch(r"/\* -{10,} (.*) \*/", comment)
                if banner:
                    self.section(banner.group(1))
                elif lead == 0:
                    self.out.append("/** @mainpage vertebra.h\n@verbatim\n" + "\n".join(re.sub(r"^ \* ?", "", x) for x in comment[2:-2].split("\n")) +
                                    "\n@endverbatim */\n/** @file */\n")
                    lead = 1
                else:
                    group = words(comment)
                self.at = end
            elif FUNCTION.match(rest):
                group = self.function(FUNCTION.match(rest), group)
            elif re.match(r"typedef struct \{(?! uint64_t bits)", rest):
                self.struct(group)
                group = ""
            elif rest.startswith("enum {"):
                self.enumeration(group)
                group = ""
            elif rest[0] in " \n":
                group = "" if re.match(r"\n[ \t]*\n", rest) else group
                self.out.append(rest[0])
                self.at += 1
            else:
                end = self.text.find("\n", self.at)
                end = len(self.text) if end < 0 else end
                if rest.startswith("typedef"):
                    own, _ = self.behind(self.at + rest.index(";") + 1)
                    self.out.append(block([group, own or ("A handle of a thing in a world; compare its bits." if "uint64_t bits" in rest[:60] else "")]))
                    line = re.sub(r"/\*.*?\*/", "", self.text[self.at:end]).replace("uint64_t bits;", "uint64_t bits; /**< 0 = none */")
                    self.out.append(line)
                else:
                    self.out.append(self.text[self.at:end])
                self.at = end
        if self.open:
            self.out.append("/** @} */\n")
        return "".join(self.out)

    def section(self, title):
        if self.open:
            self.out.append("/** @} */\n")
        self.out.append(f"/** @defgroup {re.sub('[^a-z]+', '_', title)} {title.capitalize()}\n@{{ */\n")
        self.open = True

    def function(self, match, group):
        name, arguments = match.group(1), [" ".join(a.split()) for a in match.group(2).split(",")]
        arguments = [] if arguments == ["void"] else arguments
        own, end = self.behind(self.at + match.end())
        comment = own or group
        if name.endswith("_def_init"):
            comment = "Fills a description with the defaults, which are given in brackets at its fields."
        if not comment:
            complaints.append(f"{name}: has no comment")
        lines = describe_function(name, arguments, comment, self.terms)
        if match.group(0).startswith("vtb_status"):
            lines.append("@return " + statuses(arguments))
        else:
            lines.append("@return as said; cannot fail")
        self.out.append(block(lines) + match.group(0))
        self.at = end
        return group

    def struct(self, group):
        close = re.compile(r"^\} (vtb_\w+);", re.M).search(self.text, self.at)
        name = close.group(1)
        own, end = self.behind(close.end())
        body = self.text[self.at + len("typedef struct {"):close.start()]
        first = re.match(r"[ \t]*(/\*.*?\*/)", body, re.S)
        opening = words(first.group(1)) if first else ""
        body = body[first.end():] if first else body
        general = f"Prepared by {name}_init; defaults in brackets." if name.endswith("_def") else "Filled by the library."
        self.out.append(block([group, opening, own, general]) + "typedef struct {")
        above = ""
        for declaration in re.finditer(r"(/\*.*?\*/)|([^;/]+(?:\([^;]*\))?;)([ \t]*/\*.*?\*/)?", body, re.S):
            if declaration.group(1):
                above = words(declaration.group(1))
                continue
            code, behind = declaration.group(2).strip(), declaration.group(3)
            names = re.findall(r"\(\*(\w+)\)", code) or [re.sub(r"\[.*?\]", "", n).split()[-1].lstrip("*") for n in code[:-1].split(",")]
            known = next((self.terms[k] for k in (f"{name}.{names[0]}", names[0]) if k in self.terms), "")
            text = " ".join(x for x in (above, words(behind.strip()) if behind else "") if x) or known
            if not text:
                complaints.append(f"{name}.{names[0]}: has no comment and is not in the glossary")
            # one declaration each, or Doxygen gives the comment to the last name only
            if len(names) > 1 and "(*" not in code:
                kind = code.split()[0]
                for declarator in code[:-1].split(None, 1)[1].split(","):
                    self.out.append(f"\n  {kind} {declarator.strip()}; /**< {text} */")
            else:
                self.out.append(f"\n  {code} /**< {text} */")
            above = ""
        self.out.append(f"\n}} {name};")
        self.at = end

    def enumeration(self, group):
        end = self.text.index("};", self.at) + 2
        own, after = self.behind(end)
        body = self.text[self.at + len("enum {"):end - 2]
        self.out.append(block([group or "Values.", own]) + "enum {")
        value = re.compile(r"\s*(VTB_\w+)\s*(=\s*-?\w+)?\s*,?[ \t]*(/\*.*?\*/)?\s*(/\*.*?\*/)?", re.S)
        for found in value.finditer(body):
            text = " ".join(words(c) for c in found.groups()[2:] if c) or found.group(1)[4:].replace("_", " ").lower()
            self.out.append(f"\n  {found.group(1)} {found.group(2) or ''}, /**< {text} */")
        self.out.append("\n};")
        self.at = after


def main():
    header, terms, out = sys.argv[1:4]
    text = pathlib.Path(header).read_text(encoding="utf-8")
    text = re.sub(r"(\w)(\*+) ", r"\1 \2", text)  # a star stands with its name, a handle on one line
    text = re.sub(r"typedef struct \{\s*(uint64_t bits;)\s*\} ", r"typedef struct { \1 } ", text)
    result = Reader(text, glossary(terms)).run()
    if complaints:
        sys.exit("\n".join(complaints))
    pathlib.Path(out).write_text(result, encoding="utf-8")


main()
