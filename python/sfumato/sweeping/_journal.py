# SPDX-License-Identifier: Apache-2.0
"""A folder of results: journals, to which results are appended as they come, and results.jsonl and failed.txt, made of them.

A line of a journal is {"run", "sources", "result"}: the number of the sweep that wrote it, the hash of the files the case
rests on, the result. Of several lines for a case that of the latest run holds. A line cut short by a kill is dropped.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path

from .._files import named, write_files
from .._native import Error
from ._summary import failed


class Folder:
    """Results of one set of cases; several shards may write to it at once, each to its own journal."""

    def __init__(self, folder: str | os.PathLike, shard: tuple[int, int] = (1, 1)):
        self.path = Path(folder)
        self.path.mkdir(parents=True, exist_ok=True)
        self._name = "journal.jsonl" if shard[1] == 1 else f"journal-{shard[0]}-of-{shard[1]}.jsonl"
        self._file = None
        self._run = 1

    def open(self) -> None:
        """Begins a run. Throws Error while another process writes the same journal."""
        path = self.path / self._name
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Error(f"{path}: another sweep is writing to it") from None
        self._drop_torn_line()
        self._run = 1 + max((line["run"] for line in self._lines()), default=0)

    def _drop_torn_line(self):
        size = os.fstat(self._file).st_size
        end = size
        while end and os.pread(self._file, 1, end - 1) != b"\n":
            end -= 1
        if end != size:
            os.ftruncate(self._file, end)

    def append(self, result: dict, sources: str) -> None:
        line = json.dumps({"run": self._run, "sources": sources, "result": result}, separators=(",", ":"))
        data = memoryview(line.encode() + b"\n")
        with named(self.path / self._name):
            while data:
                data = data[os.write(self._file, data) :]

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _lines(self) -> Iterator[dict]:
        for path in sorted(self.path.glob("journal*.jsonl")):
            with open(path, "rb") as file:
                for number, line in enumerate(file, 1):
                    if not line.endswith(b"\n"):
                        break  # another shard is writing it, or was killed
                    try:
                        yield json.loads(line)
                    except ValueError:
                        raise Error(f"{path}:{number}: no line of a journal; delete it to begin anew") from None

    def latest(self) -> dict[str, dict]:
        """By the id of the case: the line that holds."""
        held: dict[str, dict] = {}
        for line in self._lines():
            key = line["result"]["id"]
            if key not in held or line["run"] >= held[key]["run"]:
                held[key] = line
        return held

    def write_results(self) -> list[dict]:
        """Makes results.jsonl and failed.txt of all journals, sorted by id. The last of several shards to end sees the lines of all."""
        with open(self.path / ".lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            results = [line["result"] for _, line in sorted(self.latest().items())]
            lines = (json.dumps(result, separators=(",", ":")) + "\n" for result in results)
            commands = failed(results).encode()
            write_files(
                [
                    (self.path / "results.jsonl", lambda file: [file.write(line.encode()) for line in lines]),
                    (self.path / "failed.txt", lambda file: file.write(commands)),
                ]
            )
        return results


def read_results(folder: str | os.PathLike) -> list[dict]:
    """The results of a folder, sorted by id."""
    path = Path(folder)
    if not any(path.glob("journal*.jsonl")):
        raise Error(f"{path}: there are no results of a sweep")
    return Folder(path).write_results()
