"""Where there is no more than was wanted, every filling of a template is asked: they are read from the database again.

Which groups a sample holds, only building it again shows.
"""

from collections import Counter
from collections.abc import Iterator

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.releases.manifest import Manifest
from benchwright.benchmarks.releases.proofs.base import Material
from benchwright.builders.sql.filling.fill import Filler
from benchwright.builders.sql.kinds import answerability_of
from benchwright.builders.sql.proofs.rows import ProvenGroup
from benchwright.builders.sql.proofs.templates import ReleaseTemplates
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.templates.missing import missing_templates
from benchwright.builders.sql.wording.worder import UNCHANGED

_WHAT, _NONE_MISSING = "templates of which no filling is missing", "templates of which none is missing"


class FillingsCheck:
    """Counts the groups of each template, and compares them with its fillings once all went by."""

    def __init__(self, version: str, material: Material, templates: ReleaseTemplates) -> None:
        self._material, self._templates = material, templates
        self._asked: Counter[str] = Counter()
        self._is_wanted = _is_wanted(material.release.manifest, version) and bool(material.databases)

    def problems(self, group: ProvenGroup) -> Iterator[tuple[str, str]]:
        """Nothing yet."""
        self._asked[group.template.id] += 1
        yield from ()

    def finish(self) -> None:
        """Reads the fillings of templates from the database that is given, else the one that is shipped."""
        schema = self._templates.known.schema
        if not self._is_wanted or schema is None:
            return
        manifest = self._material.release.manifest
        several = manifest.parameters.get("several", "refuse")
        filler = Filler(self._material.databases[0], several, schema.booleans, schema.nearly_unique)
        is_same = self._is_same_database()
        for name, asked in self._asked.items():
            read = self._templates.read(name)
            if isinstance(read, str) or answerability_of(read.sql.declared) != "answerable":
                continue  # of what has no answer, there are always more questions
            try:
                self._compare(read.sql, asked, filler.count(read.sql), is_same)
            except BenchwrightError as error:
                self._material.found.leave(_WHAT, 1, str(error))
        is_whole = self._material.given is not None or _is_copied_whole(manifest)
        if is_same and is_whole and _are_of_rules(manifest):
            self._look_for_others(filler, schema)

    def _look_for_others(self, filler: Filler, schema: DatabaseSchema) -> None:
        """Notes the built-in templates that nothing here asks, though they could be."""
        found, manifest = self._material.found, self._material.release.manifest
        unchanged = manifest.checks.get("sql_templates_left_out", {}).get(UNCHANGED, 0)
        held = [template.text for template in self._templates.values() if not template.kind]
        try:
            missing = list(missing_templates(filler, schema, held, manifest.parameters))
        except BenchwrightError as error:
            found.leave(_NONE_MISSING, 1, str(error))
            return
        if 0 < len(missing) <= unchanged:
            found.leave(_NONE_MISSING, len(missing), f"the manifest says of {unchanged} that {UNCHANGED}")
            return
        for template in missing:
            found.problem("templates", f"no question comes from a template of this database: {template.text}")

    def _compare(self, template: SqlTemplate, asked: int, there: int, is_same: bool) -> None:
        found = self._material.found
        if asked == there:
            found.proved[_WHAT] += 1
        elif is_same:
            text = f"of the template {template.id} {asked} groups are asked, and the database gives {there}"
            found.problem("fillings", f"{text}: {template.text}")
        else:
            found.leave(_WHAT, 1, "the database that is given has others, and it is not known to be the same")

    def _is_same_database(self) -> bool:
        """Whether the database is shipped, or, by its bytes, the one that the release was built from."""
        given = self._material.given
        if given is None:
            return True
        path = self._material.databases[0].path
        sha256 = given.sha256 or (file_sha256(path) if path is not None else None)
        return sha256 is not None and sha256 in [item.get("sha256") for item in self._material.release.manifest.sources]


def _are_of_rules(manifest: Manifest) -> bool:
    """Whether a release has all templates that the built-in writer makes, as it understands the database."""
    parameters = manifest.parameters
    return not parameters.get("templates") and not parameters.get("schema") and parameters.get("sql") == "rule"


def _is_copied_whole(manifest: Manifest) -> bool:
    """Whether what is shipped is understood as the original was: all of it, and its types too."""
    is_local = all(str(source.get("uri")).startswith(("sqlite:", "csv:")) for source in manifest.sources)
    return is_local and manifest.parameters.get("ship") == "all"


def _is_wanted(manifest: Manifest, version: str) -> bool:
    """Whether a release has all groups, by the rules of this version of its builder."""
    is_whole = manifest.parent is None and manifest.holdout is None and manifest.builder_version == version
    return is_whole and "asked_per_table" not in manifest.checks
