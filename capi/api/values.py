"""Defaults of fields, as the headers write them in brackets."""
import grammar

IDENTITY = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]


def default_of(field, text, enumerations):
    """The value of a default: a number, a list of numbers, an enumerator's value, or None for NULL, no handle and no callback."""
    if text in ("NULL", "none"):
        if field["kind"] == "value" and field["element"] in enumerations:
            return word_of(field, text, enumerations)
        if field["kind"] == "array" or field["element"] in ("double", "int32_t", "uint32_t") and field["kind"] == "value":
            raise grammar.Wrong(f"[{text}] is no default of a number")
        return "none"
    if field["element"] in enumerations:
        return word_of(field, text, enumerations)
    if text == "identity" and field["count"] == 7:
        return IDENTITY
    if text == "all" and "bits" in field:
        return 0xFFFFFFFF
    try:
        numbers = [grammar.number(word) for word in text.split()]
    except ValueError as error:
        raise grammar.Wrong(f"[{text}] is no default: {error}") from None
    if field["kind"] == "array":
        if len(numbers) == 1:
            numbers *= field["count"]
        if len(numbers) != field["count"]:
            raise grammar.Wrong(f"[{text}] has {len(numbers)} numbers for {field['count']}")
        return numbers
    if len(numbers) != 1:
        raise grammar.Wrong(f"[{text}] has {len(numbers)} numbers for one")
    return numbers[0] if field["element"] in ("double", "float") else int(numbers[0])


def word_of(field, text, enumerations):
    for value in enumerations[field["element"]]["values"]:
        if value["word"] == text:
            return value["value"]
    raise grammar.Wrong(f"[{text}] is no word of {field['element']}")
