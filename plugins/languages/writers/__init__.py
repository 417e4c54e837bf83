"""Declarations by language, each a function from vertebra.json's content to a text, and what they share."""


def named(name, words):
    """The name, with a _ behind where the language has that word for itself."""
    return name + "_" if name in words else name


def constants(api):
    """(name, value, sentence) of every constant and enumerator."""
    for entry in api["constants"] + [value for enumeration in api["enumerations"] for value in enumeration["values"]]:
        yield entry["name"], entry["value"], entry["about"]


def structs(api):
    """Handles and structs: (name, fields, sentence); a struct comes after those that it holds."""
    bits = {"name": "bits", "kind": "value", "element": "uint64_t", "count": 1, "about": "0 = none"}
    for handle in api["handles"]:
        yield handle["name"], [bits], handle["about"]
    for struct in api["structs"]:
        yield struct["name"], struct["fields"], struct["about"]


def enumerations(api):
    return {entry["name"] for entry in api["enumerations"]}


def sizes(api):
    """(name, bytes) of every struct, so that each language can check its own layout of them."""
    for handle in api["handles"]:
        yield handle["name"], 8
    for struct in api["structs"]:
        yield struct["name"], struct["size"]
