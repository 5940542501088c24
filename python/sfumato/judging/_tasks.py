# SPDX-License-Identifier: Apache-2.0
"""Reads tasks (docs/judging.md): a task says what a submission is given and must return."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from pathlib import Path

from ._submissions import Invalid


class TaskError(Invalid):
    """A task is wrong; the text becomes the verdict's task_error."""


@dataclass(frozen=True)
class Task:
    """The files of a task, of which none has run yet: a worker does that (_prepare.py)."""

    form: str  # "python", "kernelbench", "folder"
    files: dict[str, bytes] = field(repr=False)  # by path relative to the folder
    entry: str  # one of them
    folder: str | None = None  # where its code may read more

    def digest(self) -> str:
        hashed = hashlib.sha256(self.form.encode())
        for name, content in sorted(self.files.items()):
            hashed.update(f"{len(name)} {name} {len(content)}\n".encode(errors="surrogateescape") + content)
        return hashed.hexdigest()


def read(task) -> Task:
    """The task at a path, of a Python file or of a folder with task.toml, or in a Python text of several lines."""
    if isinstance(task, Task):
        return task
    text = os.fspath(task) if isinstance(task, os.PathLike) else task
    if not isinstance(text, str):
        raise Invalid(f"a task is a path or a text, not {type(task).__name__}")
    if "\n" in text:
        return _python(text.encode(), "task.py", None)
    path = Path(text)
    try:
        if path.is_dir():
            return _of_folder(path)
        return _python(path.read_bytes(), path.name, str(path.resolve().parent))
    except OSError as error:
        raise Invalid(f"task {path}: {error.strerror}") from None


def _of_folder(path):
    files = {}
    for file in sorted(path.rglob("*")):
        if file.is_file() and file.suffix in (".toml", ".npy", ".npz", ".py", ".bin"):
            files[file.relative_to(path).as_posix()] = file.read_bytes()
    if "task.toml" not in files:
        raise Invalid(f"task {path}: it has no task.toml")
    return Task("folder", files, "task.toml", str(path.resolve()))


def _python(data, name, folder):
    kernelbench = (b"class Model" in data and b"def get_inputs" in data) or b"def get_input_groups" in data
    return Task("kernelbench" if kernelbench else "python", {name: data}, name, folder)
