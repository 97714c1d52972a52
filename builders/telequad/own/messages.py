"""Contents of messages and codings of information elements."""

from benchwright.builders.telequad.own.data import Element, Message, Specification, element_name
from benchwright.builders.telequad.own.outline import Grid, Line, Section, normal

_HEADER = 2
"""Octets before a message's information elements: the protocol discriminator and the message type."""


def messages(specification: Specification) -> Section:
    """The clause of messages."""
    types = tuple((f"0x{each.code:02X}", each.name, each.sender, each.receiver) for each in specification.messages)
    general = Section(
        "General",
        "message types",
        (
            Line(f"Every message of the {specification.protocol} begins with two octets: the protocol discriminator, "
                 f"which has the value {specification.discriminator}, and the message type, coded as in table "
                 "{@message types}-1."),
            Grid(
                "Message types",
                (("Message type", None, "Direction", None), ("Value", "Message", "From", "To"), *types),
                heads=2,
                notes=("NOTE:\tAll other values are reserved. A receiver ignores a message of a reserved type.",),
            ),
        ),
    )  # fmt: skip
    return Section(
        "Messages", "messages", children=(general, *(_message(specification, each) for each in specification.messages))
    )


def message_length(specification: Specification, message: Message) -> tuple[int, int]:
    """Octets of a message: at least (mandatory information elements alone) and at most."""
    lengths = [(entry, specification.element(element_name(entry)).length) for entry in message.elements]
    shortest = sum(length for entry, length in lengths if not entry.endswith("?") and ":" not in entry)
    return _HEADER + shortest, _HEADER + sum(length for _, length in lengths)


def _message(specification: Specification, message: Message) -> Section:
    key = f"message {message.name}"
    rows = []
    conditions = []
    for entry in message.elements:
        element = specification.element(element_name(entry))
        presence = "O" if entry.endswith("?") else "C" if ":" in entry else "M"
        reference = f"{{@element {element.name}}}"
        rows.append((f"0x{element.identifier:02X}", element.name, reference, presence, str(element.length)))
        if presence == "C":
            conditions.append(
                f"The {element.name} IE shall be present if {entry.split(': ', 1)[1]}, and absent otherwise."
            )
    shortest, longest = message_length(specification, message)
    size = f"is {shortest} octets" if shortest == longest else f"is {shortest} to {longest} octets"
    return Section(
        message.name,
        key,
        (
            *normal(
                f"The {message.name} message is sent by the {message.sender} to the {message.receiver} to "
                f"{message.purpose}. Its message type is 0x{message.code:02X} and its length {size}.",
                *conditions,
            ),
            Grid(
                f"{message.name} message content",
                (("Identifier", "Information element", "Clause", "Presence", "Length (octets)"), *rows),
                notes=("NOTE:\tM is mandatory, O optional and C conditional.",),
            ),
        ),
    )


def elements(specification: Specification) -> Section:
    """The clause of information elements."""
    general = Section(
        "General",
        "elements general",
        normal(
            "An information element begins with one octet that holds its identifier. Integers are sent with the most "
            "significant octet first. Bits that a coding does not use shall be set to 0 and ignored by the receiver.",
        ),
    )
    return Section(
        "Information elements",
        "elements",
        children=(general, *(_element(element) for element in specification.elements)),
    )


def _element(element: Element) -> Section:
    key, name = f"element {element.name}", element.name
    first = Line(
        f"The {name} information element {element.purpose}. Its identifier is 0x{element.identifier:02X} and its "
        f"length is {element.length} octets."
    )
    coding = {"enumerated": _enumerated, "text": _text, "integer": _integer}[element.kind]
    return Section(name, key, (first, *coding(element, key)))


def _enumerated(element: Element, key: str) -> tuple[Line | Grid, ...]:
    rows: tuple[tuple[str | None, ...], ...] = tuple(
        (str(code), value, meaning) for code, (value, meaning) in enumerate(element.values)
    )
    reserved = (f"{len(element.values)} to 255", "reserved", None)
    return (
        Line(f"The {element.name} IE is coded as in table {{@{key}}}-1."),
        Grid(
            f"{element.name} values",
            (("Value", "Name", "Meaning"), *rows, reserved),
            notes=("NOTE:\tA receiver that finds a reserved value treats the message as a protocol error.",),
        ),
    )


def _text(element: Element, key: str) -> tuple[Line, ...]:
    return (
        Line(f"The value of the {element.name} IE is a string of at most {element.octets} octets of printable ASCII, "
             "preceded by one octet that gives its length. A shorter string shall be followed by octets of value 0."),
    )  # fmt: skip


def _integer(element: Element, key: str) -> tuple[Line, ...]:
    unit = f" {element.unit}" if element.unit else ""
    given = f"The value of the {element.name} IE shall be in the range {element.low} to {element.high}{unit}."
    if element.is_plain:
        return (Line(f"{given} The coded value is the value itself."),)
    steps = (element.high - element.low) // element.step
    code = max(1, steps // 3)
    return (
        Line(f"{given} The coded value is the number of steps of {element.step}{unit} above {element.low}{unit}, an "
             f"integer from 0 to {steps}."),
        Line(f"EXAMPLE:\tThe coded value {code} stands for {element.low + code * element.step}{unit}.", "EX"),
    )  # fmt: skip
