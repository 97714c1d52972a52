"""Gates as a JUnit file, which continuous integration shows as tests: a suite for each run, a test for each gate."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from itertools import groupby

from benchwright.benchmarks.comparisons.gate import GateResult
from benchwright.benchmarks.comparisons.gate_words import reason

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, however it is written."""


def junit(facts: Mapping[str, str], results: Sequence[GateResult]) -> str:
    """The file: what failed is a failure; what is inconclusive is an error, for the test could not be decided.

    Args:
        facts: what the tests are of, by name.
        results: of the gates.
    """
    verdicts = [result.verdict for result in results]
    root = ET.Element("testsuites", _counts(verdicts, name="compare-systems"))
    for candidate, group in groupby(results, key=lambda result: result.candidate):
        own = list(group)
        suite = ET.SubElement(root, "testsuite", _counts([result.verdict for result in own], name=candidate))
        properties = ET.SubElement(suite, "properties")
        for name, value in {**facts, "baseline": own[0].baseline}.items():
            ET.SubElement(properties, "property", {"name": name, "value": _xml(value)})
        for result in own:
            _add_case(suite, result)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _add_case(suite: ET.Element, result: GateResult) -> None:
    name = {"classname": f"compare-systems.{result.candidate}", "name": result.gate.text, "time": "0"}
    case = ET.SubElement(suite, "testcase", {key: _xml(value) for key, value in name.items()})
    said = _xml(f"{result.candidate} against {result.baseline}: {reason(result)}")
    if result.verdict == "passed":
        ET.SubElement(case, "system-out").text = said
        return
    kind = "failure" if result.verdict == "failed" else "error"
    ET.SubElement(case, kind, {"type": result.verdict, "message": said}).text = said


def _counts(verdicts: Sequence[str], name: str) -> dict[str, str]:
    counted = {
        "tests": len(verdicts),
        "failures": verdicts.count("failed"),
        "errors": verdicts.count("inconclusive"),
        "skipped": 0,
    }
    return {"name": _xml(name), **{key: str(value) for key, value in counted.items()}, "time": "0"}


def _xml(text: str) -> str:
    """A text without what XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)
