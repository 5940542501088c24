# SPDX-License-Identifier: Apache-2.0
"""The page of a timeline: what it holds of the critical path, of the shares of pipes, of causes and of findings, against
sums over its own slices; and, where node is installed, what its scripts do with it."""

from __future__ import annotations

import base64
import json
import re
import shutil
import struct
import subprocess
import zlib
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import sfumato

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples"
ROWS = ("SCALAR", "VECTOR", "CUBE", "MTE1", "MTE2", "MTE3", "FIXP", "FLOWCTRL")
PIPES = ("S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX")  # of the estimate, in the order of ROWS
KINDS = ("record", "wait", "barrier", "call", "never satisfied", "not executed", "fault")
WORDS = ("core", "gap", "length", "name", "file", "line", "record", "details", "bytes", "note", "after", "causes")
NODE = shutil.which("node")


@dataclass
class Slice:
    number: int
    core: int
    row: str
    kind: str
    begin: float  # in units of the timeline
    end: float
    name: str
    line: int
    record: int
    bytes: int
    note: str
    after: int  # number of a slice; 0: none
    causes: set[str]


class Page:
    """Read by the layout of src/trace/html_timeline.cpp."""

    def __init__(self, path: Path):
        text = path.read_text(encoding="utf-8")
        self.facts = json.loads(re.search(r'id="facts">([^<]*)</script>', text)[1])
        self.slices: list[Slice] = []
        self._ends, self._record = defaultdict(int), 0
        for chunk in re.findall(r'<script type="application/x-sfumato">([^<]*)</script>', text):
            self._read(zlib.decompress(base64.b64decode(chunk)))

    def _read(self, data: bytes) -> None:
        at = 0

        def words(count, letter="I"):
            nonlocal at
            values = struct.unpack_from(f"<{count}{letter}", data, at)
            at = (at + struct.calcsize(f"<{count}{letter}") + 3) & ~3
            return values

        texts, slices, arrows = words(3)
        ends = words(texts)
        columns = {name: words(slices) for name in WORDS}
        rows, kinds = words(slices, "B"), words(slices, "B")
        for letter in "IIiiIBB":
            words(arrows, letter)
        begins = (0, *ends)
        strings = [data[at + begins[i] : at + ends[i]].decode() for i in range(texts)]
        ticks = self.facts["ticks"]
        for i in range(slices):
            c = {name: column[i] for name, column in columns.items()}
            place = c["core"], rows[i]
            begin = self._ends[place] + struct.unpack("<i", struct.pack("<I", c["gap"]))[0]
            self._ends[place] = begin + c["length"]
            self._record += struct.unpack("<i", struct.pack("<I", c["record"]))[0]
            number = len(self.slices) + 1
            causes = {name for bit, name in enumerate(self.facts["causes"]) if c["causes"] >> bit & 1}
            row = ROWS[rows[i]] if rows[i] < len(ROWS) else "CALLS"
            after = number - c["after"] if c["after"] else 0
            self.slices.append(
                Slice(
                    *(number, c["core"], row, KINDS[kinds[i]], begin / ticks, self._ends[place] / ticks),
                    *(strings[c["name"]], c["line"], self._record, c["bytes"], strings[c["note"]], after, causes),
                )
            )

    def path(self) -> list[Slice]:
        found, number = [], self.facts["last"]
        while number:
            found.append(self.slices[number - 1])
            number = found[-1].after
        return found[::-1]


def runs(page: Path, *expressions: str) -> list:
    """What the page's scripts make of these."""
    done = subprocess.run(["node", HERE / "page_view.js", page, *expressions], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def timed(tmp_path_factory):
    """A double-buffered kernel on four cores, in estimated time."""
    path = tmp_path_factory.mktemp("page") / "timed.html"
    lib = sfumato.compile(EXAMPLES / "basics/double_buffering.cpp", chip="Ascend910B1")
    x = np.arange(4 * 5120, dtype=np.float32)
    estimate = lib.with_flags[4].options(trace=path, time=True)(x, np.zeros_like(x), 5120).estimate
    return path, Page(path), estimate.data


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """A kernel with a misaligned Cast: with an estimate, and without."""
    folder = tmp_path_factory.mktemp("stopped")
    lib = sfumato.compile(EXAMPLES / "wrong/cast_misaligned.cpp", chip="Ascend910B1")
    x = np.arange(512, dtype=np.float16)
    for name, time in (("timed", True), ("steps", None)):
        with pytest.raises(sfumato.KernelError, match="ub-alignment"):
            lib.cast_misaligned[1].options(trace=folder / f"{name}.html", time=time)(x, np.zeros(512, np.int32))
    return folder


def test_the_critical_path_spends_what_the_estimate_says(timed):
    _, page, estimate = timed
    assert page.facts["time"] == estimate
    path = page.path()
    assert len(path) > 5
    assert path[-1] is max(path, key=lambda s: s.end)
    for before, next in zip(path, path[1:], strict=False):
        assert next.begin >= before.end - 0.2
    ends = max(s.end for s in page.slices if s.kind == "record")
    assert path[-1].end == ends <= estimate["cycles"] + 1
    spent, said = defaultdict(float), defaultdict(float)
    for s in path:
        assert s.kind == "record"
        spent[PIPES[ROWS.index(s.row)]] += (s.end - s.begin) / estimate["megahertz"]
    for part in estimate["critical_path"]:
        if part["cause"] in ("work", "head", "bank conflicts", "sharing"):
            said[part["pipe"]] += part["us"]
    assert dict(spent) == pytest.approx(dict(said), abs=0.002)


def test_shares_are_sums_over_slices(timed):
    _, page, estimate = timed
    assert [use["core"] for use in page.facts["uses"]] == [0, 1, 2, 3]
    means = defaultdict(lambda: np.zeros(2))
    for use in page.facts["uses"]:
        for row, name in enumerate(ROWS[:7]):
            of_row = [s for s in page.slices if (s.core, s.row) == (use["core"], name)]
            means[PIPES[row]] += np.array([use["busy"][row], use["waiting"][row]]) / 4
            assert use["busy"][row] + use["waiting"][row] <= use["end"] - use["begin"] + 1e-6
            if name == "SCALAR":
                continue
            # Busy from the beginning of a slice until what it loads is there.
            busy, until = 0.0, 0.0
            for s in of_row:
                if s.kind == "record":
                    late = re.search(r"seen ([\d.]+) later", s.note)
                    done = s.end + (float(late[1]) if late else 0)
                    busy += max(0.0, done - max(s.begin, until))
                    until = max(until, done)
            assert use["busy"][row] == pytest.approx(busy, abs=len(of_row) * 0.15)
            idle_or_loading = sum(s.end - s.begin for s in of_row if s.kind == "wait")
            assert use["waiting"][row] <= idle_or_loading + len(of_row) * 0.15
    said = {p["pipe"]: [p["busy_us"], p["waiting_us"]] for p in estimate["pipes"]}
    for pipe, mean in means.items():
        assert mean / estimate["megahertz"] == pytest.approx(said.get(pipe, [0, 0]), abs=1e-3), pipe


def test_slices_name_the_causes_of_the_hints(timed):
    _, page, estimate = timed
    work = [s for s in page.slices if s.kind == "record"]
    assert {h["name"] for h in estimate["hints"]} <= set(page.facts["causes"])
    small = [s for s in work if "copies too small" in s.causes]
    assert small == [s for s in work if s.row in ("MTE2", "MTE3") and s.bytes < 16384]
    assert f"{len(small)} of 40 copies" in next(
        h["found"] for h in estimate["hints"] if h["name"] == "copies too small"
    )
    assert [s for s in work if "bank conflict" in s.causes] == [s for s in work if "bank conflicts" in s.note]
    assert [s for s in work if "issue-bound" in s.causes] == [s for s in work if "it was issued then" in s.note]
    given_back = [s for s in page.slices if "no overlap" in s.causes]
    assert given_back
    assert all(s.kind == "wait" and s.row in ("MTE2", "VECTOR") for s in given_back)


def test_a_fault_stands_behind_what_its_core_did(stopped):
    for name in ("timed", "steps"):
        page = Page(stopped / f"{name}.html")
        (fault,) = (s for s in page.slices if s.kind == "fault")
        assert (fault.row, fault.name, fault.line) == ("SCALAR", "ub-alignment", 25)
        done = [s for s in page.slices if s.kind == "record"]
        assert [s.name for s in done] == ["DataCopy", "Cast"]
        assert fault.begin >= max(s.end for s in done)
        assert "a multiple of 32" in fault.note
        assert page.facts["time"] is None
        assert page.facts["findings"][0]["text"] == fault.note


@pytest.mark.skipif(not NODE, reason="node is not installed")
def test_hints_lead_to_the_slices_they_are_about(timed):
    path, page, estimate = timed
    hits = "[...view.hits].flatMap(([row, hits]) => [...hits].map((i) => numberOf(row, i))).sort((a, b) => a - b)"
    for at, hint in enumerate(estimate["hints"]):
        cards = "element('list').children.filter((c) => c.className === 'card')"
        clicked = f"(() => {{ {cards}[{at}].onclick(); return view.picked.line; }})()"
        text, line, marked, pressed = runs(
            path, f"{cards}[{at}].textContent", clicked, hits, f"{cards}.map((c) => c.attributes['aria-pressed'])"
        )
        assert hint["found"] in text
        assert hint["advice"] in text
        assert marked == [s.number for s in page.slices if hint["name"] in s.causes]
        assert hint["line"] in (None, line)
        assert pressed == [str(i == at).lower() for i in range(len(estimate["hints"]))]


@pytest.mark.skipif(not NODE, reason="node is not installed")
def test_a_hint_about_the_whole_launch_leads_to_its_end(timed):
    path, page, _ = timed
    hint = "{ name: 'uneven cores', line: null }"
    number, marked, said = runs(
        path,
        f"(() => {{ const s = showHint({hint}); return numberOf(s.row, s.i); }})()",
        "view.hits",
        "element('hits').textContent",
    )
    assert (number, marked, said) == (page.path()[-1].number, None, "uneven cores: the whole launch")


@pytest.mark.skipif(not NODE, reason="node is not installed")
def test_the_page_shows_the_path_the_shares_and_labelled_sums(timed):
    path, page, estimate = timed
    ways, shown, off, pipes, parts, lines, head = runs(
        path,
        "data.path.map((p) => numberOf(p.row, p.i))",
        "view.lines[0].path && !element('path').hidden",
        "togglePath(), view.lines.some((l) => l.path)",
        "openTab('Pipes'), element('list').textContent",
        "openTab('Critical path'), element('list').textContent",
        "openTab('Lines'), element('list').textContent",
        "factsLine()",
    )
    assert ways == [s.number for s in page.path()]
    assert (shown, off) == (True, False)
    for pipe in estimate["pipes"]:
        busy, waiting = pipe["share"], pipe["waiting_us"] / estimate["core_us"]
        if min(busy, waiting, 1 - busy - waiting) > 0.01:
            whole = " / ".join(str(round(100 * part)) for part in (busy, waiting, 1 - busy - waiting))
            assert f"{whole} " in pipes[pipes.index("mean of 4 aiv") :]
    share = round(100 * sum(p["share"] for p in estimate["critical_path"] if p["pipe"] == "MTE2"))
    assert f"MTE2 {share} %" in parts
    assert "busy, sum over 4 cores" in lines
    assert "can be more than the core time of the launch" in lines
    assert "4 blocks on 4 cores: core time" in head


@pytest.mark.skipif(not NODE, reason="node is not installed")
def test_findings_have_a_flag_where_they_happened(stopped, tmp_path):
    stand = "findingPlaces().map((s) => [s.core, rowName(s.row), s.at / data.facts.ticks, s.slice && s.slice.name])"
    for name in ("timed", "steps"):
        page = Page(stopped / f"{name}.html")
        (fault,) = (s for s in page.slices if s.kind == "fault")
        places, said = runs(
            stopped / f"{name}.html",
            stand,
            "showFinding(data.facts.findings[0]), element('about').textContent",
        )
        assert places == [[0, "SCALAR", fault.begin, "ub-alignment"]]
        assert "found:  src: byte offset 514 in UB" in said
        assert "cast_misaligned.cpp:25" in said
    # A warning stands at its instruction, one of several.
    source = tmp_path / "unwritten.cpp"
    source.write_text(UNWRITTEN)
    lib, path = sfumato.compile(source, chip="Ascend910B1"), tmp_path / "unwritten.html"
    with pytest.warns(sfumato.KernelWarning, match="uninitialised-read"):
        lib.unwritten[1].options(trace=path, check="init")(np.zeros(128, np.float32))
    page = Page(path)
    (finding,) = page.facts["findings"]
    (about,) = (s for s in page.slices if (s.row, s.kind) == ("MTE3", "record"))
    assert (finding["line"], finding["index"]) == (about.line, about.record)
    assert runs(path, stand) == [[[0, "MTE3", about.begin, "DataCopy"]]]


@pytest.mark.skipif(not NODE, reason="node is not installed")
def test_what_slices_say_has_room(timed, tmp_path):
    """With letters of 7 pixels: texts that are too long are cut, and what a picked finding says stands behind its slice's."""
    measured = "pen.measureText = (text) => ({ width: 7 * text.length }), widths.clear(), 0"
    label = "(name, wide) => labelOf(KIND.record, name, 300, 300 + wide)"
    _, labels, never = runs(
        timed[0],
        measured,
        f"[100, 60, 40, 30, 25, 24].map((wide) => ({label})('CrossCore', wide))",
        "labelOf(KIND.never, 'WaitFlag', 300, 500).text",
    )
    assert labels == [
        {"text": "CrossCore", "left": 304, "right": 367},
        {"text": "CrossC\u2026", "left": 304, "right": 353},
        {"text": "Cro\u2026", "left": 304, "right": 332},
        {"text": "Cr\u2026", "left": 304, "right": 325},
        None,
        None,
    ]
    assert never == "WaitFlag: never satisfied"
    # Of every text of the picture its line, its beginning and its end: no two meet.
    drawn = """(() => {
        const seen = [];
        pen.fillText = (text, x, y) => {
            if (pen.textAlign === "left" && x > GUTTER + 3) seen.push([y, x, x + 7 * text.length, text]);
        };
        drawNow();
        return seen;
    })()"""
    lib, stuck = sfumato.compile(EXAMPLES / "wrong/buffer_kept.cpp", chip="Ascend910B1"), tmp_path / "stuck.html"
    x = np.zeros(4096, np.float32)
    with pytest.raises(sfumato.KernelError, match="wait-never-satisfied"):
        lib.squares[1].options(trace=stuck)(x, x.copy())
    for page, text in ((stuck, "wait-never-satisfied"), (timed[0], "DataCopy")):
        _, texts = runs(page, measured, drawn)
        assert text in [seen[3] for seen in texts]
        lines = defaultdict(list)
        for seen in texts:
            lines[seen[0]].append(seen[1:])
        for found in lines.values():
            found.sort()
            for i in range(1, len(found)):
                assert found[i - 1][1] <= found[i][0], found


UNWRITTEN = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void unwritten(GM_ADDR out) {
    GlobalTensor<float> y;
    y.SetGlobalBuffer((__gm__ float*)out, 128);
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 1024);
    LocalTensor<float> a = buffer.Get<float>(64), b = buffer.GetWithOffset<float>(64, 256);
    Duplicate(b, 1.0f, 64);
    PipeBarrier<PIPE_V>();
    Adds(b, a, 1.0f, 64);  // nobody wrote a
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(y, b, 64);
}
"""
