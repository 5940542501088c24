# SPDX-License-Identifier: Apache-2.0
"""Submissions with known verdicts, the fields of a verdict, caches, tasks and the command."""

import json
import os
import random
import shutil
import subprocess
import sys
import textwrap
from collections import Counter

import jsonschema
import numpy as np
import pytest
import submissions
from known import CHIP, KNOWN, LIMITS, RIGHT, SCHEMA, TEXT

import sfumato
from sfumato.judging import VERDICTS, Limits, Options


def test_there_are_enough_of_each():
    counts = Counter(verdict for _, verdict, _, _, _ in KNOWN)
    assert set(counts) == set(VERDICTS) and min(counts.values()) >= 10 and counts["decoy"] >= 50
    assert len({name for name, *_ in KNOWN}) == len(KNOWN)


@pytest.mark.parametrize("workers", [2, 1])  # the second round finds the objects of the first
def test_known_verdicts(cache, workers):
    shutil.rmtree(cache / "verdicts", ignore_errors=True)
    order = list(KNOWN)
    random.Random(workers).shuffle(order)
    found = {}
    pairs = ((text, task) for _, _, _, text, task in order)
    for verdict in sfumato.judge_many(pairs, chip=CHIP, workers=workers, limits=LIMITS, cache=cache):
        name, wanted, rule, _, _ = order[verdict.index]
        jsonschema.validate(verdict.to_dict(), SCHEMA)
        reason = (verdict.decoy if verdict.verdict == "decoy" else verdict.report) or {}
        found[name] = verdict.verdict, reason.get("rule") if rule else None, verdict.summary
        assert verdict.exit_code == VERDICTS[wanted], (name, verdict)
    wrong = {name: found[name] for name, verdict, rule, _, _ in KNOWN if found.get(name, (0, 0))[:2] != (verdict, rule)}
    assert wrong == {} and len(found) == len(KNOWN)


def test_a_right_one(judge):
    verdict = judge(RIGHT, submissions.TASK)
    assert verdict and verdict.summary == "2 cases in 8 runs" and verdict.kind == "kernel"
    assert [case["name"] for case in verdict.cases] == ["n=64", "n=128"]
    assert verdict.cost == {
        "records": 16,
        "bytes_gm_read": 2 * 4 * (64 + 128),
        "bytes_gm_written": 4 * (64 + 128),
        "vector_elements": 64 + 128,
        "mac": 0,
    }
    assert verdict.estimate is None and verdict.estimate_reason is None
    assert verdict.report is None and verdict.mismatch is None
    assert verdict.repeat.startswith(f"sfumato run kernel.cpp --chip {CHIP} --kernel work --blocks 1 --schedule eager ")
    assert " --overflow board --fill 0xfe -- x.npy y.npy 'out:float32[64]=z.npy' " in verdict.repeat
    assert str(verdict).splitlines()[-1] == f"  again:  {verdict.repeat}"


# Half beyond its range: as the runtime of the chip has it, unless the caller says another.
@pytest.mark.parametrize(("chip", "launch", "right"), [(CHIP, {}, np.inf), (CHIP, {"overflow": "saturate"}, 65504)])
def test_the_policy_is_that_of_a_board(cache, chip, launch, right):
    source = """\
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void twice(GM_ADDR x) {
    TPipe pipe; TBuf<> buffer; pipe.InitBuffer(buffer, 256);
    LocalTensor<half> t = buffer.Get<half>();
    GlobalTensor<half> gm; gm.SetGlobalBuffer((__gm__ half*)x, 16);
    DataCopy(t, gm, 16);
    PipeBarrier<PIPE_ALL>();
    Add(t, t, t, 16);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm, t, 16);
}
"""
    task = "import numpy as np\ncases = [{'x': np.full(16, 60000, np.float16)}]\noutputs = ['x']\ncompare = 'exact'\n"
    task += f"def reference(x):\n    return [np.full(16, float('{right}'), np.float16)]\n"
    verdict = sfumato.judge(source, task, chip=chip, limits=LIMITS, cache=cache, options={"launch": launch})
    assert verdict, verdict
    assert f" --overflow {launch.get('overflow', 'board')} " in verdict.repeat
    assert [found["rule"] for found in verdict.findings] == []


def test_where_it_is_wrong(judge):
    verdict = judge(TEXT["wrong-body-forgets_the_tail"], submissions.TASK)
    assert verdict.mismatch["output"] == "z" and verdict.mismatch["index"] == [56] and verdict.mismatch["case"] == 0
    assert verdict.cases[0]["compare"]["z"]["pattern"] == "fill bytes"
    assert str(verdict).startswith(
        "wrong: n=64: z: different by exact: 8 of 64 elements (12.5%), float32 (64,)\n  first:  z[56]"
    )


def test_where_it_is_unstable(judge):
    verdict = judge(TEXT["unstable-body-no_wait_for_the_loads"], submissions.TASK)
    assert verdict.cases[0]["schedule"] == "late"
    assert verdict.summary == "n=64: z has other bytes under schedule late: 64 of 64 elements"
    assert " --schedule late --overflow board " in verdict.repeat
    verdict = judge(TEXT["unstable-body-reads_ub_nobody_wrote"], submissions.TASK)
    assert "under fill 0x01" in verdict.summary and " --fill 0x01 " in verdict.repeat


def test_where_it_is_refused(judge):
    verdict = judge(TEXT["refused-body-writes_past_the_end"], submissions.TASK)
    assert verdict.report["rule"] == "gm-out-of-range" and verdict.report["file"] == "kernel.cpp"
    assert RIGHT.split("\n")[verdict.report["line"] - 1].strip().startswith("LOAD")
    assert verdict.repeat.startswith("sfumato run kernel.cpp ")


def test_where_it_does_not_compile(judge):
    found = judge(TEXT["no-compile-body-undeclared"], submissions.TASK).compile["diagnostics"][0]
    assert found["file"] == "kernel.cpp" and "Plus" in found["text"] and found["line"] > 10


def test_where_it_loops(judge):
    verdict = judge(TEXT["timeout-body-loop_of_instructions"], submissions.TASK)
    assert verdict.report["rule"] == "timeout" and "kernel.cpp:" in verdict.report["found"]


def test_results_do_not_depend_on_the_seed_alone(judge, cache):
    seeds = [
        sfumato.judge(RIGHT, submissions.TASK, chip=CHIP, cache=cache, options={"seed": seed, "cases": 1})
        for seed in (0, 1)
    ]
    assert [verdict.verdict for verdict in seeds] == ["right", "right"] and len(seeds[0].cases) == 1
    assert seeds[0].seed == 0 and seeds[1].seed == 1


def test_verdicts_are_kept_and_identical_pairs_run_once(tmp_path):
    arguments = {"chip": CHIP, "limits": LIMITS, "workers": 1}
    first = list(sfumato.judge_many([(RIGHT, submissions.TASK)] * 3, cache=tmp_path, **arguments))
    assert [verdict.cached for verdict in first] == [False, True, True]
    assert sorted(verdict.index for verdict in first) == [0, 1, 2]
    again = sfumato.judge(RIGHT, submissions.TASK, cache=tmp_path, **arguments)
    assert again.cached and again.to_dict() == first[0].to_dict()
    shutil.rmtree(tmp_path / "verdicts")
    assert sfumato.judge(RIGHT, submissions.TASK, cache=tmp_path, **arguments).compile["cached"]
    assert not sfumato.judge(RIGHT, submissions.TASK, cache=False, **arguments).compile["cached"]


def test_a_full_sandbox_is_required_of_the_cache_too(tmp_path):
    arguments = {"chip": CHIP, "limits": LIMITS, "cache": tmp_path}
    first = sfumato.judge(RIGHT, submissions.TASK, sandbox="off", **arguments)
    assert (first.verdict, first.sandbox, first.cached) == ("right", "partial", False)
    assert sfumato.judge(RIGHT, submissions.TASK, **arguments).cached
    try:
        verdict = sfumato.judge(RIGHT, submissions.TASK, sandbox="require", **arguments)
    except sfumato.Error as error:
        assert "sandbox" in str(error)
    else:
        assert (verdict.verdict, verdict.sandbox, verdict.cached) == ("right", "full", False)
        verdict = sfumato.judge(RIGHT, submissions.TASK, sandbox="require", **arguments)
        assert verdict.sandbox == "full" and verdict.cached


@pytest.mark.parametrize("none", ["none", None])
def test_no_cache(tmp_path, monkeypatch, none):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SFUMATO_CACHE", str(tmp_path / "usual"))
    for _ in range(2):
        assert not sfumato.judge(RIGHT, submissions.TASK, chip=CHIP, limits=LIMITS, cache=none).cached
    assert not list(tmp_path.iterdir())


def test_a_damaged_cache_costs_time_alone(tmp_path):
    arguments = {"chip": CHIP, "limits": LIMITS, "cache": tmp_path}
    sfumato.judge(RIGHT, submissions.TASK, **arguments)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[:100])
    verdict = sfumato.judge(RIGHT, submissions.TASK, **arguments)
    assert verdict and not verdict.cached and not verdict.compile["cached"]


def test_passing_verdicts_are_not_kept(tmp_path):
    text = TEXT["timeout-body-empty_loop"]
    limits = Limits(wall=0.5)
    for keep in (False, False, True, True):
        options = Options(keep_passing=keep)
        verdict = sfumato.judge(text, submissions.TASK, chip=CHIP, limits=limits, cache=tmp_path, options=options)
        assert verdict.verdict == "timeout"
    assert verdict.cached


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("outputs = ", "inputs = "), "is no input, output or value"),
        (("return x + y", "return x + w"), "NameError: name 'w' is not defined (task.py:13)"),
        (("return x + y", "return x, y"), "reference: 2 results for the outputs z"),
        (("(64, 128)", "()"), "it has no cases"),
        (("cases", "things"), "it has no cases: a task has cases, reference, outputs and, of kernels, launch"),
        (('"exact"', '"roughly"'), "roughly"),
        (("import numpy as np", "import nampy as np"), "No module named 'nampy'"),
        (('"values"', '"numbers"'), "launch: 'numbers' is not known"),
    ],
)
def test_broken_tasks(judge, change, says):
    verdict = judge(RIGHT, submissions.TASK.replace(*change))
    assert verdict.verdict == "invalid" and says in (verdict.task_error or verdict.summary), verdict.to_dict()


@pytest.mark.parametrize(
    ("does", "says"),
    [
        ("while True: pass", "its cases and reference took longer than 1.5 s"),
        ("import ctypes; ctypes.CDLL(None).sleep(100)", "its cases and reference took longer than 1.5 s"),
        (
            "import ctypes; ctypes.string_at(0)",
            "its cases and reference ended their process by signal 11 (Segmentation fault)",
        ),
        ("import os; os._exit(0)", "its cases and reference ended their process with exit code 0"),
        (
            "import os\n    while True: os.write(1, bytes(1 << 20))",
            "its cases and reference: it printed more than it may",
        ),
        (
            "return np.ones(1 << 30)",
            "its cases and reference took more memory than 536870912 bytes",
        ),
        ("raise SystemExit(0)", "0"),
    ],
)
def test_tasks_that_hang_crash_or_print(judge, monkeypatch, does, says):
    monkeypatch.setattr("sfumato.judging._judge.TASK_LIMITS", LIMITS)
    task = submissions.TASK.replace("return x + y", does)
    for verdict in judge.many([(RIGHT, task), (TEXT["wrong-body-subtracts"], task)]):
        assert (verdict.verdict, verdict.task_error) == ("invalid", says), verdict.to_dict()
        assert verdict.summary == f"the task is broken: {says}"


def test_a_task_has_more_time_than_a_submission(cache):
    task = submissions.TASK.replace("return x + y", "import time; time.sleep(0.6); return x + y")
    assert sfumato.judge(RIGHT, task, chip=CHIP, limits=Limits(wall=1.0, cpu=60), cache=cache)


def test_a_folder(judge, tmp_path):
    x, y = np.arange(64, dtype=np.float32), np.ones(64, np.float32)
    for name, array in {"x": x, "y": y, "z": x + y}.items():
        np.save(tmp_path / f"{name}.npy", array)
    (tmp_path / "task.toml").write_text(
        textwrap.dedent("""
            outputs = ["z"]
            [launch]
            arguments = ["x", "y", "z", "workspace", "n"]
            workspace = 4096
            values = {n = 64}
            [[cases]]
            name = "golden"
            x = "x.npy"
            y = "y.npy"
            want = {z = "z.npy"}
        """)
    )
    verdict = judge(RIGHT, tmp_path)
    assert verdict and [case["name"] for case in verdict.cases] == ["golden"]
    np.save(tmp_path / "z.npy", x - y)
    assert judge(RIGHT, tmp_path).verdict == "wrong"


def test_an_output_in_place(judge):
    task = submissions.TASK.replace('outputs = ["z"]', 'outputs = ["x"]').replace('"y", "z"', '"y", "x"')
    assert judge(RIGHT, task)


def test_wrong_uses():
    with pytest.raises(sfumato.Error, match="no chip was named"):
        sfumato.judge(RIGHT, submissions.TASK)
    for options, says in (
        ({"colour": 1}, "judge: options: 'colour' is not known; legal: kind, name,"),
        ({"schedules": "eager"}, "schedules='eager' must be a list"),
        ({"schedules": ["early"]}, "the schedule 'early' is none of eager, late, ahead, seed:N"),
        ({"fills": [256]}, "must be bytes"),
        ({"cases": 0}, "cases=0 must be an int above 0"),
        ({"launch": {"fill": 1}}, "launch: 'fill' is not known"),
        ({"launch": {"overflow": "wrap"}}, "overflow='wrap' is not known; legal: 'saturate'"),
        ({"launch": {"check": "everything"}}, "everything"),
        ({"launch": {"strict": "yes"}}, "strict='yes' must be True or False"),
        ({"compile": {"chip": "Ascend910A"}}, "compile: 'chip' is not known; legal: "),
        ({"compile": {"defines": "FAST"}}, "compile: defines='FAST': a dict is needed"),
        ({"kind": "kernels"}, "kind='kernels' is none of kernel, op, direct, model, tik"),
        ({"name": 3}, "name=3 must be a name"),
        ({"launch": {"time": True}}, "launch: 'time' is not known"),
        ({"time": "yes"}, "time='yes' must be True, False or a mapping"),
        ({"time": {"l3": "warm"}}, "time: 'l3' is not known; legal: l2, launch, scalar_cycles, gains, skip_data"),
        ({"time": {"l2": "hot"}}, "l2='hot' is not known; legal: 'cold', 'warm'"),
    ):
        with pytest.raises(sfumato.Error, match=says):
            sfumato.Judge(CHIP, options=options)
    for words, says in (
        ({"limits": {"walls": 1}}, "limits: 'walls' is not known; legal: wall, cpu,"),
        ({"limits": {"wall": 0}}, "wall=0 must be a number above 0"),
        ({"limits": 20}, "limits=20 must be Limits or a mapping of its fields"),
        ({"limits": 0}, "limits=0 must be Limits or a mapping of its fields"),
        ({"options": ["cases"]}, "must be Options or a mapping of its fields"),
        ({"cache": 3}, "judge: cache=3 must be a folder, True for the usual one, or None for none"),
    ):
        with pytest.raises(sfumato.Error, match=says):
            sfumato.Judge(CHIP, **words)
    assert sfumato.judge(3, submissions.TASK, chip=CHIP).verdict == "invalid"
    for name in ("right-op-plain", "right-tik-plain"):
        with pytest.raises(sfumato.Error, match=f"compile: 'flags' is no option of a submission of kind {name[6:-6]}"):
            sfumato.judge(TEXT[name], submissions.TASK, chip=CHIP, options={"compile": {"flags": ["-O2"]}})
    with pytest.raises(sfumato.Error, match="launch: 'core' is no option of a submission of kind tik"):
        sfumato.judge(TEXT["crashed-tik-exits"], submissions.TIK_TASK, chip=CHIP, options={"launch": {"core": "aiv"}})


@pytest.mark.parametrize(
    ("name", "task"), [("body", submissions.TASK), ("op", submissions.TASK), ("tik", submissions.TIK_TASK)]
)
def test_an_entry_that_is_not_there(cache, name, task):
    options = {"name": "nobody"}
    verdict = sfumato.judge(TEXT[f"right-{name}-plain"], task, chip=CHIP, limits=LIMITS, cache=cache, options=options)
    assert verdict.verdict == "invalid" and verdict.summary, verdict


def test_limits_are_part_of_the_key(tmp_path):
    for limits in (Limits(memory=512 << 20), Limits(memory=513 << 20), {"memory": 512 << 20}):
        verdict = sfumato.judge(RIGHT, submissions.TASK, chip=CHIP, limits=limits, cache=tmp_path)
        assert verdict.verdict == "right"
    assert verdict.cached and len(list(tmp_path.glob("verdicts/*/*"))) == 2


def _command(*arguments, cwd):
    words = [os.environ["SFUMATO_COMMAND"], "judge", *map(str, arguments)]
    environment = {**os.environ, "SFUMATO_PYTHON": sys.executable}
    return subprocess.run(words, capture_output=True, text=True, cwd=cwd, env=environment, check=False)


@pytest.mark.skipif("SFUMATO_COMMAND" not in os.environ, reason="there is no command")
def test_the_command(tmp_path, cache):
    (tmp_path / "task.py").write_text(submissions.TASK)
    names = {"right-body-plain": 0, "wrong-body-subtracts": 5, "no-compile-body-undeclared": 3}
    for name in names:
        (tmp_path / f"{name}.cpp").write_text(TEXT[name])
    for name, code in names.items():
        done = _command("task.py", f"{name}.cpp", "--chip", CHIP, "--cache", cache, cwd=tmp_path)
        assert done.returncode == code and done.stdout.startswith(name.split("-body")[0] + ": "), done
    timed = _command("task.py", "right-body-plain.cpp", "--chip", CHIP, "--time", "--cache", cache, cwd=tmp_path)
    assert timed.returncode == 0 and "\n  estimate of n=64: " in timed.stdout, timed
    several = _command(
        "task.py", *[f"{n}.cpp" for n in names], "--chip", CHIP, "--json", "--cache", cache, cwd=tmp_path
    )
    lines = {line["submission"]: line for line in map(json.loads, several.stdout.splitlines())}
    assert several.returncode == 5 and set(lines) == {f"{name}.cpp" for name in names}
    for line in lines.values():
        jsonschema.validate(line, SCHEMA)
    missing = _command("task.py", "nobody.cpp", "--chip", CHIP, cwd=tmp_path)
    assert missing.returncode == 2 and missing.stdout == "invalid: nobody.cpp: No such file or directory\n"
    assert _command("task.py", "x.cpp", "--memory", "much", cwd=tmp_path).returncode == 2
