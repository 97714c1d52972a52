"""The forms of a list: names of built-in forms and hypotheses, files of forms, and folders of such."""

from functools import cache
from importlib import resources
from pathlib import Path

from benchwright.benchmarks.catalogue import is_place
from benchwright.benchmarks.errors import UsageError
from benchwright.builders.sql.wording.by_rule import FORMS
from benchwright.builders.sql.wording.forms.form import Form, as_form, read_form, read_form_file


@cache
def hypotheses() -> dict[str, Form]:
    """Name → the forms that are shipped as files, beside those that are built in."""
    folder = resources.files(f"{__package__}").joinpath("hypotheses")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    found = [read_form(file.read_bytes(), file.name) for file in files]
    return {form.name: form for form in found}


def parse_forms(text: str) -> tuple[Form, ...]:
    """The forms of a comma-separated list of names, files and folders, each once.

    Raises:
        UsageError: one does not exist, or none is given.
        BenchwrightError: a file is not as it must be, or takes a name that another form has.
    """
    entries = list(dict.fromkeys(entry.strip() for entry in text.split(",") if entry.strip()))
    if not entries:
        raise UsageError(f"forms is empty: choose from {_known()}")
    forms: dict[str, Form] = {}
    for entry in entries:
        for form in _forms(entry):
            other = forms.setdefault(form.name, form)
            if other is not form:
                raise UsageError(f"{form.place}: the name {form.name!r} is taken by {other.place or 'a built-in form'}")
    return tuple(forms.values())


def _forms(entry: str) -> list[Form]:
    if entry in FORMS:
        return [_built_in(entry)]
    if entry in hypotheses():
        return [hypotheses()[entry]]
    if not is_place(entry):
        raise UsageError(
            f"there is no form {entry!r}: choose from {_known()}, or give a file FORM.toml or a folder ./FORMS"
        )
    path = Path(entry)
    if path.is_dir():
        files = sorted(path.glob("*.toml"))
        if not files:
            raise UsageError(f"the folder {path} holds no *.toml file of a form")
        return [_own(file) for file in files]
    return [_own(path)]


@cache
def _built_in(name: str) -> Form:
    return as_form(name)


def _own(path: Path) -> Form:
    """The form of a user's file, whose name no form of ours has."""
    form = read_form_file(path)
    if form.name in FORMS or form.name in hypotheses():
        raise UsageError(f"{path}: the name {form.name!r} is taken by a form of Benchwright: choose another")
    return form


def _known() -> str:
    return ", ".join((*FORMS, *hypotheses()))
