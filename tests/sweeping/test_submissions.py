# SPDX-License-Identifier: Apache-2.0
"""Cases that are submissions have the verdicts of sfumato.judge."""

import sfumato
from add_submission import TASK, VERDICTS


def test_submissions_beside_tasks(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "task.py").write_text(TASK)
    cases = []
    for verdict, text in VERDICTS.items():
        (tmp_path / f"{verdict}.cpp").write_text(text)
        cases.append({"name": verdict, "submission": f"{verdict}.cpp", "task": "task.py", "chip": "Ascend910B1"})
    cases.append({**cases[1], "name": "missing", "submission": "missing.cpp"})
    done = sfumato.sweep(cases, out="out", workers=1, progress=False, report=False)
    assert {result["name"]: result["verdict"] for result in done.results} == {
        **{v: v for v in VERDICTS},
        "missing": "invalid",
    }
    found = {result["name"]: result for result in done.results}
    assert found["wrong"]["compare"]["output"] == "z" and found["wrong"]["cost"]["records"] > 0
    assert found["refused"]["report"]["rule"] == "ub-alignment"
    assert (found["no-compile"]["diagnostic"]["file"], found["no-compile"]["diagnostic"]["line"]) == (
        "no-compile.cpp",
        17,
    )
