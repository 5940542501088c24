# SPDX-License-Identifier: Apache-2.0
"""`sfumato ulp` as a user runs it: what it prints, and what it says of slips."""

import json
import os
import subprocess
import sys

import pytest

COMMAND = [sys.executable, "-m", "sfumato.measuring._command"]
if os.environ.get("SFUMATO_COMMAND"):
    COMMAND = [os.environ["SFUMATO_COMMAND"], "ulp"]


def ulp(*words):
    environment = {**os.environ, "SFUMATO_PYTHON": sys.executable}
    done = subprocess.run([*COMMAND, *words], env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


EXP = """Exp of half on Ascend910B1, all: 65536 points (overflow=board)
  correctly rounded      50572 of 50572 numbers (100.00 %)
  largest error          0.5 ulp at 0.00729751587: gives 1.00683594, exact 1.007324208
  subnormal results      6392 of 6392 correctly rounded
  exact beyond the range inf 6144
  exact NaN              NaN 2046
  exact inf              inf 6773
  exact 0                0 6702
"""


def test_a_table():
    assert ulp("Exp", "half", "Ascend910B1", "--inputs", "all") == (0, EXP, "")


def test_options_of_launches():
    """The switches that change bits: the estimate of a board, and quotients moved on purpose."""
    words = ("half", "Ascend310P3", "--inputs", "1:2", "--json")
    board, exact = (json.loads(ulp("Rsqrt", *words, "--estimate", one)[1]) for one in ("board", "exact"))
    assert board["right"] < board["numbers"] == exact["numbers"] == exact["right"] == 1025
    assert exact["options"] == {"overflow": "board", "estimate": "exact"}
    words = ("Div", "float", "Ascend910B1", "--inputs", "1:1.001", "--json")
    nearest, moved = (json.loads(ulp(*words, "--div", one)[1]) for one in ("nearest", "away"))
    assert nearest["right"] == nearest["numbers"] == moved["numbers"]
    assert 0.1 < 1 - moved["right"] / moved["numbers"] < 0.3
    assert nearest["largest"] <= 0.5 < moved["largest"] <= 0.77
    saturated = json.loads(ulp("Exp", "half", "Ascend910B1", "--overflow", "saturate", "--json")[1])
    assert saturated["specials"]["inf"] == {"largest": 6773}


LEGAL = "Ascend910, Ascend310P, Ascend910B, Ascend310B, Ascend950, and their products"
SLIPS = {
    "Exq half Ascend910B1": "Exq is no elementwise call with a real result; did you mean Exp?\nlegal: Abs, Exp, ",
    "Frobnicate half Ascend910B1": "Frobnicate is no elementwise call with a real result\nlegal: Abs, Exp, ",
    "Exp bfloat16 Ascend910B1": "Exp of bfloat16: the vector unit computes real numbers in half and float\nlegal: half, float\n",
    "Relu float Ascend910A": "Relu of float on Ascend910A: Ascend910 has it in half alone\n"
    "legal: Ascend310P, Ascend910B, Ascend310B, Ascend950, and their products\n",
    "Sin half Ascend910A": "Sin of half on Ascend910A: Ascend910 does not have it\nlegal: Ascend310P, ",
    "Exp half Ascend910X": f"unknown chip 'Ascend910X'; did you mean Ascend910, Ascend910B, Ascend910A?\nlegal: {LEGAL}\n",
    "Exp half Ascend310": f"Exp of half on Ascend310: Ascend310 runs TIK alone, no kernels of Ascend C\nlegal: {LEGAL}\n",
    "Exp float Ascend910B1 --inputs all": "--inputs all: float has 4294967296 values\n"
    "legal: all for half; strata, LOW:HIGH for float\n",
    "Exp float Ascend910B1 --inputs 3:1": "--inputs 3:1: LOW is not above HIGH, and both are finite in float32\nlegal: all (half), ",
    "Exp half Ascend910B1 --inputs 1:1e6": "--inputs 1:1e6: LOW is not above HIGH, and both are finite in float16\nlegal: ",
    "Exp half Ascend910B1 --inputs some": "--inputs some: it is neither a word that is known nor a range\nlegal: all (half), strata, "
    "or LOW:HIGH, two numbers of the type, e.g. -1:1\n",
    "Div float Ascend910B1 --div up": "div: 'up' is no rounding of quotients; legal are nearest, away, toward, and seed:N",
}


@pytest.mark.parametrize("words", SLIPS)
def test_slips(words):
    code, said, error = ulp(*words.split())
    assert (code, said) == (2, "")
    assert error.startswith(f"error: {SLIPS[words]}")
