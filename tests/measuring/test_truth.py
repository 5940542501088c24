# SPDX-License-Identifier: Apache-2.0
"""docs/truth.md: the points counted again, every call on it, its figures computed again in part."""

import re
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from sfumato.measuring import _calls

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tools" / "docs"))
import truth  # noqa: E402
import truth_tables  # noqa: E402

PAGE = (ROOT / "docs" / "truth.md").read_text(encoding="utf-8")

# No real result, or one that is moved, chosen or compared.
WITHOUT = set(
    "Not And Or ShiftLeft ShiftRight Duplicate Compare Compares vcmp Select SetCmpMask GetCmpMask VectorPadding Brcb "
    "CreateVecIndex Gather Gatherb Scatter GatherMask Copy vcbd DataCopy DataCopyPad nd2nz nz2nd tensor_mov BroadCastVecToMM "
    "Fill LoadData LoadDataWithTranspose load3dv1 load3dv2 Transpose TransDataTo5HD v4dtrans ProposalConcat ProposalExtract "
    "RpSort16 Sort32 MrgSort4 MrgSort SetValue SetFlag WaitFlag PipeBarrier CrossCoreSetFlag CrossCoreWaitFlag "
    "asc_vf_call nddma dn2nz".split()
)
OTHER_NAMES = {"vexpm1": "vec_expm1", "vpowers": "Power with a scalar", "vspower": "Power with a scalar"}
# High-level calls that are exact, or parts of one that is on the page.
WITHOUT_CALLS = set(
    "REGIST_MATMUL_OBJ Iterate GetTensorC IterateBatch Xor AdjustSoftMaxRes ReduceMax ReduceMin ReduceAny ReduceAll ReduceXorSum "
    "BroadCast SelectWithBytesMask TopK ConfusionTranspose Pad UnPad Hccl Concat Extract Sort ArithProgression".split()
)


def tables():
    """Rows of cells by heading."""
    found = {}
    for part in PAGE.split("\n## ")[1:]:
        lines = [line for line in part.splitlines() if line.startswith("| ")]
        found[part.splitlines()[0]] = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[1:]]
    return found


def raw(name):
    lines = [
        line.split("\t")
        for line in (ROOT / "tests/data" / name).read_text(encoding="utf-8").splitlines()
        if line[0] != "#"
    ]
    return [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]


def test_the_page_is_that_of_the_data():
    assert truth.page() == PAGE, "build the target truth-page"


def test_the_points_are_counted_again():
    """By other means than the page's: bits and decimals of what Sfumato gives, as tests/python/test_points.py wrote it."""
    given = {row["id"]: int(row["bits"], 16) for row in raw("board_points_given.tsv")}
    count, right = Counter(), Counter()
    for row in raw("board_points.tsv"):
        if not row["low"]:
            continue
        kind = "goldens" if row["from"] == "golden" else "pages" if "unknown" in row["from"] else "devices"
        bits = given.pop(row["id"])
        same = int(row["low"], 16) <= bits <= int(row["high"], 16)
        if kind == "goldens" and row["type"] == "float" and not same:
            sign, exponent, fraction = bits >> 31, bits >> 23 & 255, bits & 0x7FFFFF
            value = (-1) ** sign * ((1 << 23) + fraction) * 2.0 ** (exponent - 150)
            same = abs(value - float(row["printed"])) < 5.0000001e-9
        for key in (kind, (row["call"], row["type"], kind)):
            count[key] += 1
            right[key] += same
    assert not given
    assert [(right[kind], count[kind]) for kind in ("devices", "pages", "goldens")] == [
        (24, 24),
        (134, 134),
        (166, 205),
    ]
    sums = "of devices 24 of 24, of pages without an origin 134 of 134, goldens of CPUs 166 of 205. Of 21 figures"
    assert sums in PAGE
    # Each cell: the points of a call and type are those of its chips, or of all.
    found = Counter()
    for call, name, _chips, *cells in tables()["Elementwise calls"]:
        for kind, cell in zip(("devices", "pages", "goldens"), cells, strict=False):
            if cell != "-":
                found[call, name, kind, cell] += 1
    for (call, name, kind, cell), _ in found.items():
        assert cell == f"{right[call, name, kind]} of {count[call, name, kind]}" or call in ("Rsqrt", "Reciprocal")
    assert {key[:3] for key in found} == {key for key in count if isinstance(key, tuple) and key[0] in _calls.CALLS}
    chips = {(call, name, kind): cells for call, name, kind, *cells in tables()["Elementwise calls"]}
    assert [chips["Rsqrt", name, "910"][0] for name in ("half", "float")] == ["10 of 10", "-"]
    assert chips["Rsqrt", "float", "910B"][0] == "1 of 1" and chips["Reciprocal", "half", "910B"][1] == "1 of 1"
    assert [chips["Reciprocal", name, "910"][0] for name in ("half", "float")] == ["5 of 5"] * 2


def test_a_point_of_a_device_that_does_not_come_out(monkeypatch):
    """It is on the page with its reason, and without one there is no page."""
    points, aggregates, given = truth._points()
    monkeypatch.setattr(truth, "_points", lambda: (points, aggregates, {**given, "rec-h-0": "b079"}))
    with pytest.raises(SystemExit, match="rec-h-0, .*: c727 gives b078, here b079: .* gives no reason"):
        truth.page()
    monkeypatch.setitem(truth_tables.POINTS, "rec-h-0", "another board")
    row = "| Reciprocal | half | Ascend310/910 era page: c727 gives b078, here b079 | another board |"
    assert row in truth.page()
    assert "1 points of devices or pages are not reproduced." in truth.page()


def test_every_figure_of_a_board_has_a_verdict():
    aggregates = [row["id"] for row in raw("board_points.tsv") if not row["low"]]
    assert set(aggregates) == set(truth_tables.FIGURES) and len(aggregates) == 21
    verdicts = Counter(row[4] for row in tables()["Figures of boards over many operands"])
    assert verdicts == {"reproduced": 8, "not reproduced": 4, "cannot be asked": 9}


def test_every_call_with_a_real_result_is_on_the_page():
    instructions = tomllib.loads((ROOT / "chips" / "behaviours.toml").read_text(encoding="utf-8"))["instruction"]
    listed = re.split(r", | of TIK", ", ".join(row[0] for row in truth_tables.INSTRUCTIONS))
    shown = {OTHER_NAMES.get(row["name"], row["name"]) for row in instructions} - WITHOUT
    assert shown <= set(_calls.CALLS) | set(listed), "no row in tools/docs/truth_tables.py"
    calls = tomllib.loads((ROOT / "chips" / "calls.toml").read_text(encoding="utf-8"))["call"]
    of_steps = {row[0].removesuffix(" with taylorExpandLevel") for row in tables()["Calls of many elements"]}
    # Exp is an instruction and a call.
    rest = {row["name"] for row in calls} - set(_calls.CALLS) - of_steps - set(listed)
    assert rest <= WITHOUT_CALLS


def test_types_by_chip_are_those_of_the_table_of_support():
    """Of the instructions; the high-level calls have those of their pages (test_measure.py runs each)."""
    rows = [
        line.split(" | ")
        for line in (ROOT / "docs/support.md").read_text(encoding="utf-8").splitlines()
        if "](" in line
    ]
    chips = _calls.CHIPS
    known = 0
    for cells in rows:
        for name in re.findall(r"\[([\w ,()]+)\]\(", cells[0]):
            if name not in _calls.CALLS:
                continue
            known += 1
            for chip, types in zip(chips, cells[1:], strict=True):
                legal = {one for one in ("half", "float") if one in re.split(r"[ ,|]+", types)}
                assert legal == {one for one in ("half", "float") if chip in _calls.CALLS[name].chips(one)}, (
                    name,
                    chip,
                )
    assert known > 35


SOME = {
    ("Exp", "half"),
    ("Rsqrt", "half"),
    ("Rsqrt", "float"),
    ("Div", "float"),
    ("Tanh", "float"),
    ("Sigmoid", "half"),
}


def test_figures_computed_again():
    """Some of them, on every family; the target truth-figures computes all."""
    found = truth.figures(wanted=lambda call, name: (call, name) in SOME)
    kept = [row for row in truth.read("ulp.tsv") if (row["call"], row["type"]) in SOME]
    for row in (
        found + kept
    ):  # of errors that are all but equal another may be the largest, by the functions of the machine
        row.update(at="", given="", exact="")
    assert found == kept


def test_the_page_shows_what_the_command_prints(capsys):
    from sfumato.measuring import _command

    assert _command.main(["Rsqrt", "half", "Ascend910B1"]) == 0
    assert capsys.readouterr().out in PAGE
