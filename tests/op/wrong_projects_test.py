# SPDX-License-Identifier: Apache-2.0
"""Wrong operator projects and wrong calls of them, each with its exact report.

wrong_projects.txt holds them: "=== name", settings; reports/ the reports (support/pinned.py). The project is tests/op/wrong,
laid out in a folder of its own as Wrong; a setting is a word and its value:

    in FOLDER           the folder that is loaded; default Wrong
    edit PATH: A => B   the text A of a file becomes B, before it is loaded; B may be empty
    drop PATH           a file or folder is not there
    file PATH: TEXT     a file more
    load ARGUMENTS      of load_op, besides chip=
    call EXPRESSION     what is asked of the operator `op`

Where a report names a file and a line, the table has the file and what stands on the line.
"""

import os
import re
import shutil
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import sfumato
from sfumato import Spec

sys.path.append(str(Path(__file__).parents[1] / "support"))
import raised  # noqa: E402
from pinned import Pinned  # noqa: E402

HERE = Path(__file__).parent
CHIP = "Ascend910B1"
PINNED = Pinned(__file__, "wrong_projects")

raised.keep("wrong_projects_test")


def read_cases() -> list:
    cases = []
    for block in (HERE / "wrong_projects.txt").read_text(encoding="utf-8").split("=== ")[1:]:
        name, *lines = block.splitlines()
        cases.append(pytest.param(name, [line.partition(" ")[::2] for line in lines], id=name))
    return cases


def lay_out(project: Path, settings) -> None:
    shutil.copytree(HERE / "wrong", project)
    for word, value in settings:
        path, _, text = value.partition(": ")
        if word == "drop":
            gone = project / value
            shutil.rmtree(gone) if gone.is_dir() else gone.unlink()
        elif word == "file":
            (project / path).parent.mkdir(parents=True, exist_ok=True)
            (project / path).write_text(text.replace("\\n", "\n") + "\n")
        elif word == "edit":
            old, _, new = text.partition(" => ")
            file = project / path
            assert old in file.read_text()
            file.write_text(file.read_text().replace(old, new.replace("\\n", "\n")))


def with_lines(text: str) -> str:
    """`FILE:LINE` and what follows the number in the lines of compilers becomes `FILE: what stands there`."""

    def line_of(match):
        file, number = Path(match[1]), int(match[2])
        lines = file.read_text().splitlines() if file.is_file() else []
        return f"{file}: {lines[number - 1].strip()}" if 0 < number <= len(lines) else match[0]

    return re.sub(r"([\w./]+\.(?:cpp|h)):(\d+)(?::\d+)?", line_of, text)


class Names(dict):
    """What calls of the table say."""

    def __init__(self, op):
        super().__init__(op=op, np=np, Spec=Spec, bfloat16=ml_dtypes.bfloat16)
        self["x"] = np.ones((4, 16), np.float32)
        self["h"] = self["x"].astype(np.float16)
        self["mistake"] = lambda which, **named: op.tile(self["h"], y=self["h"], mistake=which, **named)
        self["changed"] = self._changed

    def _changed(self, field, value):
        """A run whose tiling was changed by hand."""
        tiling = self["op"].tile(self["x"], key=0)
        setattr(tiling, field, value)
        return self["op"].run(tiling, self["x"], key=0)


def said(settings, folder: Path) -> tuple[str, list[str]]:
    """The report of a case, and the rules in it."""
    words = dict(settings)
    arguments = eval(f"dict({words.get('load', '')})", {})
    try:
        op = sfumato.load_op(words.get("in", "Wrong"), **{"chip": CHIP, **arguments})
        if "call" in words:
            done = eval(words["call"], Names(op))
            findings = getattr(done, "findings", op.last.findings if op.last else [])
            return "\n".join(str(f) for f in findings) or f"{done}", [f.rule for f in findings]
    except (sfumato.OperatorError, sfumato.KernelError) as error:
        return f"{type(error).__name__}\n{error}", [error.rule]
    except sfumato.CompileError as error:
        # The compiler's words are its own.
        summary = re.sub(r" \(\S+ ended with \d+\)", "", str(error).partition("\n")[0])
        places = [f"  at {f.file}:{f.line}" for f in error.findings if f.line]
        return "\n".join(["CompileError", summary, *places]), []
    except sfumato.Error as error:
        return f"{type(error).__name__}\n{error}", []
    return "it loads", []


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    before = os.environ.get("SFUMATO_CACHE")
    os.environ["SFUMATO_CACHE"] = str(tmp_path_factory.mktemp("cache"))
    yield
    os.environ.pop("SFUMATO_CACHE")
    if before is not None:
        os.environ["SFUMATO_CACHE"] = before


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of the project as it is: most cases only choose something in it."""
    folder = tmp_path_factory.mktemp("whole")
    lay_out(folder / "Wrong", [])
    return folder


@pytest.mark.parametrize(("name", "settings"), read_cases())
def test_wrong_project(name, settings, whole, cache, tmp_path, monkeypatch):
    folder = whole
    if any(word in ("edit", "drop", "file") for word, _ in settings):
        folder = tmp_path
        lay_out(folder / "Wrong", settings)
    monkeypatch.chdir(folder)
    text, rules = said(settings, folder)
    text = with_lines(text.replace(f"{folder}/", ""))
    assert text == PINNED.text(name, text)
    for rule in rules:
        raised.raised(rule)
