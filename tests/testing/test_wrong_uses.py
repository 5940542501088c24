# SPDX-License-Identifier: Apache-2.0
"""Wrong uses of the Python package and the exact messages they get: wrong_uses.txt, as a session of Python.

`SFUMATO_REWRITE=1` writes what is really said; read what changed: does it say what, where, what was found, what is legal?
"""

import os
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import sfumato
from sfumato import golden, reports, testing, tik, tiling

HERE = Path(__file__).parent
TABLE = HERE / "wrong_uses.txt"
CHIP = "Ascend910B1"


def entries():
    """(expression, message) of each paragraph that begins with >>>."""
    paragraphs = TABLE.read_text().split("\n\n")
    return [tuple(p.strip()[4:].partition("\n")[::2]) for p in paragraphs if p.startswith(">>> ")]


@pytest.fixture(scope="module")
def names():
    """What the expressions use."""
    library = sfumato.compile(str(HERE / "doubles.cpp"), chip=CHIP)
    x = np.zeros(64, np.float32)
    return {
        **{"np": np, "ml_dtypes": ml_dtypes, "sfumato": sfumato, "golden": golden, "reports": reports},
        **{"testing": testing, "tik": tik, "tiling": tiling, "CHIP": CHIP, "x": x, "y": x.copy()},
        **{"lib": library, "k": library.doubles, "compare": sfumato.compare, "load_op": sfumato.load_op},
        "op": sfumato.load_op(HERE.parents[1] / "examples" / "operator", chip=CHIP),
        "strategies": testing.strategies,
    }


def said(expression, names):
    try:
        value = eval(expression, names)
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        return "\n".join(line.rstrip() for line in text.splitlines()).replace(f"{HERE.parents[1]}/", "")
    return f"nothing was wrong: {value!r}"


@pytest.mark.skipif("SFUMATO_REWRITE" in os.environ, reason="the table is written anew")
@pytest.mark.parametrize("expression, message", entries(), ids=[e[0] for e in entries()])
def test_message(expression, message, names, monkeypatch, tmp_path):
    monkeypatch.chdir(HERE)
    assert said(expression, names) == message


def test_there_are_many():
    assert len(entries()) >= 40
    assert not any(
        message.startswith(("nothing", "RuntimeError", "TypeError: compile(): inc")) for _, message in entries()
    )


@pytest.mark.skipif("SFUMATO_REWRITE" not in os.environ, reason="nobody asked")
def test_rewrite(names, monkeypatch):
    monkeypatch.chdir(HERE)
    paragraphs = TABLE.read_text().strip().split("\n\n")
    new = [
        p if not p.startswith(">>> ") else p.partition("\n")[0] + "\n" + said(p.partition("\n")[0][4:], names)
        for p in paragraphs
    ]
    TABLE.write_text("\n\n".join(new) + "\n")
