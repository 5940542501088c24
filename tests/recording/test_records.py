# SPDX-License-Identifier: Apache-2.0
"""Records that are imported: what is written, what is refused and with which words."""

import hashlib
import json
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import numpy as np
import pytest
from conftest import COMMAND, SOC, run
from pinned import Pinned
from sfumato.recording._probes import probes

PINNED = Pinned(__file__, "refused")
CALLS = {"exp": "Exp", "ln": "Ln", "sqrt": "Sqrt", "rsqrt": "Rsqrt", "rec": "Reciprocal"}


def manifest(folder, contributor="A. Volunteer"):
    """By the kit's own script, as on a board."""
    words = [contributor, "--toolkit", "8.5.0", "--driver", "25.2.0"]
    done = subprocess.run(
        [sys.executable, "manifest.py", *words], cwd=folder, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == f"send ./record-{SOC}.tar.gz"
    return folder / f"record-{SOC}.tar.gz"


@pytest.fixture
def records(tmp_path):
    return tmp_path / "records"


def take(path, records):
    return run(*COMMAND, "record", "import", path, SFUMATO_RECORDS=str(records))


def refused(name, path, records, tmp_path):
    """The report is the pinned one, and nothing was written."""
    before = sorted(records.rglob("*"))
    code, printed, said = take(path, records)
    assert (code, printed) == (2, "")
    assert sorted(records.rglob("*")) == before
    said = re.sub("[0-9a-f]{64}", "HASH", said.rstrip("\n").replace(str(tmp_path), "TMP"))
    assert said == PINNED.text(name, said)


def test_an_archive_names_nobody(copy):
    with tarfile.open(manifest(copy())) as archive:
        assert {(e.uid, e.gid, e.uname, e.gname, e.mtime) for e in archive} == {(0, 0, "", "", 0)}


def test_an_archive_is_imported_and_listed(copy, records):
    folder = copy("mmad_order=k0-block,estimate=exact,div=away")
    code, printed, said = take(manifest(folder), records)
    assert (code, said) == (0, "")
    place = records / SOC
    settings = "--mmad-order k0-block, --estimate exact, --div away"
    assert printed == f"{place}: 5 tables of half, {settings}\n"
    numerics = json.loads((place / "numerics.json").read_text())
    assert numerics["settings"] == {"mmad-order": "k0-block", "estimate": "exact", "div": "away"}
    assert {key: numerics[key] for key in ("format", "soc", "probes", "overflow", "contributor", "licence")} == {
        "format": 1, "soc": SOC, "probes": "probes-1", "overflow": "infnan", "contributor": "A. Volunteer",
        "licence": "CC0-1.0",
    }  # fmt: skip
    assert (numerics["toolkit"], numerics["driver"], numerics["confirmed"]) == ("8.5.0", "25.2.0", [])
    assert numerics["unanswered"] == []
    # Tables: what came back for all halves, in their order, little end first.
    assert set(numerics["tables"]) == set(CALLS.values())
    for function, call in CALLS.items():
        name = numerics["tables"][call]["half"]
        table = (place / name).read_bytes()
        assert len(table) == 2 * 65536
        assert table == (folder / "outputs" / f"{function}-half.bin").read_bytes()
        assert numerics["hashes"][name] == hashlib.sha256(table).hexdigest()
    assert np.frombuffer((place / "sqrt.half.bin").read_bytes(), "<u2")[0x4400] == 0x4000  # the root of 4
    assert sorted(path.name for path in records.iterdir()) == [SOC]
    listed = run(*COMMAND, "record", "list", SFUMATO_RECORDS=str(records))[1]
    words = "mmad-order k0-block, estimate exact, div away"
    assert listed == f"{SOC}: {words}; by A. Volunteer; toolkit 8.5.0, driver 25.2.0, CC0-1.0\n"
    assert json.loads(run(*COMMAND, "record", "list", "--json", SFUMATO_RECORDS=str(records))[1]) == [numerics]
    # The same bits of another board confirm it.
    code, printed, said = take(manifest(folder, "B. Volunteer").parent, records)
    assert (code, said) == (0, "")
    assert printed.splitlines()[-1] == "the same bits as of A. Volunteer: confirmed"
    assert sorted(path.name for path in records.iterdir()) == [SOC]


def test_orders_that_differ_by_type(copy, records):
    """A record whose float sums are those of another order names each."""
    folder = copy()
    blocks = copy("mmad_order=k0-block", name="other")
    for probe in probes():
        if probe.kind == "mmad" and probe.source == "float" and probe.what == "float":
            for ending in ("", ".again"):
                name = f"outputs/{probe.name}{ending}"
                (folder / name).write_bytes((blocks / name).read_bytes())
    assert take(manifest(folder), records)[0] == 0
    numerics = json.loads((records / SOC / "numerics.json").read_text())
    words = "half=sequential+bfloat16=sequential+float=k0-block+hf32=sequential"
    assert numerics["settings"]["mmad-order"] == words


def test_an_envelope_is_no_setting(copy, records):
    folder = copy("div=seed:7")
    assert take(manifest(folder), records)[0] == 0
    numerics = json.loads((records / SOC / "numerics.json").read_text())
    assert numerics["models"]["Div float"] == ["envelope"]
    assert "div" not in numerics["settings"]


def test_where_records_are_kept(tmp_path):
    for variables, place in (
        ({"SFUMATO_RECORDS": str(tmp_path / "a")}, tmp_path / "a"),
        ({"SFUMATO_RECORDS": "", "XDG_DATA_HOME": str(tmp_path / "b")}, tmp_path / "b/sfumato/records"),
        (
            {"SFUMATO_RECORDS": "", "XDG_DATA_HOME": "", "HOME": str(tmp_path)},
            tmp_path / ".local/share/sfumato/records",
        ),
    ):
        assert run(*COMMAND, "record", "list", **variables)[1] == f"no records in {place}\n"


# --- refused --------------------
def edit(folder, name, at=100):
    path = folder / "outputs" / name
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def in_manifest(folder, **fields):
    path = folder / "manifest.json"
    changed = {**json.loads(path.read_text()), **fields}
    path.write_text(json.dumps({key: value for key, value in changed.items() if value is not None}))


def both(folder, name, at=100):
    """The same change in both launches, as of another board."""
    for ending in ("", ".again"):
        if (folder / "outputs" / f"{name}{ending}").exists():
            edit(folder, f"{name}{ending}", at)


def test_records_that_were_spoiled(copy, records, tmp_path):
    """Each way on its own, and the record as it was between them."""
    folder = copy()
    manifest(folder)
    files = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def spoiled(name, change):
        change()
        refused(name, folder, records, tmp_path)
        for path, data in files.items():
            path.write_bytes(data)

    spoiled("edited-output", lambda: edit(folder, "exp-half.bin"))
    spoiled("truncated", lambda: (folder / "outputs" / "ln-grid.bin").write_bytes(b"abc"))
    spoiled("too-long", lambda: (folder / "outputs" / "ln-grid.bin").write_bytes(bytes(1 << 20)))
    spoiled("missing-output", lambda: (folder / "outputs" / "div-noted.bin").unlink())
    spoiled("other-soc", lambda: in_manifest(folder, soc="Ascend910B4"))
    spoiled("stale-manifest", lambda: in_manifest(folder, probes="probes-0"))
    spoiled("no-licence", lambda: in_manifest(folder, licence=None))
    spoiled("another-licence", lambda: in_manifest(folder, licence="proprietary"))
    spoiled("nobodys", lambda: in_manifest(folder, contributor=""))
    spoiled("operators", lambda: in_manifest(folder, kind="torch_npu"))
    spoiled("no-manifest", lambda: (folder / "manifest.json").unlink())
    spoiled("no-JSON", lambda: (folder / "manifest.json").write_text("{"))

    def another_plan():
        plan = folder / "plan.txt"
        plan.write_text(plan.read_text().replace(" rsqrt half", " rec   half", 1))
        manifest(folder)

    spoiled("another-plan", another_plan)

    def of_another_family():
        (folder / "board.txt").write_text((folder / "board.txt").read_text().replace(SOC, "Ascend310P3"))
        subprocess.run([sys.executable, "manifest.py", "A"], cwd=folder, check=True, capture_output=True)

    spoiled("another-family", of_another_family)

    def two_launches():
        edit(folder, "cast-int32_t-float-rint.bin.again")
        manifest(folder)

    spoiled("two-launches-differ", two_launches)

    def two_results():
        edit(folder, "exp-scan.bin", 4 * 11328)  # where the scan begins again, to fill its tile
        manifest(folder)

    spoiled("one-operand-has-two-results", two_results)
    assert take(folder, records)[0] == 0


def test_a_record_against_an_older_one(copy, records, tmp_path):
    folder = copy()
    assert take(manifest(folder), records)[0] == 0
    kept = {path: path.read_bytes() for path in records.rglob("*") if path.is_file()}
    both(folder, "mmad-half-cancel.bin")
    manifest(folder, "B. Volunteer")
    refused("contradicts-an-older-one", folder, records, tmp_path)
    both(folder, "mmad-half-cancel.bin")
    both(folder, "div-noted.bin", 4 * 77)
    manifest(folder, "B. Volunteer")
    refused("contradicts-an-older-quotient", folder, records, tmp_path)
    assert {path: path.read_bytes() for path in records.rglob("*") if path.is_file()} == kept


def test_archives(copy, records, tmp_path):
    archive = manifest(copy())
    cut = tmp_path / "cut.tar.gz"
    cut.write_bytes(archive.read_bytes()[:100_000])
    refused("an-archive-cut-short", cut, records, tmp_path)
    refused("nothing-there", tmp_path / "nowhere", records, tmp_path)
    # Names that lead elsewhere are names of nothing.
    outside = tmp_path / "outside.tar.gz"
    (tmp_path / "evil").write_text("x")
    with tarfile.open(outside, "w:gz") as made:
        made.add(tmp_path / "evil", "../../evil")
    refused("an-archive-of-something-else", outside, records, tmp_path)
    assert not list(Path(tmp_path.parent.parent).glob("evil"))


def test_without_a_name(copy, tmp_path):
    folder = copy()
    code, printed, said = run(*COMMAND, "record", "manifest", folder)
    said = said.rstrip("\n").replace(str(tmp_path), "TMP")
    assert (code, printed) == (2, "")
    assert said == PINNED.text("no-contributor", said)
    code, printed, said = run(*COMMAND, "record", "manifest", folder, "--contributor", "C", "--driver", "none")
    assert (code, said) == (0, "")
    assert printed == f"soc: {SOC}\ntoolkit: unknown\ndriver: none\ncontributor: C\nlicence: CC0-1.0\n"
    assert take(folder, tmp_path / "records")[0] == 0
