# SPDX-License-Identifier: Apache-2.0
"""Records that this machine keeps, for --numerics: one folder for each soc, with numerics.json and its tables."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ._digest import Digest, of_record
from ._kit import Record
from ._matrices import UNIT
from ._numbers import bits_of
from ._probes import CALLS, FUNCTIONS, VERSION, Probe, arrays, plan, probes
from ._refusal import Refused

LICENCE = "CC0-1.0"
_FIELDS = ("format", "kind", "soc", "probes", "toolkit", "driver", "contributor", "licence", "hashes")
_AGAIN = "pack the record again on the machine where it was made: python3 manifest.py NAME"


@dataclass(frozen=True)
class Imported:
    folder: Path
    digest: Digest
    numerics: dict
    again: bool  # the same bits were there already


def import_record(path: Path, records: Path, products: Collection[str]) -> Imported:
    """Checks a record and writes <records>/<soc>. products: what the kit is for. Raises Refused and OSError."""
    record = Record(Path(path))
    manifest = _manifest(record, products)
    _check_files(record, manifest)
    _check_launches(record)
    folder = records / manifest["soc"]
    confirmed = _check_older(record, folder, manifest)
    digest = of_record(record)
    tables = _tables(record)
    numerics = _numerics(manifest, digest, tables, confirmed)
    files = {f"record/{name}": record.read(name) for name in ("manifest.json", *manifest["hashes"])}
    files |= {name: bits_of(table).astype("<u2").tobytes() for name, table in tables.items()}
    files["numerics.json"] = (json.dumps(numerics, indent=1) + "\n").encode()
    _replace(folder, files)
    return Imported(folder, digest, numerics, bool(confirmed))


def known(records: Path) -> list[dict]:
    """numerics.json of each record that is kept, in the order of their names."""
    found = []
    for file in sorted(records.glob("*/numerics.json")):
        try:
            found.append(json.loads(file.read_text(encoding="utf-8")))
        except ValueError as error:
            raise Refused(
                "a record that is kept here cannot be read",
                where=str(file), found=str(error), legal="what import wrote",
                do=f"delete {file.parent} and import the record again",
            ) from None  # fmt: skip
    return found


# --- what is refused --------------------
def _manifest(record: Record, products: Collection[str]) -> dict:
    where = record.where("manifest.json")
    if "manifest.json" not in record.names:
        raise Refused(
            "the record has no manifest", where=where, found="no such file", legal="what manifest.py writes", do=_AGAIN
        )
    try:
        manifest = json.loads(record.read("manifest.json"))
    except ValueError as error:
        raise Refused("the manifest cannot be read", where=where, found=str(error), legal="JSON", do=_AGAIN) from None
    lacking = [name for name in _FIELDS if not (isinstance(manifest, dict) and manifest.get(name))]
    if "licence" in lacking or (not lacking and manifest["licence"] != LICENCE):
        raise Refused(
            "the record is not given to all",
            where=where,
            found=f"licence: {manifest.get('licence', 'none') if isinstance(manifest, dict) else 'none'}",
            legal=LICENCE,
            do="ask its contributor; manifest.py writes the licence",
        )
    if lacking:
        raise Refused(
            "the manifest lacks a field", where=where, found=f"no {lacking[0]}", legal=", ".join(_FIELDS), do=_AGAIN
        )
    record.check_version(str(manifest["probes"]), "manifest.json")
    if manifest["kind"] != "instructions":
        raise Refused(
            "the record is of operators, and operators are no instructions",
            where=where,
            found=f"kind: {manifest['kind']}",
            legal="instructions, which record.asc records",
            do="read it by `sfumato record digest`; build record.asc on the board for a record that --numerics can use",
        )
    _check_soc(record, str(manifest["soc"]), products)
    return manifest


def _check_soc(record, soc, products):
    told = record.board().get("soc", "none")
    if soc != told:
        raise Refused(
            "the manifest names another soc than the board did",
            where=record.where("manifest.json"),
            found=f"soc: {soc}",
            legal=f"{told}, as board.txt says",
            do=_AGAIN,
        )
    if soc not in products or not re.fullmatch(r"\w+(-\w+)?", soc):
        raise Refused(
            "the soc is none that the kit is for",
            where=record.where("manifest.json"),
            found=f"soc: {soc}",
            legal=", ".join(products),
            do="record on one of these boards",
        )


def _check_files(record: Record, manifest: dict) -> None:
    """Complete, of the right sizes, with the bytes that the manifest was written of."""
    hashes = manifest["hashes"]
    wanted = {"board.txt": None, "plan.txt": len(plan().encode())}
    for probe in probes():
        for ending in ("", ".again")[: probe.times]:
            wanted[f"outputs/{probe.name}{ending}"] = probe.bytes
    for name, size in wanted.items():
        if name not in record.names or name not in hashes:
            raise Refused(
                "the record lacks a file",
                where=record.where(name),
                found="no such file" if name not in record.names else "no hash of it in manifest.json",
                legal=f"all {len(wanted)} files of {VERSION}",
                do="let ./record run to its end, then manifest.py",
            )
        data = record.read(name)
        if size is not None and len(data) != size:
            raise Refused(
                "a file of the record was cut short" if len(data) < size else "a file of the record is too long",
                where=record.where(name), found=f"{len(data)} bytes", legal=f"{size} bytes",
                do="copy it again, or run ./record again",
            )  # fmt: skip
        found = hashlib.sha256(data).hexdigest()
        if found != hashes[name]:
            raise Refused(
                "a file of the record was changed after its manifest was written",
                where=record.where(name),
                found=f"sha256 {found}",
                legal=f"{hashes[name]}, as manifest.json says",
                do="take the files as ./record wrote them",
            )
    if record.read("plan.txt").decode("utf-8", "replace") != plan():
        raise Refused(
            "the plan is not that of its version", where=record.where("plan.txt"), found="other lines",
            legal=f"the plan of {VERSION}", do="record with a kit as `sfumato record write` lays it",
        )  # fmt: skip


def _first_difference(a: np.ndarray, b: np.ndarray) -> int | None:
    at = np.flatnonzero(bits_of(a) != bits_of(b))
    return int(at[0]) if len(at) else None


def point(probe: Probe, at: int) -> str:
    """A result in words: the call, the element, its operands as bits."""
    if probe.kind in ("mmad", "reduce"):
        return f"element {at} of {probe.name}"
    operands = (bits_of(arrays()[name])[at] for name in probe.inputs)
    return f"element {at} of {probe.name}, operands {', '.join(f'0x{int(bits):x}' for bits in operands)}"


def _differs(record, what, probe, at, a, b, do):
    raise Refused(
        what, where=record.where(f"outputs/{probe.name}"),
        found=f"{point(probe, at)}: 0x{int(bits_of(a)[at]):x} and 0x{int(bits_of(b)[at]):x}",
        legal="the same bits", do=do,
    )  # fmt: skip


def _check_launches(record: Record) -> None:
    """The same operands give the same result: in both launches of a probe, and in each probe of a function."""
    do = "run ./record again; a board whose results change is worth a report of its own"
    seen: dict[tuple[str, str], tuple[np.ndarray, np.ndarray, Probe]] = {}
    for probe in probes():
        result = record.result(probe)
        if probe.times == 2:
            again = record.result(probe, ".again")
            at = _first_difference(result, again)
            if at is not None:
                _differs(record, "the record contradicts itself: two launches differ", probe, at, result, again, do)
        if probe.what not in FUNCTIONS:
            continue
        operands = bits_of(arrays()[probe.inputs[0]])
        known_of = seen.setdefault((probe.what, probe.source), ({}, probe))[0]
        for operand, bits, at in zip(operands.tolist(), bits_of(result).tolist(), range(len(result))):
            if known_of.setdefault(operand, bits) != bits:
                other = np.full_like(bits_of(result), known_of[operand])
                what = "the record contradicts itself: one operand has two results"
                _differs(record, what, probe, at, bits_of(result), other, do)


def _check_older(record: Record, folder: Path, manifest: dict) -> list[str]:
    """Who recorded the same bits before; empty where nobody did."""
    if not (folder / "numerics.json").exists():
        return []
    numerics = json.loads((folder / "numerics.json").read_text(encoding="utf-8"))
    if numerics.get("probes") != VERSION:
        return []
    older = Record(folder / "record")
    for probe in probes():
        a, b = record.result(probe), older.result(probe)
        at = _first_difference(a, b) if b is not None else None
        if at is not None:
            what = f"the record contradicts that of {numerics['contributor']} of the same soc"
            do = (
                f"boards, toolkits ({numerics['toolkit']} then, {manifest['toolkit']} now) or drivers differ: "
                f"find out which, and delete {folder} to take this record in its place"
            )
            _differs(record, what, probe, at, a, b, do)
    return list(dict.fromkeys([*numerics.get("confirmed", []), numerics["contributor"]]))


# --- what is written --------------------
def _tables(record: Record) -> dict[str, np.ndarray]:
    """Half functions by the name of their file: the result's bits by the operand's."""
    named = {f"{function}-half.bin": _table_of(function) for function in FUNCTIONS}
    return {named[probe.name]: record.result(probe) for probe in probes() if probe.name in named}


def _table_of(function: str) -> str:
    return f"{CALLS[function].lower()}.half.bin"


def settings(digest: Digest) -> dict[str, str]:
    """What the options of a launch can say of this record.

    A question gives a setting if one candidate or more survives: all that do are the same function on the probes, which
    tell apart every two candidates that differ at all, so the first of them stands for all.
    """
    made = {}
    kinds = [*UNIT, "hf32"]
    survivors = {kind.removesuffix("_t"): digest.of(f"Mmad order {kind}").survivors for kind in kinds}
    orders = {kind: words[0] for kind, words in survivors.items() if words}
    if len(orders) == len(kinds) and len(set(orders.values())) == 1:
        made["mmad-order"] = next(iter(orders.values()))
    elif orders:
        made["mmad-order"] = "+".join(f"{kind}={order}" for kind, order in orders.items())
    estimates = {
        digest.of(f"{call} {kind}").survivors[:1] for call in ("Rsqrt", "Reciprocal") for kind in ("half", "float")
    }
    if estimates in ({("board",)}, {("exact",)}):
        made["estimate"] = estimates.pop()[0]
    div = digest.of("Div float").survivors
    if div and div[0] in ("nearest", "away", "toward"):
        made["div"] = div[0]
    return made


def _numerics(manifest, digest, tables, confirmed) -> dict:
    policies = digest.of("Exp half, specials").survivors
    files = {name: hashlib.sha256(bits_of(table).astype("<u2").tobytes()).hexdigest() for name, table in tables.items()}
    return {
        "format": 1,
        "soc": manifest["soc"],
        "probes": VERSION,
        "settings": settings(digest),
        "tables": {CALLS[function]: {"half": _table_of(function)} for function in FUNCTIONS},
        "overflow": policies[0] if policies else "unknown",  # the policy under which the tables were recorded
        "models": {answer.question: list(answer.survivors) for answer in digest.answers},
        "unanswered": [answer.question for answer in digest.unanswered],
        "contributor": manifest["contributor"],
        "confirmed": confirmed,
        "licence": manifest["licence"],
        "toolkit": manifest["toolkit"],
        "driver": manifest["driver"],
        "hashes": files,
    }


def _replace(folder: Path, files: dict[str, bytes]) -> None:
    """Writes the folder as a whole beside its place, then puts it there; an older one is gone only then."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    part.chmod(0o755)
    try:
        for name, data in files.items():
            (part / name).parent.mkdir(parents=True, exist_ok=True)
            (part / name).write_bytes(data)
        old = None
        if folder.exists():
            old = Path(tempfile.mkdtemp(prefix=f".{folder.name}-old-", dir=folder.parent))
            os.rename(folder, old / "record")
        os.rename(part, folder)
        if old:
            shutil.rmtree(old)
    finally:
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(part)
