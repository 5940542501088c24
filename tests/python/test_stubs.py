# SPDX-License-Identifier: Apache-2.0
"""The stubs name what users have of the native module and of class Tik, and the documentation names what TIK has.

`python tests/python/test_stubs.py` writes tik/_calls.pyi anew: the calls that Tik makes from its table.
"""

import ast
import inspect
import re
from pathlib import Path

import pytest

import sfumato
from sfumato import _native, tik
from sfumato.tik import _calls

PACKAGE = Path(sfumato.__file__).parent
DOCS = Path(__file__).parents[2] / "docs"
MODULES = {"__init__.pyi": _native, "tik.pyi": _native.tik}


def public(names):
    return {name for name in names if not name.startswith("__") or name in ("__init__", "__version__")}


def stub(file):
    """name -> the names of a class's members, or None."""
    made = {}
    for node in ast.parse((PACKAGE / "_native" / file).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            made[node.name] = {member.name for member in node.body if isinstance(member, ast.FunctionDef)}
            fields = [member.target for member in node.body if isinstance(member, ast.AnnAssign)]
            made[node.name] |= {field.id for field in fields if isinstance(field, ast.Name)}
        elif isinstance(node, ast.FunctionDef):
            made[node.name] = None
        elif isinstance(node, ast.AnnAssign):
            made[node.target.id] = None
    return made


@pytest.mark.parametrize("file", MODULES)
def test_the_stub_has_what_the_module_has(file):
    module, written = MODULES[file], stub(file)
    for name in written.keys() - {"__getattr__"}:
        value = getattr(module, name)
        if inspect.isclass(value) and not issubclass(value, Exception):
            assert public(vars(value)) - {"__init__"} == written[name], name


def test_the_stub_has_what_users_have():
    of_users = {name for name in sfumato.__all__ if getattr(_native, name, ...) is getattr(sfumato, name)}
    assert "Report" in of_users and of_users <= stub("__init__.pyi").keys()


def is_generated(name):
    method = getattr(tik.Tik, name)
    return method.__module__ == _calls.__name__ and method.__qualname__ == name


def implemented():
    """The calls of the vendor's table that do something."""
    return [name for name in _calls.read_table() if not is_generated(name) or _native.tik.knows(name)]


def calls_stub():
    """What tik/_calls.pyi is."""
    table = _calls.read_table()
    lines = [
        "# SPDX-License-Identifier: Apache-2.0",
        "# The calls Tik makes from signatures.tsv. Written by tests/python/test_stubs.py.",
        "from typing import Any",
        "",
        "def __getattr__(name: str) -> Any: ...",
        "",
        "class Calls:",
    ]
    lines += [f"    def {name}(self, {table[name]}) -> Any: ..." for name in implemented() if is_generated(name)]
    return "\n".join(lines) + "\n"


def test_the_stub_of_the_calls_is_what_the_table_says():
    text = (PACKAGE / "tik" / "_calls.pyi").read_text(encoding="utf-8")
    assert text == calls_stub(), "run python tests/python/test_stubs.py"
    ast.parse(text)


def test_the_documentation_names_every_call():
    text = (DOCS / "tik.md").read_text(encoding="utf-8") + (DOCS / "tik-reference.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\w+", text))
    assert sorted(set(implemented()) - named) == []


def test_the_reference_names_only_calls_that_are_there():
    page = (DOCS / "tik-reference.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[(\w+)\]\(instructions/README\.md#\w+\)([^|]*)", page, re.MULTILINE)
    calls = {name for first, more in rows for name in (first, *re.findall(r"\w+", more))}
    assert len(calls) > 100
    assert sorted(calls - set(implemented())) == []


if __name__ == "__main__":
    (Path(__file__).parents[2] / "python" / "sfumato" / "tik" / "_calls.pyi").write_text(calls_stub(), encoding="utf-8")
