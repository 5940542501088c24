# SPDX-License-Identifier: Apache-2.0
"""What is judged: a kernel, an operator project, a bundle for direct launches, a Python model, a TIK script."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

KINDS = ("kernel", "op", "direct", "model", "tik")
_SOURCES = (".cpp", ".cc", ".cxx", ".h", ".hpp", ".asc", ".py", ".json", ".txt", ".cmake", ".sh")
_MOST_BYTES = 8 << 20
_MARKS = (
    ("project_json_src", "op"),
    ("class ModelNew", "model"),
    ("BuildCCE", "tik"),
    ("__aicore__", "kernel"),
    ("__global__", "kernel"),
)


class Invalid(Exception):
    """A submission or task that cannot be judged; the text says why."""


@dataclass(frozen=True)
class Submission:
    """kind, its files as {relative path: text}, and of a kernel or model the file that is the entry and its name."""

    kind: str
    files: dict[str, str]
    entry: str | None = None
    name: str | None = None
    build: dict = field(default_factory=dict)  # of a direct bundle

    def digest(self) -> str:
        text = json.dumps([self.kind, sorted(self.files.items()), self.entry, self.name, self.build], sort_keys=True)
        return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def read(submission, kind: str | None = None, name: str | None = None) -> Submission:
    """A Submission of a path, of a text with several lines, or of {path: text}; Invalid where it is none.

    kind   one of KINDS; None: told from the content
    name   of the kernel, where the source has several
    """
    if kind is not None and kind not in KINDS:
        raise Invalid(f"kind={kind!r} is none of {', '.join(KINDS)}")
    if isinstance(submission, Submission):
        return submission
    if isinstance(submission, Mapping):
        return _of_mapping(submission, kind, name)
    text = os.fspath(submission) if isinstance(submission, os.PathLike) else submission
    if not isinstance(text, str):
        raise Invalid(f"a submission is a path, a text or a mapping of paths to texts, not {type(submission).__name__}")
    if "\n" in text:
        return _of_text(text, kind, name, None)
    path = Path(text)
    if path.is_dir():
        return _of_mapping(_folder(path), kind or "op", name)
    return _of_text(_file(path), kind, name, path.name)


def _file(path):
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Invalid(f"{path}: {error.strerror}") from None
    if len(data) > _MOST_BYTES:
        raise Invalid(f"{path}: {len(data)} bytes; at most {_MOST_BYTES} are judged")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Invalid(f"{path}: it is no text in UTF-8") from None


def _folder(path):
    files = {}
    for root, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "build")))
        for name in sorted(names):
            if name.endswith(_SOURCES):
                file = Path(root) / name
                files[file.relative_to(path).as_posix()] = _file(file)
    return files


def _of_text(text, kind, name, file):
    stripped = text.lstrip()
    if stripped.startswith(("{", "[")):
        try:
            value = json.loads(text)
        except json.JSONDecodeError as error:
            raise Invalid(f"the submission is no JSON: {error}") from None
        return _of_mapping(value if isinstance(value, dict) else {"files": value}, kind, name)
    if kind is None:
        kind = _kind_of(text, file)
    if kind == "op":
        return Submission("op", {"project.py": text}, name=name)
    if kind == "direct":
        raise Invalid("a bundle for direct launches is JSON: sources, entry, build")
    suffix = {"kernel": ".cpp", "model": ".py", "tik": ".py"}[kind]
    if file is None or not file.endswith((suffix, ".asc")):
        file = kind + suffix
    return Submission(kind, {file: text}, file, name)


def _kind_of(text, file):
    if file is not None and file.endswith((".cpp", ".asc", ".cc")):
        return "kernel"
    # A kernel may stand as text in a Python file, so those come first.
    for mark, kind in _MARKS:
        if mark in text:
            return kind
    raise Invalid(
        "its kind cannot be told from its content: a kernel has __aicore__, an operator project op_host and op_kernel, a model ModelNew, a TIK "
        "script BuildCCE; say which it is, with kind= or --kind"
    )


def _of_mapping(value, kind, name):
    if "sources" in value and "entry" in value:
        return _direct(value)
    listed = value.get("files")
    if isinstance(listed, list):
        value = {entry.get("path"): entry.get("content") for entry in listed if isinstance(entry, Mapping)}
    files = _checked(value)
    if kind is None:
        kind = "op" if any("op_host" in PurePosixPath(path).parts for path in files) else None
        if kind is None and len(files) == 1:
            ((file, text),) = files.items()
            return _of_text(text, None, name, file)
        if kind is None:
            raise Invalid("several files that have no op_host: say kind= and, of a kernel, name=")
    if kind == "op":
        if not any("op_host" in PurePosixPath(path).parts for path in files):
            raise Invalid("an operator project has a folder op_host")
        return Submission("op", files, name=name)
    endings = (".cpp", ".asc", ".cc") if kind == "kernel" else (".py",)
    entries = [path for path in files if path.endswith(endings)]
    if len(entries) != 1:
        raise Invalid(f"a {kind} of several files has one that ends in {' or '.join(endings)}; found {len(entries)}")
    return Submission(kind, files, entries[0], name)


def _direct(value):
    sources, entry, build = value["sources"], value["entry"], value.get("build", {})
    if not isinstance(sources, list) or not all(isinstance(source, Mapping) for source in sources):
        raise Invalid("sources is a list of {path, content}")
    files = _checked({source.get("path"): source.get("content") for source in sources})
    model = entry.get("model") if isinstance(entry, Mapping) else None
    file, _, name = str(model).partition("::")
    if file not in files or not name:
        raise Invalid(f"entry.model={model!r} is no 'file::Class' of the sources")
    if not isinstance(build, Mapping):
        raise Invalid("build is a mapping")
    return Submission("direct", files, file, name, dict(build))


def _checked(files):
    if not files:
        raise Invalid("it has no files")
    checked = {}
    for path, text in files.items():
        if not isinstance(path, str) or not isinstance(text, str):
            raise Invalid(f"a file is a path and a text; found {path!r}: {type(text).__name__}")
        parts = PurePosixPath(path)
        if parts.is_absolute() or ".." in parts.parts or "\0" in path or "\\" in path or not parts.name:
            raise Invalid(f"the path {path!r} is unsafe: it must stay below the submission's folder")
        if len(text) > _MOST_BYTES:
            raise Invalid(f"{path}: {len(text)} characters; at most {_MOST_BYTES} are judged")
        checked[str(parts)] = text
    return checked
