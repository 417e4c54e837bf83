"""The text of the headers: which there are, their comments with their places, and their declarations as a C parser sees them."""
import pathlib
import re

from pycparser.c_parser import CParser, ParseError

FIXED = ("typedef signed int int32_t; typedef unsigned int uint32_t; typedef unsigned long uint64_t; typedef unsigned char uint8_t; "
         "typedef unsigned long size_t;\n")
COMMENT = re.compile(r"/\*.*?\*/", re.S)


class Comment:
    """One comment: the lines it stands on, whether code stands before it, and its text without stars."""

    def __init__(self, text, first, last, behind):
        self.first, self.last, self.behind = first, last, behind
        lines = [re.sub(r"^\s*\*+ ?", "", line).strip() for line in text[2:-2].strip("*").split("\n")]
        self.lines = [line for line in lines if line]

    def sentences(self):
        """The text before the first @line, in one line."""
        return " ".join(self._parts()[0])

    def parameters(self):
        return [" ".join(part) for part in self._parts()[1:]]

    def _parts(self):
        parts = [[]]
        for line in self.lines:
            if line.startswith("@"):
                parts.append([])
            parts[-1].append(line)
        return parts


class Header:
    """A header by its path: its comments, and its code with every comment and directive blanked."""

    def __init__(self, path):
        self.path, self.topic = path, path.stem
        text = path.read_text(encoding="utf-8")
        self.comments = []
        for match in COMMENT.finditer(text):
            start = text.rfind("\n", 0, match.start()) + 1
            line = text.count("\n", 0, match.start()) + 1
            behind = bool(text[start : match.start()].strip())
            self.comments.append(Comment(match.group(), line, line + match.group().count("\n"), behind))
        blank = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
        self.code = re.sub(r"^[ \t]*#.*$", "", blank, flags=re.M)

    def at(self, line):
        """The comment behind the code of a line, or the one right above it."""
        behind = [c for c in self.comments if c.behind and c.first == line]
        above = [c for c in self.comments if not c.behind and c.last == line - 1]
        return (behind or above or [None])[0]


def topics(header):
    """The headers that vertebra.h includes, in order."""
    names = re.findall(r'^#include "vertebra/(\w+\.h)"$', header.read_text(encoding="utf-8"), flags=re.M)
    return [Header(header.parent / name) for name in names]


def declarations(headers):
    """All declarations as pycparser's nodes; their coordinates name header and line. SystemExit with both where the
    parser does not understand one."""
    text = FIXED + "".join(f'# 1 "{h.path.name}"\n{h.code}\n' for h in headers)
    try:
        return [node for node in CParser().parse(text).ext if node.coord.file.endswith(".h")]
    except ParseError as error:
        raise SystemExit(f"{headers[0].path.parent}/{error}") from None
