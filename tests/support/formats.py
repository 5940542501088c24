# SPDX-License-Identifier: Apache-2.0
"""What the files about findings must be: the object of docs/findings.schema.json, SARIF 2.1.0, JUnit XML."""

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

SCHEMA = json.loads((Path(__file__).resolve().parents[2] / "docs" / "findings.schema.json").read_text(encoding="utf-8"))
_TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool}
_DATE = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"  # of UTC


def check_schema(value, schema=SCHEMA, at="$"):
    """The words of JSON Schema that the file uses."""
    assert isinstance(value, _TYPES[schema["type"]]), f"{at} is no {schema['type']}: {value!r}"
    assert not (schema["type"] == "integer" and isinstance(value, bool)), at
    assert value in schema.get("enum", [value]), f"{at}: {value!r}"
    assert re.fullmatch(schema.get("pattern", ".*"), str(value), re.DOTALL), f"{at}: {value!r}"
    if schema["type"] in ("integer", "number"):
        assert value >= schema.get("minimum", value), f"{at}: {value}"
    if schema["type"] == "array":
        for index, item in enumerate(value):
            check_schema(item, schema["items"], f"{at}[{index}]")
    if schema["type"] == "object":
        known = schema["properties"]
        assert set(schema["required"]) <= set(value), f"{at} lacks {set(schema['required']) - set(value)}"
        assert schema["additionalProperties"] or set(value) <= set(known), f"{at} has {set(value) - set(known)}"
        for name in set(value) & set(known):
            check_schema(value[name], known[name], f"{at}.{name}")
    return value


def parse_findings(text):
    """The object of --json, whose counts are those of its findings."""
    run = check_schema(json.loads(text))
    severities = [finding["severity"] for finding in run["findings"]]
    for name in ("fault", "warning", "note"):
        assert run[f"{name}s"] == severities.count(name)
    assert run["ok"] == (run["faults"] == 0 and "error" not in run and "failure" not in run)
    return run


def _location(location):
    """SARIF 3.28: every part may be left out."""
    physical = location.get("physicalLocation")
    if physical:
        uri = physical["artifactLocation"]["uri"]
        assert re.fullmatch(r"[A-Za-z0-9._~/%:-]+", uri), uri
        assert physical.get("region", {"startLine": 1})["startLine"] >= 1
    for logical in location.get("logicalLocations", []):
        assert logical["name"] and logical["kind"] == "function"


def parse_sarif(text):
    """The one run of a SARIF 2.1.0 log; what its schema requires is there (OASIS, 3.13 to 3.52)."""
    log = json.loads(text)
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json")
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "Sfumato" and driver["version"]
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(set(ids)) == len(ids)
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"] and rule["help"]["text"]
        assert rule["defaultConfiguration"]["level"] in ("note", "warning", "error")
    for result in run["results"]:
        assert result["message"]["text"] and result["level"] in ("note", "warning", "error")
        assert ids[result["ruleIndex"]] == result["ruleId"]
        related = result.get("relatedLocations", [])
        assert len({place["id"] for place in related}) == len(related)
        for location in [*result["locations"], *related]:
            _location(location)
    for invocation in run["invocations"]:
        assert isinstance(invocation["executionSuccessful"], bool)
        assert re.fullmatch(_DATE + "Z", invocation["endTimeUtc"])
        for notification in invocation.get("toolExecutionNotifications", []):
            assert notification["message"]["text"]
    return run


def parse_junit(text):
    """The testcases of a JUnit file, whose counts are right."""
    root = ElementTree.fromstring(text.encode())
    assert root.tag == "testsuites"
    (suite,) = root
    assert suite.tag == "testsuite" and suite.get("name") == "sfumato"
    about, *cases = suite
    known = {part.get("name"): part.get("value") for part in about}
    assert about.tag == "properties" and set(known) <= {"version", "chip"} and known["version"]
    assert re.fullmatch(_DATE, suite.get("timestamp"))
    for element in (root, suite):
        assert int(element.get("tests")) == len(cases)
        assert int(element.get("failures")) == sum(case.find("failure") is not None for case in cases)
        assert int(element.get("errors")) == sum(case.find("error") is not None for case in cases)
    for case in cases:
        assert case.tag == "testcase" and case.get("name") and case.get("classname")
        assert {child.tag for child in case} <= {"failure", "error", "system-out"}
        assert float(case.get("time", 0)) >= 0
    return cases
