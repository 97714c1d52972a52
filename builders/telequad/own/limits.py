"""Requirements with their limits, and their methods of test."""

from benchwright.builders.telequad.own.data import Requirement, Specification
from benchwright.builders.telequad.own.outline import Grid, Line, Section, dashes, normal


def requirements(specification: Specification) -> Section:
    """The clause of requirements on performance."""
    general = Section(
        "General",
        "requirements general",
        normal(
            "The requirements of this clause apply to equipment under the conditions of its method of test. Equipment "
            "of a class shall meet each limit that is given for its class.",
        ),
    )
    return Section(
        "Performance requirements",
        "requirements",
        children=(general, *(_requirement(each) for each in specification.requirements)),
    )


def _requirement(requirement: Requirement) -> Section:
    key, name = f"requirement {requirement.name}", requirement.name
    rows = []
    for equipment, limits in zip(requirement.classes, requirement.limits, strict=True):
        for place, (condition, limit) in enumerate(zip(requirement.conditions, limits, strict=True)):
            rows.append((equipment if not place else "^", condition, str(limit)))
    kind = "Maximum" if "not exceed" in requirement.bound else "Minimum"
    return Section(
        f"{name[0].upper()}{name[1:]}",
        key,
        children=(
            Section("Definition", f"{key} definition", normal(f"The {name} is {requirement.definition}.")),
            Section(
                "Requirement",
                f"{key} limits",
                (
                    Line(f"The {requirement.quantity} {requirement.bound} the value in table {{@{key} limits}}-1, when "
                         f"measured as specified in clause {{@{key} method}}."),
                    Grid(
                        f"Limits of the {name}",
                        (("Class", "Condition", f"{kind} {requirement.quantity} ({requirement.unit})"), *rows),
                    ),
                ),
            ),
            _method(requirement, key),
        ),
    )  # fmt: skip


def _method(requirement: Requirement, key: str) -> Section:
    steps = tuple(Line(f"{place}.\t{step}", "B1") for place, step in enumerate(requirement.method, 1))
    equipment = Section(
        "Equipment under test",
        f"{key} equipment",
        children=(
            Section("Connection", f"{key} connection", normal(requirement.equipment)),
            Section(
                "Settings",
                f"{key} settings",
                (Line("Before the test, these conditions shall be established:"), *dashes(requirement.settings)),
            ),
        ),
    )  # fmt: skip
    environment = Section("Environment", f"{key} environment", normal(requirement.environment))
    initial = Section("Initial conditions", f"{key} initial", children=(equipment, environment))
    procedure = Section("Test procedure", f"{key} procedure", steps)
    return Section("Method of test", f"{key} method", children=(initial, procedure))
