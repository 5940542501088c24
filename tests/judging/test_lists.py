# SPDX-License-Identifier: Apache-2.0
"""Whatever lists the verdicts lists all of them, with their exit codes."""

import json
import re
from pathlib import Path

from sfumato import _judge_command
from sfumato.judging import VERDICTS

DOCS = Path(__file__).parents[2] / "docs"


def rows(page):
    """What stands in code quotes in the first cell of a page's tables, and the last cell."""
    text = (DOCS / page).read_text(encoding="utf-8")
    found = re.findall(r"^\| (`[a-z-]+`(?:, `[a-z-]+`)*) \|.*?([^|]*) \|$", text, re.MULTILINE)
    return {name: last.strip() for names, last in found for name in re.findall("[a-z-]+", names)}


def test_the_verdicts_have_their_exit_codes():
    judging = rows("judging.md")
    assert {name: judging.get(name) for name in VERDICTS} == {name: str(code) for name, code in VERDICTS.items()}
    said = re.findall(r"([a-z-]+) (\d)", _judge_command._EXAMPLES.split("(docs")[0])
    assert {name: int(code) for name, code in said} == VERDICTS


def test_no_list_lacks_a_verdict():
    schema = json.loads((DOCS / "judge.schema.json").read_text(encoding="utf-8"))
    assert set(schema["properties"]["verdict"]["enum"]) == set(VERDICTS)
    for page in ("sweeping.md", "cluster.md"):
        assert set(VERDICTS) - {"right"} <= set(rows(page)), page
