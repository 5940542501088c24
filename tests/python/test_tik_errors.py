# SPDX-License-Identifier: Apache-2.0
"""Wrong scripts, each with its exact error: the script's line and every field of the report.

tik_wrong_*.txt hold them: "=== name", the statements. PREAMBLE comes before each, and what stands before the first name of
a file. reports/ holds the texts of the errors (support/pinned.py).
"""

import ast
from pathlib import Path

import pytest

import sfumato.tik.compat  # noqa: F401 - the scripts import tbe
from sfumato import tik
from sfumato._errors import FIELDS
from sfumato.tik import _errors

from pinned import Pinned
from raised import raised

PREAMBLE = """\
from tbe import tik
tik.set_product_version("Ascend910A")
t = tik.Tik()
gm = t.Tensor("float16", (1024,), name="gm", scope=tik.scope_gm)
ub = t.Tensor("float16", (8, 128), name="ub", scope=tik.scope_ubuf)
s = t.Scalar("int32", "s", 1)
"""


def read_cases() -> list:
    cases = []
    for path in sorted(Path(__file__).parent.glob("tik_wrong_*.txt")):
        further, *blocks = path.read_text(encoding="utf-8").split("=== ")
        pinned = Pinned(__file__, path.stem)
        for block in blocks:
            name, _, script = block.partition("\n")
            cases.append(pytest.param(name, further + script, pinned, id=name))
    return cases


@pytest.mark.parametrize(("name", "script", "pinned"), read_cases())
def test_wrong_script(name, script, pinned):
    with pytest.raises(tik.TikError) as caught:
        exec(compile(PREAMBLE + script, "script.py", "exec"), {})
    error = str(caught.value)
    assert error == pinned.text(name, error)
    assert all(hasattr(caught.value, field) for field in FIELDS)
    raised(caught.value.rule)
    assert caught.value.file == "script.py" and f"script.py:{caught.value.line}" in error


def test_an_error_in_a_function_is_at_its_line():
    script = PREAMBLE + "def f(x):\n    t.vec_dup(\n        129, x, 0, 1, 8)\nf(ub)"
    with pytest.raises(tik.TikError) as caught:
        exec(compile(script, "script.py", "exec"), {})
    assert caught.value.line in (8, 9) and caught.value.rule == "mask-range"


def test_every_fault_is_a_row_of_the_table():
    folder, raised = Path(tik.__file__).parent, set()
    for file in folder.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("fault", "wrong", "self._error"):
                raised |= {a.value for a in node.args if isinstance(a, ast.Constant)}
    assert raised == _errors.rows().keys()
