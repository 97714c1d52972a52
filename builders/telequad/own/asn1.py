"""The annex in ASN.1: messages and information elements as types."""

from benchwright.builders.telequad.own.data import Element, Message, Specification, element_name
from benchwright.builders.telequad.own.outline import Line, Section, normal


def annex(specification: Specification) -> Section:
    """The normative annex: general, messages, elements, constants, each between ASN1START and ASN1STOP."""
    module = specification.module
    messages = [line for message in specification.messages for line in _message(message)]
    elements = [line for element in specification.elements for line in _element(element)]
    start = [f"{module} DEFINITIONS AUTOMATIC TAGS ::=", "", "BEGIN", ""]
    constants = [
        f"max{type_name(timer.name)}Retransmissions    INTEGER ::= {timer.retries}" for timer in specification.timers
    ]
    return Section(
        "Abstract syntax",
        "syntax",
        children=(
            Section(
                "General",
                "syntax general",
                normal(
                    f"This annex gives the messages of the {specification.protocol} in ASN.1, in the module {module}. "
                    "Where the annex and clauses {@messages} and {@elements} differ, the clauses take precedence."
                ),
            ),
            Section("Message definitions", "syntax messages", _code([*start, *messages])),
            Section("Information element definitions", "syntax elements", _code(elements)),
            Section("Constants", "syntax constants", _code([*constants, "", "END"])),
        ),
        annex="normative",
    )


def type_name(name: str) -> str:
    """A name as ASN.1 writes a type: `Berth identity` is `BerthIdentity`."""
    return "".join(word[0].upper() + word[1:] for word in name.replace("-", " ").split())


def field_name(name: str) -> str:
    """A name as ASN.1 writes a field or a value: `Berth identity` is `berthIdentity`."""
    found = type_name(name.lower() if name.isupper() else name)
    return found[0].lower() + found[1:]


def _code(lines: list[str]) -> tuple[Line, ...]:
    return tuple(Line(line, "PL") for line in ("-- ASN1START", "", *lines, "", "-- ASN1STOP"))


def _message(message: Message) -> list[str]:
    fields = []
    for place, entry in enumerate(message.elements):
        name = element_name(entry)
        optional = " OPTIONAL" if entry.endswith("?") or ":" in entry else ""
        comma = "" if place == len(message.elements) - 1 else ","
        condition = f"  -- Cond: {entry.split(': ', 1)[1]}" if ":" in entry else ""
        fields.append(f"    {field_name(name):<32}{type_name(name)}{optional}{comma}{condition}")
    return [f"{type_name(message.name.title())} ::= SEQUENCE {{", *fields, "}", ""]


def _element(element: Element) -> list[str]:
    name = f"{type_name(element.name)} ::="
    if element.kind == "text":
        return [f"{name} PrintableString (SIZE (1..{element.octets}))", ""]
    if element.kind == "integer":
        steps = (element.high - element.low) // element.step
        if element.is_plain:
            return [f"{name} INTEGER ({element.low}..{element.high})", ""]
        unit = f" {element.unit}" if element.unit else ""
        return [f"{name} INTEGER (0..{steps})  -- steps of {element.step}{unit} above {element.low}{unit}", ""]
    values = [field_name(value) for value, _ in element.values]
    return [f"{name} ENUMERATED {{", *(f"    {value}," for value in values[:-1]), f"    {values[-1]}", "}", ""]
