# SPDX-License-Identifier: Apache-2.0
"""Results as JUnit XML and SARIF."""

import json
import xml.etree.ElementTree as xml

import pytest
import sfumato
from formats import parse_junit, parse_sarif
from sfumato import reports
from sfumato.sweeping._names import name_of
from some_cases import axpy_case, twice_case

X16 = {"shape": [8, 2048], "dtype": "float16"}


@pytest.fixture(scope="module")
def results(folder, tmp_path_factory):
    cases = [
        twice_case(name="right"),
        twice_case(4, name="wrong"),
        twice_case(5, name="refused"),
        axpy_case(name="operator"),
        axpy_case(seed=1),
        axpy_case(name="wrong operator", reference="refs.py:twice"),
        twice_case(name="no-compile", kernel="broken.cpp"),
        twice_case(name="invalid", reference="refs.py:broken"),
    ]
    from sfumato.sweeping import _case

    cases = [_case.make(case, folder, "case") for case in cases]
    return sfumato.sweep(cases, out=tmp_path_factory.mktemp("out"), workers=1, progress=False, report=False).results


def test_a_testcase_for_each_result(results):
    (suite,) = xml.fromstring(reports.junit(*results))
    cases = {case.get("name"): case for case in parse_junit(reports.junit(*results))}
    assert {name: [(part.tag, part.get("type")) for part in case] for name, case in cases.items()} == {
        "right": [],
        "wrong": [("failure", "wrong")],
        "refused": [("failure", "ub-alignment")],
        "operator": [],
        "wrong operator": [("failure", "wrong")],
        "Axpy float32 64, alpha=3.0, seed 1": [],
        "no-compile": [("error", "compile")],
        "invalid": [("error", "usage")],
    }
    assert {part.get("name"): part.get("value") for part in suite.find("properties")} == {
        "version": sfumato.__version__,
        "chip": "Ascend910B1",
    }
    ended = max(result["seconds"]["ended"] for result in results)
    assert suite.get("timestamp") + "Z" == ended
    for result in results:
        case = cases[result["name"]]
        assert float(case.get("time")) == pytest.approx(result["seconds"]["total"], abs=1e-6)
        for part in case:
            assert part.text.endswith(f"\n  again:  {result['again']}")


def test_findings_keep_their_place(results):
    run = parse_sarif(reports.sarif(*results))
    wrong = {
        found["message"]["text"].partition(": ")[0]: found for found in run["results"] if found["ruleId"] == "wrong"
    }
    places = {name: found["locations"][0]["physicalLocation"] for name, found in wrong.items()}
    assert {
        name: (place["artifactLocation"]["uri"], place["region"]["startLine"]) for name, place in places.items()
    } == {
        "wrong": ("twice.cpp", 1),
        "wrong operator": ("Axpy/op_kernel/axpy_custom.cpp", 1),
    }
    by_rule = {found["ruleId"]: found for found in run["results"]}
    assert set(by_rule) == {"wrong", "ub-alignment", "compile-error"}
    assert wrong["wrong"]["message"]["text"].startswith("wrong: y: different by exact: 1 of 64 elements")
    found = by_rule["ub-alignment"]
    place = found["locations"][0]["physicalLocation"]
    assert (found["ruleId"], place["artifactLocation"]["uri"], place["region"]["startLine"]) == (
        "ub-alignment",
        "twice.cpp",
        20,
    )
    assert [invocation["executionSuccessful"] for invocation in run["invocations"]].count(False) == 2


def test_the_names_of_one_report_are_apart():
    case = {"op": "Axpy", "chip": "Ascend910B1", "inputs": {}}
    same = {"verdict": "right", "ok": True, "summary": "", "name": "Axpy", "case": case}
    text = reports.junit({**same, "id": "0" * 20}, {**same, "id": "1" * 20}, {**same, "id": "2" * 20, "name": "other"})
    assert [case.get("name") for case in parse_junit(text)] == ["Axpy #00000000", "Axpy #11111111", "other"]


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"op": "ops/Axpy", "inputs": {"x": X16, "y": X16}}, "Axpy float16 8x2048"),
        (
            {"op": "ops", "operator": "AddN", "inputs": {"x": [X16, X16], "y": None}},
            "AddN x [float16 8x2048, float16 8x2048], y absent",
        ),
        (
            {"kernel": "a.cpp", "inputs": {"x": {"file": "in/x.npy"}}, "args": ["x", True, 3], "seed": 2},
            "a.cpp x.npy, arguments True 3, seed 2",
        ),
        ({"op": "A", "inputs": {"x": {**X16, "values": {"uniform": [-2, 2]}}}}, "A float16 8x2048, uniform -2 to 2"),
        (
            {
                "op": "A",
                "inputs": {"x": {**X16, "values": "special"}, "s": {"shape": [], "dtype": "int32", "values": 7}},
            },
            "A x float16 8x2048, s int32 scalar, special, values 7",
        ),
        ({"submission": "k.py", "task": "tasks/relu.py"}, "k.py relu.py"),
    ],
)
def test_names_that_people_read(fields, name):
    assert name_of(fields) == name


def test_a_report_comes_back_from_its_json(results):
    (result,) = (result for result in results if result["verdict"] == "refused")
    again = json.loads(sfumato._native.report_of(result["report"]).json())
    assert again == result["report"]
    related = {**again, "related": [{"file": "a.cpp", "line": 3, "note": "there"}]}
    assert json.loads(sfumato._native.report_of(related).json()) == related
