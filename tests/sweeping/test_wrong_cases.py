# SPDX-License-Identifier: Apache-2.0
"""Every case that cannot be read is refused before one runs, with its place."""

import json

import pytest
import sfumato
from some_cases import axpy_case, twice_case
from sfumato.sweeping import _case

SPEC = {"shape": [8], "dtype": "float32"}
WRONG = {
    "cases[0]: a case is an object, not int": 3,
    "cases[0]: a case has one of op, kernel, submission; found chip": {"chip": "Ascend910B1"},
    "cases[0]: a case has one of op, kernel, submission; found op and kernel": axpy_case(kernel="a.cpp"),
    "cases[0]: 'chip' is missing; a case of op needs op, chip, inputs": axpy_case(chip=None),
    "cases[0]: attrs: 3 must be an object": axpy_case(attrs=3),
    "cases[0]: seed: -1 must be an int in [0, 9223372036854775807]": axpy_case(seed=-1),
    "cases[0]: blocks: True must be an int in [1, 65535]": twice_case(blocks=True),
    "cases[0]: timeout: 0 must be seconds above 0": axpy_case(timeout=0),
    "cases[0]: reference: 'refs.py' is no FILE.py:FUNCTION": axpy_case(reference="refs.py"),
    "cases[0]: fills[1]: 256 must be an int in [0, 255]": axpy_case(fills=[0, 256]),
    "cases[0]: schedules: [] must be a list with an entry or more": axpy_case(schedules=[]),
    "cases[0]: inputs.x.dtype: 'float17' is no element type": axpy_case(inputs={"x": {**SPEC, "dtype": "float17"}}),
    "cases[0]: inputs.x.shape: [-8] must be a list of lengths": axpy_case(inputs={"x": {**SPEC, "shape": [-8]}}),
    "cases[0]: inputs.x[1]: 7 must be an object": axpy_case(inputs={"x": [SPEC, 7]}),
    "cases[0]: inputs.x: 'seed' is not known; there are shape, dtype, values, format, origin, file, array": axpy_case(
        inputs={"x": {**SPEC, "seed": 1}}
    ),
    "cases[0]: inputs.x.values: 'gauss' is not known; there are normal, small, bits, special, uniform, zeros, ones, arange, a "
    "number, a list of numbers": axpy_case(inputs={"x": {**SPEC, "values": "gauss"}}),
    'cases[0]: inputs.x.values: an object is {"uniform": [LOW, HIGH]}': axpy_case(
        inputs={"x": {**SPEC, "values": {"uniform": 1}}}
    ),
    'cases[0]: outputs.y: an output is {"shape": [8, 2048], "dtype": "float16"}': twice_case(
        outputs={"y": {"shape": [8]}}
    ),
    "cases[0]: attrs.alpha: nan is nothing that JSON holds": axpy_case(attrs={"alpha": float("nan")}),
}


@pytest.mark.parametrize("text", WRONG)
def test_refused(text):
    with pytest.raises(sfumato.Error) as error:
        _case.read([WRONG[text]])
    assert str(error.value) == text


def test_unknown_fields_name_those_there_are():
    with pytest.raises(
        sfumato.Error, match=r"^cases\[0\]: 'block' is not known in a case of op; there are op, chip, inputs, "
    ):
        _case.read([axpy_case(block=1)])
    with pytest.raises(
        sfumato.Error, match=r"^cases\[0\]: options: 'schedule' is not known; there are check, overflow, "
    ):
        _case.read([axpy_case(options={"schedule": "late"})])


def test_what_is_right_must_be_said():
    case = axpy_case()
    del case["reference"]
    with pytest.raises(sfumato.Error, match="say what is right"):
        _case.read([case])


def test_lines_of_a_file_are_counted(tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(axpy_case()) + "\n\n{\n")
    with pytest.raises(sfumato.Error) as error:
        _case.read(path)
    assert str(error.value).startswith(f"{path}:3: no JSON: ")
    with pytest.raises(sfumato.Error, match="No such file or directory"):
        _case.read(tmp_path / "none.jsonl")
