# SPDX-License-Identifier: Apache-2.0
"""coverage=: the counts of lines and branches, by loops of this file's own over the same inputs; readers of others read them."""

import os
import shutil
import subprocess
import sys
import textwrap
from xml.etree import ElementTree

import numpy as np
import pytest

import sfumato

CHIP = "Ascend910B1"
SOURCE = """#include "kernel_operator.h"
#include "part.h"

template <bool kDouble>
__aicore__ inline float Times(float x) {
    if constexpr (kDouble) {
        return x * 2;
    }
    return x;
}

extern "C" __global__ __aicore__ void pick(__gm__ float* x, __gm__ float* y, uint32_t count, uint32_t mode) {
    for (uint32_t i = AscendC::GetBlockIdx(); i < count; i += AscendC::GetBlockNum()) {
        float v = x[i];
        if (mode == 1 && v > 2) {
            v = Times<true>(v);
        } else if (mode == 2) {
            v = Times<false>(v) + Part(v);
        }
        y[i * 16] = v;
    }
}

extern "C" __global__ __aicore__ void faulty(__gm__ float* x, __gm__ float* y) {
    AscendC::TPipe pipe;
    AscendC::TBuf<> buffer;
    pipe.InitBuffer(buffer, 1 << 30);
    y[0] = x[0];
}
"""
PART = """#pragma once
__aicore__ inline float Part(float v) {
    if (v > 1) return 1;
    return 0;
}
"""
X = np.arange(8, dtype=np.float32)
SCRIPT = f"""
import sys
import numpy as np, sfumato
lib = sfumato.compile("pick.cpp", chip={CHIP!r}, coverage=sys.argv[1])
for mode in sys.argv[2]:
    lib.pick[2].options(isolated="isolated" in sys.argv)(np.arange(8, dtype=np.float32), np.zeros(128, np.float32), 8, int(mode))
"""


def expected(modes, lines):
    """{line: count} of some lines of pick.cpp, and of the branches of line 15 taken and not, for launches in these modes."""
    counts = dict.fromkeys(lines, 0)
    for mode in modes:
        for v in X:
            counts["value"] += 1
            counts["doubled"] += mode == 1 and v > 2
            counts["single"] += mode == 2
            counts["one"] += mode == 2 and v > 1
    return counts


LINES = {"value": 14, "doubled": 16, "single": 18}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "pick.cpp").write_text(SOURCE)
    (tmp_path / "part.h").write_text(PART)
    (tmp_path / "script.py").write_text(SCRIPT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words, **environment):
    done = subprocess.run(
        [sys.executable, "script.py", *words],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and not done.stderr, done.stderr


def read(path):
    """{file: ({line: count}, {line: [times each branch was taken]})} of a tracefile."""
    found = {}
    for row in path.read_text().splitlines():
        key, _, value = row.partition(":")
        if key == "SF":
            lines, branches = found[os.path.basename(value)] = {}, {}
        elif key == "DA":
            number, count = value.split(",")
            assert int(number) not in lines
            lines[int(number)] = int(count)
        elif key == "BRDA":
            number, _, _, taken = value.split(",")
            branches.setdefault(int(number), []).append(None if taken == "-" else int(taken))
    return found


def check(path, modes):
    want = expected(modes, ("value", "doubled", "single", "one"))
    found = read(path)
    assert set(found) == {"pick.cpp", "part.h"}
    lines, branches = found["pick.cpp"]
    assert {name: lines[number] for name, number in LINES.items()} == {name: want[name] for name in LINES}
    # Both blocks of a launch run the loop to its end once.
    assert sorted(branches[13]) == sorted([want["value"], 2 * len(modes)])
    assert sum(branches[17]) == want["value"] - want["doubled"] and want["single"] in branches[17]
    ones = [want["one"], want["single"] - want["one"]] if want["single"] else [None, None]
    assert sorted(found["part.h"][1][3], key=str) == sorted(ones, key=str)


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_counts_add_up_over_launches_and_processes(folder, compiler):
    path = shutil.which(compiler)
    reader = "llvm-cov" if compiler == "clang++" else "gcov"
    if not path or not shutil.which(reader):
        pytest.skip(f"there is no {compiler}, or no {reader}")
    environment = {"SFUMATO_CXX": path}
    run("k.info", "10", **environment)
    check(folder / "k.info", [1, 0])
    run("k.info", "22", "isolated", **environment)
    check(folder / "k.info", [1, 0, 2, 2])
    jobs = [
        subprocess.Popen([sys.executable, "script.py", "k.info", "12"], env={**os.environ, **environment})
        for _ in range(3)
    ]
    assert [job.wait() for job in jobs] == [0, 0, 0]
    check(folder / "k.info", [1, 0, 2, 2, *[1, 2] * 3])
    assert sorted(path.name for path in folder.iterdir()) == ["k.info", "part.h", "pick.cpp", "script.py"]


def test_faults_and_checks_count_too(folder):
    (folder / "script.py").write_text(
        textwrap.dedent(f"""
        import numpy as np, sfumato
        lib = sfumato.compile("pick.cpp", chip={CHIP!r}, coverage="k.info")
        x, y = np.arange(8, dtype=np.float32), np.zeros(128, np.float32)
        try:
            lib.faulty[1](x, y)
        except sfumato.KernelError:
            lib.pick[2].options(check="raw", warn=False)(x, y, 8, 2)
        """)
    )
    run()
    check(folder / "k.info", [2])
    lines = read(folder / "k.info")["pick.cpp"][0]
    assert (lines[25], lines[27], lines[28]) == (1, 1, 0)


def test_what_a_parent_counted_its_child_does_not_write(folder):
    (folder / "script.py").write_text(
        textwrap.dedent(f"""
        import os, numpy as np, sfumato
        from sfumato import _coverage
        lib = sfumato.compile("pick.cpp", chip={CHIP!r}, coverage="k.info")
        def launch(mode):
            lib.pick[2].options(workers=1)(np.arange(8, dtype=np.float32), np.zeros(128, np.float32), 8, mode)
        launch(1)
        child = os.fork()
        if child == 0:
            launch(2)
            _coverage.write()
            os._exit(0)
        os.waitpid(child, 0)
        """)
    )
    run()
    check(folder / "k.info", [1, 2])


def test_cobertura(folder):
    run("k.xml", "1")
    check(folder / "k.info", [1])
    root = ElementTree.parse(folder / "k.xml").getroot()
    assert root.find("sources/source").text == str(folder)
    found = {}
    for one in root.iter("class"):
        found[one.get("filename")] = {int(line.get("number")): line for line in one.iter("line")}
    lines, branches = read(folder / "k.info")["pick.cpp"]
    assert {number: int(line.get("hits")) for number, line in found["pick.cpp"].items()} == lines
    for number, line in found["pick.cpp"].items():
        taken = branches.get(number)
        share = line.get("condition-coverage")
        assert (share is None) == (taken is None)
        assert taken is None or share.endswith(f"({sum(map(bool, taken))}/{len(taken)})")


@pytest.mark.parametrize(
    "words",
    [
        ["lcov", "--summary", "k.info", "--rc", "lcov_branch_coverage=1"],
        ["gcovr", "--cobertura-add-tracefile", "k.xml"],
    ],
)
def test_other_programs_read_it(folder, words):
    if not shutil.which(words[0]):
        pytest.skip(f"there is no {words[0]}")
    run("k.xml", "1")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    lines = {number: count for one in read(folder / "k.info").values() for number, count in enumerate(one[0].values())}
    assert done.returncode == 0 and lines, done.stderr
    ran, all_lines = (
        sum(f(one[0].values()) for one in read(folder / "k.info").values()) for f in (lambda v: sum(map(bool, v)), len)
    )
    assert f"{ran} of {all_lines} lines" in done.stdout or f"{all_lines:7}  {ran:7}" in done.stdout, done.stdout


def test_a_file_that_cannot_be_written(folder):
    (folder / "k.info").mkdir()
    lib = sfumato.compile("pick.cpp", chip=CHIP, coverage="k.info")
    lib.pick[2](X, np.zeros(128, np.float32), 8, 1)
    with pytest.raises(sfumato.Error, match="coverage: .*k.info cannot be written: Is a directory"):
        sfumato._coverage.write()
    sfumato._coverage._watched.clear()


def test_the_plugin(folder):
    (folder / "test_pick.py").write_text(
        textwrap.dedent("""
        import numpy as np
        import pytest

        @pytest.mark.parametrize("mode", [1, 2])
        def test_pick(sfumato_kernel, mode):
            sfumato_kernel("pick.cpp", "pick")[2](np.arange(8, dtype=np.float32), np.zeros(128, np.float32), 8, mode)
        """)
    )
    (folder / "k.info").write_text("TN:\nSF:old.cpp\nDA:1,1\nend_of_record\n")
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "sfumato_pytest",
        "--sfumato-coverage=k.info",
    ]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "2 passed" in done.stdout, done.stdout + done.stderr
    check(folder / "k.info", [1, 2])
