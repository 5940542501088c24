# SPDX-License-Identifier: Apache-2.0
"""docs/torch.md prints what it says. `python3 test_docs.py --update` writes the real output."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "torch.md"
BLOCK = re.compile(r"<!-- (file|run)(?:: (.*?))? -->\n```\w+\n(.*?)```\n", re.DOTALL)


def shell(command, folder):
    environment = {**os.environ, "CUDA_HOME": "", "PYTHONWARNINGS": "ignore"}
    words = command.replace("python3", sys.executable, 1)
    return subprocess.run(
        words, shell=True, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ).stdout


def real_text(text, folder):
    """The page with what its commands really print."""

    def block(match):
        kind, argument, body = match.groups()
        if kind == "file":
            Path(folder, argument).write_text(body)
            return match[0]
        if argument:
            shell(argument, folder)
        commands = [line for line in body.splitlines() if line.startswith("$ ")]
        printed = "".join(f"{line}\n{shell(line[2:], folder)}" for line in commands)
        return match[0][: -len(body) - len("```\n")] + printed + "```\n"

    return BLOCK.sub(block, text)


def test_snippets_print_what_the_page_says(tmp_path):
    text = PAGE.read_text()
    assert len(BLOCK.findall(text)) == 4
    assert _unnumbered(real_text(text, tmp_path)) == _unnumbered(text)


def _unnumbered(text):
    """Releases of PyTorch make more or fewer tensors on the way."""
    return re.sub(r"tensor #\d+", "tensor #N", text)


if __name__ == "__main__" and "--update" in sys.argv:
    with tempfile.TemporaryDirectory() as scratch:
        PAGE.write_text(real_text(PAGE.read_text(), scratch))
