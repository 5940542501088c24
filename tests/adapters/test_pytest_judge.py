# SPDX-License-Identifier: Apache-2.0
"""The fixture sfumato_judge of the pytest plugin."""

import json
import xml.etree.ElementTree as xml

from add_submission import KERNEL, TASK

TESTS = """
def test_right(sfumato_judge):
    assert sfumato_judge("add.cpp", "task.py")

def test_known(sfumato_judge):
    assert sfumato_judge("sub.cpp", "task.py", expect="wrong").mismatch["output"] == "z"

def test_wrong(sfumato_judge):
    sfumato_judge("sub.cpp", "task.py")
"""


def test_verdicts_in_tests(pytester):
    pytester.makefile(".cpp", add=KERNEL, sub=KERNEL.replace("Add(a", "Sub(a"))
    pytester.makepyfile(task=TASK, test_judge=TESTS)
    done = pytester.runpytest_subprocess("-p", "sfumato_pytest", "--junit-xml=out.xml")
    done.assert_outcomes(passed=2, failed=1)
    done.stdout.fnmatch_lines(["*wrong: case 0: z: different by exact: 64 of 64 elements*", "*sfumato verdict*"])
    found = {}
    for case in xml.parse(pytester.path / "out.xml").iter("testcase"):
        (told,) = case.iter("property")
        found[case.get("name")] = json.loads(told.get("value"))["verdict"]
    assert found == {"test_right": "right", "test_known": "wrong", "test_wrong": "wrong"}
