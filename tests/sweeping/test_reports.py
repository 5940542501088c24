# SPDX-License-Identifier: Apache-2.0
"""Results as JUnit XML and SARIF."""

import json
import xml.etree.ElementTree as xml

import pytest
import sfumato
from sfumato import reports
from some_cases import axpy_case, twice_case


@pytest.fixture(scope="module")
def results(folder, tmp_path_factory):
    cases = [
        twice_case(name="right"),
        twice_case(4, name="wrong"),
        twice_case(5, name="refused"),
        axpy_case(name="operator"),
    ]
    from sfumato.sweeping import _case

    cases = [_case.make(case, folder, "case") for case in cases]
    return sfumato.sweep(cases, out=tmp_path_factory.mktemp("out"), workers=1, progress=False, report=False).results


def test_a_testcase_for_each_result(results):
    suite = xml.fromstring(reports.junit(*results))
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("4", "1", "1")
    found = {}
    for case in suite.iter("testcase"):
        inner = [(part.tag, part.get("type")) for part in case]
        found[case.get("name").split()[0]] = inner
    assert sorted(map(str, found.values())) == [
        "[('error', 'wrong')]",
        "[('failure', 'ub-alignment')]",
        "[]",
        "[]",
    ]


def test_findings_keep_their_place(results):
    log = json.loads(reports.sarif(*results))
    (found,) = log["runs"][0]["results"]
    place = found["locations"][0]["physicalLocation"]
    assert (found["ruleId"], place["artifactLocation"]["uri"], place["region"]["startLine"]) == (
        "ub-alignment",
        "twice.cpp",
        20,
    )
    assert [run["executionSuccessful"] for run in log["runs"][0]["invocations"]].count(False) == 1


def test_a_report_comes_back_from_its_json(results):
    (result,) = (result for result in results if result["report"])
    again = json.loads(sfumato._native.report_of(result["report"]).json())
    assert again == {name: value for name, value in result["report"].items() if name != "related"}
