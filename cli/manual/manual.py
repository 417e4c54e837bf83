#!/usr/bin/env python3
"""Manual pages (troff, man-pages(7)) and shell completion of the command, made from what it prints with --help, so that nothing is said twice.

manual.py COMMAND VERSION OUT: writes OUT/man1/vertebra.1, OUT/man1/vertebra-VERB.1, OUT/completions/vertebra (bash).
"""
import pathlib
import re
import subprocess
import sys
from typing import NamedTuple

OPTION = re.compile(r"^  (?:-(?P<letter>\w), )?--(?P<name>[\w-]+)(?: (?P<value>\S+))?(?:  +(?P<help>.*))?$")


class Option(NamedTuple):
    letter: str
    name: str
    value: str
    help: str

    def spelled(self):
        return ([f"-{self.letter}"] if self.letter else []) + [f"--{self.name}"]


class Page(NamedTuple):
    usage: str
    summary: str
    options: list
    details: str


def printed(command, *words):
    return subprocess.run([command, *words], check=True, capture_output=True, text=True).stdout


def page_of(text):
    """The parts of a verb's help, as cli/arguments.cpp lays them out."""
    usage, _, rest = text.partition("\n\n")
    summary, _, rest = rest.partition("\n\noptions:\n")
    block, _, details = rest.partition("\n\n")
    options = []
    for line in block.splitlines():
        match = OPTION.match(line)
        if match:
            options.append(Option(*(match[key] or "" for key in ("letter", "name", "value", "help"))))
        elif options:
            options[-1] = options[-1]._replace(help=(options[-1].help + " " + line.strip()).strip())
        else:
            raise ValueError(f"a line of the options that is none: {line!r}")
    return Page(usage.removeprefix("usage: "), summary, options, details)


def escaped(text):
    """Text as troff takes it: a backslash, a hyphen that is a minus, a line that begins with a control character."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.splitlines())


def header(name, version, about):
    return f'.TH {name.upper()} 1 "" "vertebra {version}" "vertebra"\n.SH NAME\n{escaped(name)} \\- {escaped(about)}\n'


def troff(verb, page, version):
    lines = [header(f"vertebra-{verb}", version, page.summary.rstrip(".")), f".SH SYNOPSIS\n.B {escaped(page.usage)}\n", ".SH OPTIONS\n"]
    for option in page.options:
        value = f" \\fI{escaped(option.value)}\\fR" if option.value else ""
        lines.append(".TP\n" + ", ".join(f"\\fB{escaped(word)}\\fR" for word in option.spelled()) + value + "\n" + escaped(option.help) + "\n")
    if page.details:
        lines.append(".SH NOTES\n" + "".join(".PP\n" + escaped(part.strip()) + "\n" for part in page.details.split("\n\n")))
    return "".join(lines) + ".SH SEE ALSO\n.BR vertebra (1)\n"


def overview(text, pages, version):
    _, about, rest = text.split("\n\n", 2)
    lines = [header("vertebra", version, "articulated figures that move by physics"), ".SH SYNOPSIS\n.B vertebra\n.I VERB\n[options]\n",
             f".SH DESCRIPTION\n{escaped(about)}\n", ".SH VERBS\n"]
    for verb, page in pages.items():
        lines.append(f".TP\n\\fBvertebra\\-{escaped(verb)}\\fR(1)\n{escaped(page.summary)}\n")
    return "".join(lines) + ".SH EXIT STATUS\n" + escaped(rest.split("\n\n")[-1].strip()) + "\n"


def words_of(option):
    """The methods among which an option chooses: its help lists them after a colon, each perhaps with a remark in parentheses."""
    if option.value != "METHOD":
        return []
    return [choice.split()[0] for choice in re.sub(r"\([^)]*\)", "", option.help.split(":", 1)[1]).split(",")]


def completion(pages):
    cases = []
    for verb, page in pages.items():
        words = " ".join(word for option in page.options for word in option.spelled())
        choices = "".join(f"      {'|'.join(option.spelled())}) words=\"{' '.join(words_of(option))}\" ;;\n"
                          for option in page.options if words_of(option))
        inner = f"    case $previous in\n{choices}    esac\n" if choices else ""
        cases.append(f"  {verb})\n    options=\"{words}\"\n{inner}    ;;\n")
    return f"""# Completion of the command vertebra for bash: verbs, options of the verb, words that an option takes; else files.
_vertebra() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} options= words=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "{' '.join(pages)} --help --version" -- "$current"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{''.join(cases)}  esac
  if [[ $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  elif [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  fi
}}
complete -o default -F _vertebra vertebra
"""


def read_help(command):
    """What the command prints, and the page of each verb."""
    text = printed(command, "--help")
    verbs = re.findall(r"^  (\w+) ", text.partition("verbs:\n")[2].partition("\n\n")[0], re.MULTILINE)
    return text, {verb: page_of(printed(command, verb, "--help")) for verb in verbs}


def main():
    command, version, out = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    text, pages = read_help(command)
    for folder in ("man1", "completions"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    (out / "man1/vertebra.1").write_text(overview(text, pages, version), encoding="utf-8")
    for verb, page in pages.items():
        (out / f"man1/vertebra-{verb}.1").write_text(troff(verb, page, version), encoding="utf-8")
    (out / "completions/vertebra").write_text(completion(pages), encoding="utf-8")


if __name__ == "__main__":
    main()

