# SPDX-License-Identifier: Apache-2.0
"""The folder that a volunteer takes to a board, and what comes back of it."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import numpy as np

from ._inputs import TYPES
from ._probes import VERSION, Probe, arrays, plan, probes
from ._refusal import Refused

FILES = Path(__file__).with_name("kit")
MOST = 64 << 20  # bytes of an archive's file


def write(folder: Path) -> int:
    """Lays a kit into a folder that is new or empty; the bytes of its inputs. Raises Refused and OSError."""
    if folder.exists() and any(folder.iterdir()):
        raise Refused(
            "no kit is written: the folder is not empty",
            where=str(folder),
            found=sorted(path.name for path in folder.iterdir())[0],
            legal="a folder that is new or empty",
            do="name another folder",
        )
    for name in ("inputs", "outputs"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for file in sorted(FILES.iterdir()):
        if file.is_file():
            (folder / file.name).write_bytes(file.read_bytes())
    (folder / "plan.txt").write_text(plan(), encoding="utf-8")
    for name, array in arrays().items():
        array.tofile(folder / "inputs" / name)
    return sum(array.nbytes for array in arrays().values())


class Record:
    """The files of a record by their paths, of a folder or of the archive that manifest.py makes."""

    def __init__(self, path: Path):
        self.path = path
        self._files: dict[str, bytes] = {}
        if path.is_dir():
            self._read = lambda name: (path / name).read_bytes()
            self.names = {str(file.relative_to(path).as_posix()) for file in path.rglob("*") if file.is_file()}
        elif path.is_file():
            self._files = _unpacked(path)
            self._read = self._files.__getitem__
            self.names = set(self._files)
        else:
            raise Refused(
                "there is no record", where=str(path), found="nothing", legal="a kit's folder, or record-<soc>.tar.gz",
                do="run ./record in a folder that `sfumato record write` made",
            )  # fmt: skip

    def read(self, name: str) -> bytes:
        return self._read(name)

    def where(self, name: str) -> str:
        return f"{self.path}/{name}"

    def board(self) -> dict[str, str]:
        """board.txt; empty where the program did not come to its end."""
        if "board.txt" not in self.names:
            return {}
        lines = self.read("board.txt").decode("utf-8", "replace").splitlines()
        return dict(line.split(" ", 1) for line in lines if " " in line)

    def result(self, probe: Probe, ending: str = "") -> np.ndarray | None:
        """What came back of a launch; None where that is not of its size, or nothing."""
        name = f"outputs/{probe.name}{ending}"
        data = self.read(name) if name in self.names else b""
        return np.frombuffer(data, TYPES[probe.target]) if len(data) == probe.bytes else None

    def outputs(self) -> dict[str, np.ndarray]:
        found = {probe.name: self.result(probe) for probe in probes()}
        return {name: array for name, array in found.items() if array is not None}

    def check_version(self, said: str, name: str) -> None:
        if said != VERSION:
            raise Refused(
                "the record is of other probes",
                where=self.where(name),
                found=said or "none",
                legal=VERSION,
                do="read it with the release of Sfumato whose kit made it, or record again with a new kit",
            )


def _unpacked(path):
    """No file is written, so that names in the archive lead nowhere."""
    try:
        with tarfile.open(path, "r:*") as archive:
            members = [member for member in archive if member.isfile() and member.size <= MOST]
            return {member.name: (archive.extractfile(member) or io.BytesIO()).read() for member in members}
    except (tarfile.TarError, EOFError, OSError) as error:
        raise Refused(
            "the archive cannot be read", where=str(path), found=str(error) or type(error).__name__,
            legal="record-<soc>.tar.gz as manifest.py packed it", do="copy it again",
        ) from None  # fmt: skip
