# SPDX-License-Identifier: Apache-2.0
"""Runs the snippets of a page of the documentation, for tests that compare a page with what its commands really print.

`<!-- file: NAME -->` before a block: the block is that file. `<!-- run -->` or `<!-- run: COMMAND -->` before a console
block: the lines after `$` are run in the files' folder, COMMAND silently before them, and must print what follows them.
Each command has a limit of its own.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import limited

LIMIT_SECONDS = 600  # a whole program may be compiled on a busy machine
BLOCK = re.compile(r"<!-- (file|run)(?:: (.*?))? -->\n```\w+\n(.*?)```\n", re.DOTALL)


def shell(command: str, folder: Path, environment: dict[str, str]) -> str:
    """What a command prints on both streams; `python3` is this Python."""
    path = f"{Path(sys.executable).parent}:{environment.get('PATH', os.environ['PATH'])}"
    done = limited.run(
        command,
        LIMIT_SECONDS,
        shell=True,
        cwd=folder,
        env={**os.environ, **environment, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
    )
    return done.stdout


def real_text(text: str, folder: Path, environment: dict[str, str]) -> str:
    """The page with what its commands really print, run in an empty folder with some variables set."""

    def block(match):
        kind, argument, body = match.groups()
        if kind == "file":
            Path(folder, argument).parent.mkdir(exist_ok=True)
            Path(folder, argument).write_text(body)
            return match[0]
        if argument:
            shell(argument, folder, environment)
        commands = [line for line in body.splitlines() if line.startswith("$ ")]
        printed = "".join(f"{line}\n{shell(line[2:], folder, environment)}" for line in commands)
        printed = printed.replace(f"{folder}/", "")  # a user's folder is another
        return match[0][: -len(body) - len("```\n")] + printed + "```\n"

    return BLOCK.sub(block, text)


def settled(text: str) -> str:
    """The text without what differs from run to run: pytest's seconds."""
    return re.sub(r"\bin \d+\.\d\ds( \(\d+:\d\d:\d\d\))?$", "in 0.00s", text, flags=re.MULTILINE)
