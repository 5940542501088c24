# SPDX-License-Identifier: Apache-2.0
"""printf and set_printf_params: where the text goes, and what is refused."""

import re

import pytest
from tik_support import instance

from sfumato import tik


def prints(*parameters):
    t = instance()
    t.set_printf_params(*parameters)
    s = t.Scalar("int8", init_value=-128)
    t.printf("scalar is: %d\n", s)
    t.BuildCCE("print_scalar", [], [])
    return t


def test_printf_goes_where_it_is_sent(capsys, tmp_path):
    prints(1, 256).run({})
    assert capsys.readouterr().out == "scalar is: -128\n"
    prints(1, 256, False).run({})
    assert capsys.readouterr().out == ""
    prints(128, 512, False, str(tmp_path / "made" / "here")).run({})
    assert (tmp_path / "made" / "here" / "print_scalar.txt").read_text() == "scalar is: -128\n"
    assert capsys.readouterr().out == ""
    lines = []
    prints(128, 512, True, tmp_path).run({}, print=lines.append)
    assert (tmp_path / "print_scalar.txt").read_text() == "".join(lines) == "scalar is: -128\n"


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ((0,), "print_workspace_size is outside its range"),
        ((32769,), "legal:  1..32768"),
        ((1, 63), "found:  single_print_length: 63"),
        ((1, 96 + 16), "legal:  64..1048544, a multiple of 32"),
        ((1, 1 << 20), "legal:  64..1048544, a multiple of 32"),
        ((1, 64, 1), "is_printf_to_screen: 1"),
        ((1, 64, True, 3), "printf_file_path: 3"),
    ],
)
def test_wrong_printf_parameters(parameters, text):
    with pytest.raises(tik.TikError, match=re.escape(text)) as raised:
        prints(*parameters)
    assert raised.value.rule == "printf"


def test_printf_parameters_come_once_and_first():
    t = instance()
    t.set_printf_params(1, 64)
    with pytest.raises(tik.TikError, match="a second call"):
        t.set_printf_params(1, 64)
    with pytest.raises(tik.TikError, match="found:  format_string: 33 characters"):
        t.printf("%d" + "x" * 31, 1)
    t = instance()
    t.printf("x")
    with pytest.raises(tik.TikError, match="a call after printf"):
        t.set_printf_params(1, 64)
    t = instance()
    t.set_printf_params(1, 64)
    with t.for_range(0, 3, block_num=3):
        t.printf("x")
    with pytest.raises(tik.TikError, match="1 MB for 3 blocks of at least 96 bytes"):
        t.BuildCCE("k", [], [])
