"""Who wrote the SQL templates and the wordings of a release, for its manifest."""

from collections.abc import Mapping
from typing import Any


def template_texts(checks: Mapping[str, Any], is_given: bool) -> dict[str, dict[str, int]]:
    """Sort of text → who wrote them → how many.

    Args:
        checks: what the build counted.
        is_given: whether the SQL templates, and the wordings that neither rules nor a model wrote, come from a file.
    """
    by_rule, by_model = checks["text_templates_by_rule"], checks.get("text_templates_by_model", 0)
    given = sum(checks["text_templates"].values()) - by_rule - by_model
    sql = "model" if checks.get("sql_templates_by_model") else "given" if is_given else "rule"
    return {
        "SQL templates": {sql: checks["sql_templates"]},
        "wordings": {who: count for who, count in (("rule", by_rule), ("model", by_model), ("given", given)) if count},
    }
