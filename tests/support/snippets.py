# SPDX-License-Identifier: Apache-2.0
"""Follows a page of the documentation as its reader does, for tests that compare a page with what its commands print.

Only what the rendered page shows counts: comments are dropped first. A block of code below a line that ends with a file's
name, as in "the kernel, `add.cpp`:" or "the kernel (`add.cpp`):", is that file. A `console` block is a session: `$ ` begins
a command, `> ` a line that continues it, the prompt of TIK's debugger what is typed there; all else is what they print.
Files and commands are taken in the page's order, in one shell, which begins in an empty folder; when the page says "in a
clone", the folder has the examples. Other blocks are excerpts, which need what a test cannot give: another machine, the
network, something of the reader's own. Each command has a limit of its own.
"""

import itertools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import limited

ROOT = Path(__file__).resolve().parents[2]
LIMIT_SECONDS = 600  # a whole program may be compiled on a busy machine
COMMENT = re.compile(r"^<!--.*?-->\n?", re.DOTALL | re.MULTILINE)
BLOCK = re.compile(r"(?P<above>[^\n]*)\n\n```(?P<language>\w*)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)
NAME = re.compile(r"`([\w./-]+)`[)）]?[:：]$")
PROMPT = "(tikdb) "
IN_A_CLONE = re.compile(r"\bin\s+a\s+clone\b", re.IGNORECASE)
# Runs $1 where the command before ended, with what it exported; the state of the shell is in the folder $2.
SHELL = """[ -e "$2/exported" ] && { . "$2/exported"; cd "$(cat "$2/folder")"; }
trap 'export -p > "$2/exported"; pwd > "$2/folder"' EXIT
eval "$1"
"""


class Block(NamedTuple):
    name: str  # of the file, "" of other blocks
    language: str
    body: str

    @property
    def is_session(self) -> bool:
        return self.language == "console"


def rendered(text: str) -> str:
    """The page without what a reader does not see."""
    return COMMENT.sub("", text)


def blocks(text: str) -> list[Block]:
    """The blocks of code that a rendered page shows."""
    found = []
    for match in BLOCK.finditer(text):
        name = match["language"] != "console" and NAME.search(match["above"])
        found.append(Block(name[1] if name else "", match["language"], match["body"]))
    return found


class Reader:
    """Somebody who does what a page shows, with some variables set."""

    def __init__(self, folder: Path, state: Path, environment: dict[str, str]):
        self.folder, self.state = folder, state
        path = (
            f"{Path(sys.executable).parent}:{environment.get('PATH', os.environ['PATH'])}"  # `python3` is this Python
        )
        self.environment = {**os.environ, **environment, "PATH": path}

    def writes(self, block: Block) -> None:
        path = self.folder / block.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.body)

    def types(self, command: str, answers: list[str]) -> str:
        """What the command prints on both streams, with the answers to its prompts. A user's folder is another: its name is
        left out."""
        typed = self.state / "typed"
        typed.write_text("".join(f"{answer}\n" for answer in answers))
        with typed.open() as stdin:
            done = limited.run(
                ["bash", "-c", SHELL, "bash", command, str(self.state)],
                LIMIT_SECONDS,
                cwd=self.folder,
                env=self.environment,
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
        printed, *more = done.stdout.replace(f"{self.folder}/", "").split(PROMPT)
        for answer, text in itertools.zip_longest(answers, more, fillvalue=""):
            printed += f"{PROMPT}{answer}\n{text}"
        return printed


def real_text(text: str, scratch: Path, environment: dict[str, str]) -> str:
    """The page with what its commands really print, run in a folder of `scratch` with some variables set."""
    seen = rendered(text)
    folder, state = scratch / "page", scratch / "shell"
    for path in (folder, state):
        path.mkdir()
    if IN_A_CLONE.search(seen):
        shutil.copytree(ROOT / "examples", folder / "examples")
    reader = Reader(folder, state, environment)
    at = 0
    for block in blocks(seen):
        if block.name:
            reader.writes(block)
        if not block.is_session:
            continue
        printed = ""
        for shown in re.split(r"^\$ ", block.body, flags=re.MULTILINE)[1:]:
            command, *lines = shown.splitlines()
            while command.endswith("\\"):
                command += f"\n{lines.pop(0)}"
            answers = [line.removeprefix(PROMPT) for line in lines if line.startswith(PROMPT)]
            typed = command.replace("\n> ", "\n")
            printed += f"$ {command}\n{reader.types(typed, answers)}"
        place = text.index(f"```console\n{block.body}```", at) + len("```console\n")
        text = text[:place] + printed + text[place + len(block.body) :]
        at = place + len(printed)
    return text


def settled(text: str) -> str:
    """The text without what differs from run to run, seconds and dates, and from release to release, the version of reports."""
    text = re.sub(r"\b(Sfumato |SFUMATO_REF: v)\d+\.\d+\.\d+", r"\g<1>0.1.0", text)
    text = re.sub(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "2026-12-01T09:30:00Z", text)
    text = re.sub(r"\bran in \d+\.\d s;", "ran in 0.0 s;", text)
    return re.sub(r"\bin \d+\.\d\ds( \(\d+:\d\d:\d\d\))?$", "in 0.00s", text, flags=re.MULTILINE)
