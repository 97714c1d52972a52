"""Tamperings with manifest, card, files, splits and configs of a release."""

import re
import shutil
from collections.abc import Callable
from typing import Any

from tampering import Copy, Tampering


def _checks(edit: Callable[[dict[str, Any]], object]) -> Callable[[Copy], object]:
    return lambda copy: copy.manifest(lambda content: edit(content["checks"]))


def _manifest(**values: Any) -> Callable[[Copy], object]:
    return lambda copy: copy.manifest(lambda content: content.update(values))


def _parameters(**values: Any) -> Callable[[Copy], object]:
    return lambda copy: copy.manifest(lambda content: content["parameters"].update(values))


def _raise_counts(copy: Copy) -> None:
    """The card claims ten times as many questions."""
    count = copy.release.manifest.rows["questions"]
    copy.text("README.md", lambda text: re.sub(rf"\b{count:,}\b", f"{count * 10:,}", text))


def _move_to_dev(copy: Copy) -> None:
    """The last questions of `test` are said to be of `dev`, with their queries and qrels."""
    rows = copy.read("questions")
    copy.write("questions", rows[:-8])
    copy.write("questions", [*copy.read("questions", "dev"), *rows[-8:]], "dev")


def _without_template(copy: Copy) -> None:
    """All rows of a template are gone."""
    first = copy.read("questions")[0]["template"]
    copy.rows("questions", lambda rows: rows.__setitem__(slice(None), [r for r in rows if r["template"] != first]))


def _without_wording(copy: Copy) -> None:
    """A wording that no question uses any more is gone from the file of templates."""

    def edit(content: dict[str, Any]) -> None:
        texts = content["text_templates_short"]
        texts[next(iter(texts))].append("Something that nobody is asked?")

    copy.json("templates/aurp.json", edit)


def _stray_shard(copy: Copy) -> None:
    """Rows of a split that the manifest does not name."""
    source = copy.release.shards("questions", "test")[0]
    shutil.copy(source, source.with_name("validation-00000-of-00001.parquet"))


def _swap_corpus_of_public(copy: Copy) -> None:
    """The public half has another document than the private one."""
    public = copy.beside["public"]
    public.each(
        "corpus",
        lambda row: row.update(title="Another title"),
        lambda row: row["_id"] == public.read("corpus")[0]["_id"],
    )
    public.seal()
    hashed = public.release.manifest.content_hash
    copy.manifest(lambda content: content["holdout"].update(public_content_hash=hashed))


def _other_group_of_public(copy: Copy) -> None:
    """The public half says another form of a held-out question."""
    public = copy.beside["public"]
    public.rows(
        "questions", lambda rows: rows[0].update(form="long" if rows[0]["form"] == "short" else "short"), "heldout"
    )
    public.seal()
    hashed = public.release.manifest.content_hash
    copy.manifest(lambda content: content["holdout"].update(public_content_hash=hashed))


def _templates_of_public(copy: Copy) -> None:
    """The public half has other templates."""
    public = copy.beside["public"]
    public.json("templates/aurp.json", lambda content: content["text_templates_short"].popitem())
    public.seal()
    hashed = public.release.manifest.content_hash
    copy.manifest(lambda content: content["holdout"].update(public_content_hash=hashed))


CASES = [
    Tampering(
        "qrel to another document",
        "aurp",
        lambda copy: copy.rows("qrels", lambda rows: rows[0].update({"corpus-id": "nope"})),
        "qrel: there is ",
        follow=False,
    ),
    Tampering(
        "qrel with another score",
        "aurp",
        lambda copy: copy.rows("qrels", lambda rows: rows[0].update(score=2)),
        "qrel: there is ",
        follow=False,
    ),
    Tampering(
        "query with another wording",
        "aurp",
        lambda copy: copy.rows("queries", lambda rows: rows[0].update(text="What?")),
        "query: ",
        follow=False,
    ),
    Tampering(
        "the card's counts", "aurp", _raise_counts, "card: README.md does not say what the release is", card=False
    ),
    Tampering(
        "a check claims more groups",
        "aurp",
        _checks(lambda checks: checks.update(sql_queries=9_999)),
        "count: manifest.json says that checks.sql_queries is 9999, and counted it is ",
    ),
    Tampering(
        "a check claims more questions of a form",
        "aurp",
        _checks(lambda checks: checks["text_queries"].update(short=9_999)),
        "count: manifest.json says that checks.text_queries is ",
    ),
    Tampering(
        "a check claims more answerable groups",
        "aurp",
        _checks(lambda checks: checks["answerable_groups"].update(test=9_999)),
        "count: manifest.json says that checks.answerable_groups is ",
    ),
    Tampering(
        "a check claims fewer known gaps",
        "aurp",
        _checks(lambda checks: checks["gap_groups"].update(test=0)),
        "count: manifest.json says that checks.gap_groups is ",
    ),
    Tampering(
        "a check claims other hops",
        "aurp",
        _checks(lambda checks: checks["test_groups_per_hops"].update({"3": 9_999})),
        "count: manifest.json says that checks.test_groups_per_hops is ",
    ),
    Tampering(
        "a check claims a finer difference",
        "aurp",
        _checks(lambda checks: checks.update(minimum_detectable_difference=0.001)),
        "count: manifest.json says that checks.minimum_detectable_difference is 0.001",
    ),
    Tampering(
        "a check claims more documents",
        "aurp",
        _checks(lambda checks: checks["documents_checked"].update(documents=9_999)),
        "count: manifest.json says that checks.documents_checked is ",
    ),
    Tampering(
        "texts claim more wordings",
        "aurp",
        lambda copy: copy.manifest(lambda content: content["texts"]["wordings"].update(given=5)),
        "count: manifest.json says that texts.wordings, together, is ",
    ),
    Tampering("a wording more in the templates", "aurp", _without_wording, "count: manifest.json says that "),
    Tampering("the rows of a template removed", "aurp", _without_template, "count: manifest.json says that "),
    Tampering("questions moved from test to dev", "aurp", _move_to_dev, "count: manifest.json says that "),
    Tampering(
        "a split claims more rows",
        "aurp",
        lambda copy: copy.manifest(
            lambda content: (
                content["rows"].update(questions=9_999 + content["splits"]["questions"]["dev"]),
                content["splits"]["questions"].update(test=9_999),
            )
        ),
        "rows: questions has ",
        rows=False,
    ),
    Tampering(
        "a config claims other rows than its splits",
        "aurp",
        lambda copy: copy.manifest(lambda content: content["rows"].update(qrels=1)),
        "rows: manifest.json says that qrels has 1 rows, and its splits have ",
        rows=False,
    ),
    Tampering(
        "rows of a split that is not named",
        "aurp",
        _stray_shard,
        "file: questions/validation-00000-of-00001.parquet holds rows of no config and split",
        rows=False,
    ),
    Tampering(
        "a hidden file",
        "aurp",
        lambda copy: (copy.folder / ".evil").write_text("x"),
        r"file: \.evil is not in manifest.json",
    ),
    Tampering(
        "a hidden file among the rows",
        "aurp",
        lambda copy: (copy.folder / "questions" / ".evil.parquet").write_bytes(b"x"),
        r"file: questions/\.evil\.parquet is not in manifest.json",
    ),
    Tampering(
        "a held-out question with its answer",
        "public",
        lambda copy: copy.rows("questions", lambda rows: rows[0].update(answers=["Bergen"]), "heldout"),
        "holdout: question ",
    ),
    Tampering(
        "a public half that tells its seed",
        "public",
        _manifest(seed=7),
        "holdout: manifest.json tells the seed",
    ),
    Tampering(
        "a private half with another version of its builder",
        "private",
        _manifest(builder_version="0.9.0"),
        "half: aurp and aurp-private have other builder_version",
    ),
    Tampering(
        "a private half of another public content",
        "private",
        lambda copy: copy.manifest(lambda content: content["holdout"].update(public_content_hash="0" * 64)),
        "half: aurp has another content hash than aurp-private names",
    ),
    Tampering(
        "a private half with another share",
        "private",
        lambda copy: copy.manifest(lambda content: content["holdout"].update(share=0.9)),
        "half: aurp and aurp-private name another share",
    ),
    Tampering(
        "a public half with another document",
        "private",
        _swap_corpus_of_public,
        "half: aurp has other documents than aurp-private: row 1 is the first",
    ),
    Tampering(
        "a public half with another form",
        "private",
        _other_group_of_public,
        "half: aurp has other held-out questions than aurp-private",
    ),
    Tampering(
        "a public half with other templates",
        "private",
        _templates_of_public,
        "half: aurp has other templates than aurp-private",
    ),
    Tampering("another seed", "aurp", _manifest(seed=1), "rebuild: ", needs="rebuild"),
    Tampering("another coverage", "aurp", _parameters(coverage=0.5), "rebuild: ", needs="rebuild"),
    Tampering("another sample of groups", "aurp", _parameters(groups=5), "rebuild: ", needs="rebuild"),
    Tampering("another seed of names", "aurp", _parameters(names_seed=9), "split: question "),
    Tampering(
        "what the builder alone counted",
        "aurp",
        _checks(lambda checks: checks.update(executed_again=9_999)),
        "rebuild: manifest.json says checks.executed_again is 9999, built again ",
        needs="rebuild",
    ),
    Tampering(
        "another canary",
        "aurp",
        _manifest(canary="00000000-0000-5000-8000-000000000000"),
        "rebuild: manifest.json says canary is ",
        needs="rebuild",
    ),
    Tampering(
        "a secret that is not the build's",
        "private",
        lambda copy: copy.manifest(lambda content: content["holdout"].update(secret="00" * 32)),
        "rebuild: ",
        needs="rebuild",
    ),
]
