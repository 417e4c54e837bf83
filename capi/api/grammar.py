"""The grammar of the comments beside the declarations of vertebra.h, which its opening comment states."""
import math
import re
import sys

NUMBER = r"-?\d[\d.]*(?:e-?\d+)?"
ATOM = r"(?:1|m|s|kg|rad|N|J|W|Pa)(?:\^[\w.]+)?"
PRODUCT = rf"{ATOM}(?: {ATOM})*"
UNIT = re.compile(rf"{PRODUCT}(?:/(?:{ATOM}|\({PRODUCT}\)))?|pose|twist|degrees|file units|units of [ty]")
FIELD = re.compile(r"(?P<spec>[^:\[\]]*?)(?: ?\[(?P<default>[^\]]*)\])?: (?P<sentence>.+)", re.S)
PARAMETER = re.compile(r"@(?P<name>\w+)(?: (?P<spec>[^:]+))?: (?P<sentence>.+)", re.S)


class Wrong(Exception):
    """A comment that does not follow the grammar; the text says what is missing."""


def is_unit(text):
    return all(UNIT.fullmatch(part) for part in re.split(" or | and ", text))


def number(text):
    """A number as headers write it: 0.1, 1/240, -inf."""
    top, _, bottom = text.partition("/")
    return float(top) / float(bottom) if bottom else float(text)


def make_range(text):
    """The range of a number, or None: ends, whether they belong to it, and one value more."""
    result = {"lower": "-inf", "upper": "inf", "lower_open": False, "upper_open": False, "infinity": False, "also": None}
    base = text
    if base.endswith(" or inf"):
        base, result["infinity"] = base[: -len(" or inf")], True
    extra = re.fullmatch(rf"({NUMBER}) or ({NUMBER} to .*)", base)
    if extra:
        result["also"], base = number(extra.group(1)), extra.group(2)
    between = re.fullmatch(rf"({NUMBER}) to ({NUMBER})", base)
    below = re.fullmatch(rf"(>=?) ({NUMBER})(?: < ({NUMBER}))?", base)
    if base == "any":
        result["infinity"] = True
    elif between:
        result["lower"], result["upper"] = number(between.group(1)), number(between.group(2))
    elif below:
        result["lower"], result["lower_open"] = number(below.group(2)), below.group(1) == ">"
        if below.group(3):
            result["upper"], result["upper_open"] = number(below.group(3)), True
    else:
        return None
    if result["infinity"] and result["upper"] != "inf":
        raise Wrong(f"'{text}': infinity beyond the upper end")
    return result


def closed_ends(limits):
    """The smallest and the largest number in a range, or among all finite ones."""
    lower, upper = float(limits["lower"]), float(limits["upper"])
    if limits["lower_open"]:
        lower = math.nextafter(lower, math.inf)
    if limits["upper_open"]:
        upper = math.nextafter(upper, -math.inf)
    largest = math.inf if limits["infinity"] else sys.float_info.max
    return max(lower, -largest), min(upper, largest)


def specification(text):
    """What stands before the colon, as a dictionary; Wrong names the part that means nothing."""
    result = {}
    for part in filter(None, (p.strip() for p in (text or "").split(", "))):
        limits = make_range(part)
        flags = re.fullmatch(r"(vtb_\w+) bits", part)
        array = re.fullmatch(r"array of (.+)", part)
        if array:
            result["length"] = array.group(1).split(" x ")
        elif flags:
            result["flags"] = flags.group(1)
        elif part == "bits":
            result["bits"] = True
        elif part == "or NULL":
            result["nullable"] = True
        elif part == "0 or 1":
            result["boolean"] = True
        elif part == "unit":
            result["unit_length"] = True
        elif part.startswith("except "):
            result["except"] = part.split()[1:]
        elif limits:
            result["range"], result["range_text"] = limits, part
        elif is_unit(part):
            result["unit"] = part
        else:
            raise Wrong(f"'{part}' is neither a unit nor a range nor another part of a specification")
    return result


def field(text):
    """Specification, default (or None) and sentence of a comment beside a field."""
    match = FIELD.fullmatch(text)
    if not match:  # a sentence by itself
        return {}, None, text
    try:
        return specification(match["spec"]), match["default"], match["sentence"]
    except Wrong:
        if match["default"] is None and not is_plain(match["spec"]):
            return {}, None, text  # a sentence with a colon in it
        raise


def is_plain(spec):
    """Whether a text before a colon can only be meant as a specification."""
    return any(is_unit(p) or make_range(p) for p in spec.split(", "))


def parameters(lines):
    """The @lines of a comment by name."""
    result = {}
    for line in lines:
        match = PARAMETER.fullmatch(line)
        if not match:
            raise Wrong(f"'{line}' is no line '@name specification: sentence'")
        result[match["name"]] = {**specification(match["spec"]), "about": match["sentence"]}
    return result
