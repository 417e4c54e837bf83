"""Rules of the standard for modelDescription.xml of a co-simulation FMU; complaints(root) lists what breaks them.

Source: FMI 2.0.4, sections 2.2 and 4.3; FMI 3.0, sections 2.4 and 4.4.
"""
import math
import re

# causality -> variability -> allowed words of `initial` (None: must not be there)
EVOLVING = {"discrete": ("exact", "approx", "calculated"), "continuous": ("exact", "approx", "calculated")}
INITIAL = {
    2: {"parameter": {"fixed": ("exact",), "tunable": ("exact",)}, "calculatedParameter": {"fixed": ("approx", "calculated"),
        "tunable": ("approx", "calculated")}, "input": {"discrete": (None,), "continuous": (None,)},
        "output": {"constant": ("exact",), **EVOLVING}, "local": {"constant": ("exact",), **EVOLVING}, "independent": {"continuous": (None,)}},
    3: {"parameter": {"fixed": ("exact",), "tunable": ("exact",)}, "input": {"discrete": ("exact", None), "continuous": ("exact", None)},
        "output": {"constant": ("exact",), **EVOLVING}, "local": {"constant": ("exact",), **EVOLVING}, "independent": {"continuous": (None,)}},
}
# An identifier, or a quoted one; parts by '.', indices behind any of them.
PART = r"(?:[A-Za-z_][A-Za-z0-9_]*|'(?:[A-Za-z0-9_!#$%&()*+,\-./:;<>=?@\[\]^{}|~ \"]|\\['\"?\\abfnrtv])+')"
NAME = re.compile(rf"{PART}(?:\[\d+(?:,\d+)*\])?(?:\.{PART}(?:\[\d+(?:,\d+)*\])?)*")
ORDER = {2: ["CoSimulation", "UnitDefinitions", "LogCategories", "DefaultExperiment", "ModelVariables", "ModelStructure"],
         3: ["CoSimulation", "UnitDefinitions", "LogCategories", "DefaultExperiment", "ModelVariables", "ModelStructure"]}


def _structure(root, version):
    """Outputs and initial unknowns: lists of (index of the variable, indices of dependencies)."""
    structure = root.find("ModelStructure")
    order = {int(v.get("valueReference")): i for i, v in enumerate(root.find("ModelVariables"))}
    if version == 2:
        place, word = lambda text: int(text) - 1, "index"
        groups = [structure.findall("Outputs/Unknown"), structure.findall("InitialUnknowns/Unknown")]
    else:
        place, word = lambda text: order[int(text)], "valueReference"
        groups = [structure.findall("Output"), structure.findall("InitialUnknown")]
    return [[(place(u.get(word)), [place(k) for k in u.get("dependencies", "").split()]) for u in group] for group in groups]


def complaints(root):
    found, version = [], int(root.get("fmiVersion")[0])
    wrong = lambda condition, text: found.append(text) if condition else None
    for attribute in ("modelName", "guid" if version == 2 else "instantiationToken"):
        wrong(not root.get(attribute), f"no {attribute}")
    identifier = root.find("CoSimulation").get("modelIdentifier", "")
    wrong(not re.fullmatch(r"[A-Za-z_]\w*", identifier, re.ASCII), f"modelIdentifier {identifier}")
    wrong([child.tag for child in root] != ORDER[version], "order of the elements")

    units = [unit.get("name") for unit in root.find("UnitDefinitions")]
    wrong(len(units) != len(set(units)), "a unit is defined twice")
    for unit in root.find("UnitDefinitions"):
        base = unit.find("BaseUnit")
        wrong(base is None or not set(base.attrib) <= {"kg", "m", "s", "A", "K", "mol", "cd", "rad", "factor", "offset"}, f"unit {unit.get('name')}")

    variables = list(root.find("ModelVariables"))
    names = [v.get("name") for v in variables]
    wrong(len(names) != len(set(names)), "a name stands twice")
    references = [v.get("valueReference") for v in variables]
    wrong(len(references) != len(set(references)), "a value reference stands twice")
    wrong(sum(v.get("causality") == "independent" for v in variables) != 1, "not one independent variable")
    for v in variables:
        name, causality, variability, initial = v.get("name"), v.get("causality"), v.get("variability"), v.get("initial")
        typed = v[0] if version == 2 else v
        wrong(initial not in INITIAL[version].get(causality, {}).get(variability, ()), f"{name}: {causality}, {variability}, {initial}")
        needs = causality in ("input", "parameter") or initial in ("exact", "approx")
        wrong(needs != ("start" in typed.attrib), f"{name}: start")
        wrong(typed.tag in ("Int32", "Integer") and variability == "continuous", f"{name}: an integer is not continuous")
        wrong("unit" in typed.attrib and typed.get("unit") not in units, f"{name}: unit {typed.get('unit')} is not defined")
        wrong(not NAME.fullmatch(name), f"{name}: not a structured name")
        if "start" in typed.attrib:
            start = float(typed.get("start"))
            least, most = float(typed.get("min", "-inf")), float(typed.get("max", "inf"))
            wrong(not math.isfinite(start) or not least <= start <= most, f"{name}: start {start} is not within {least}, {most}")

    outputs, initials = _structure(root, version)
    expected = [i for i, v in enumerate(variables) if v.get("causality") == "output"]
    wrong([i for i, _ in outputs] != expected, "ModelStructure does not list the outputs, each once and in order")
    unknowns = [i for i, v in enumerate(variables) if v.get("causality") == "output" and v.get("initial") in ("approx", "calculated")]
    wrong([i for i, _ in initials] != unknowns, "ModelStructure does not list the initial unknowns")
    for i, knowns in initials:
        wrong(any(variables[k].get("causality") != "input" and variables[k].get("initial") != "exact" for k in knowns),
              f"{names[i]}: depends at the start on what is no known")
        wrong(len(knowns) != len(set(knowns)), f"{names[i]}: a dependency stands twice")
    return found
