"""What each procedure asks of its two ends: initiation, acceptance, rejection, abnormal cases."""

from benchwright.builders.telequad.own.data import Procedure, Specification
from benchwright.builders.telequad.own.front import counter
from benchwright.builders.telequad.own.outline import Line, Section, choices, dashes, normal


def procedures(specification: Specification) -> Section:
    """The clause of procedures."""
    protocol = specification.protocol
    general = Section(
        "General",
        "procedures general",
        normal(
            f"The {protocol} has {len(specification.procedures)} procedures. Each consists of a request message and of "
            "the message that accepts or rejects it.",
            "The messages are specified in clause {@messages}, their information elements in clause {@elements} and "
            "the timers in clause {@timers}.",
            "An entity that receives a message in a state in which the message is not expected shall ignore the "
            "message, unless the clause of the procedure says otherwise.",
        ),
    )
    each = tuple(_procedure(specification, procedure) for procedure in specification.procedures)
    return Section("Procedures", "procedures", children=(general, *each))


def _procedure(specification: Specification, procedure: Procedure) -> Section:
    key, name = f"procedure {procedure.name}", procedure.name
    initiator, responder = procedure.initiator, procedure.responder
    return Section(
        f"{name[0].upper()}{name[1:]}",
        key,
        children=(
            Section(
                "General",
                f"{key} general",
                normal(
                    f"The purpose of the {name} procedure is to {procedure.purpose}.",
                    f"The {name} procedure is initiated by the {initiator} and answered by the {responder}. Only one "
                    f"{name} procedure shall be in progress between the same two entities at any time.",
                ),
            ),
            _initiation(procedure, key),
            _acceptance(procedure, key),
            _rejection(specification, procedure, key),
            _abnormal(specification, procedure, key),
        ),
    )


def _initiation(procedure: Procedure, key: str) -> Section:
    initiator, request = procedure.initiator, procedure.request
    return Section(
        f"Initiation by the {initiator}",
        f"{key} initiation",
        (
            Line(f"The {initiator} shall initiate the {procedure.name} procedure when:"),
            *choices(procedure.when),
            Line(f"In the {request} message, specified in clause {{@message {request}}}, the {initiator} shall:"),
            *dashes(procedure.settings),
            Line(f"The {initiator} shall send the {request} message to the {procedure.responder}, start timer "
                 f"{procedure.timer} and enter the {procedure.during} state."),
        ),
    )  # fmt: skip


def _acceptance(procedure: Procedure, key: str) -> Section:
    initiator, responder = procedure.initiator, procedure.responder
    return Section(
        f"Acceptance by the {responder}",
        f"{key} acceptance",
        (
            Line(f"Upon receipt of the {procedure.request} message, if it can accept the request, the {responder} "
                 "shall:"),
            *dashes(procedure.actions),
            Line(f"The {responder} shall then send the {procedure.accept} message, specified in clause "
                 f"{{@message {procedure.accept}}}, to the {initiator}."),
            Line(f"Upon receipt of the {procedure.accept} message, the {initiator} shall stop timer {procedure.timer}, "
                 f"enter the {procedure.after} state and {procedure.completion}."),
        ),
    )  # fmt: skip


def _rejection(specification: Specification, procedure: Procedure, key: str) -> Section:
    codes = {value: code for code, (value, _) in enumerate(specification.element("Cause").values)}
    causes = [each.split(": ", 1) for each in procedure.causes]
    return Section(
        f"Rejection by the {procedure.responder}",
        f"{key} rejection",
        (
            Line(f"If the {procedure.responder} cannot accept the request, it shall send the {procedure.reject} "
                 f"message, specified in clause {{@message {procedure.reject}}}, to the {procedure.initiator}. The "
                 "Cause IE, coded as in clause {@element Cause}, shall be set to:"),
            *choices(f"#{codes[cause]} ({cause}), if {reason}" for cause, reason in causes),
            Line(f"Upon receipt of the {procedure.reject} message, the {procedure.initiator} shall stop timer "
                 f"{procedure.timer} and return to the state it was in before it sent the {procedure.request} "
                 "message."),
        ),
    )  # fmt: skip


def _abnormal(specification: Specification, procedure: Procedure, key: str) -> Section:
    timer = specification.timer(procedure.timer)
    count = counter(timer)
    times = "once" if timer.retries == 1 else f"{timer.retries} times"
    return Section(
        "Abnormal cases",
        f"{key} abnormal",
        (
            Line("The following abnormal cases can be identified:"),
            Line(f"a)\tExpiry of timer {timer.name}.", "B1"),
            Line(f"\tOn expiry of timer {timer.name}, the {procedure.initiator} shall send the {procedure.request} "
                 f"message again and restart timer {timer.name}. It shall do so at most {times} (counter {count}, "
                 f"clause {{@counters}}). On the next expiry it shall {procedure.failure}.", "B1"),
            Line("b)\tProtocol error in the answer.", "B1"),
            Line(f"\tIf a mandatory information element is missing from the {procedure.accept} message, the "
                 f"{procedure.initiator} shall ignore the message and leave timer {timer.name} running.", "B1"),
            Line("c)\tCollision.", "B1"),
            Line(f"\t{procedure.collision}", "B1"),
        ),
    )  # fmt: skip
