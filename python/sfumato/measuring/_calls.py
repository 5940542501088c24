# SPDX-License-Identifier: Apache-2.0
"""The elementwise calls with a real result: what a kernel writes, and where they are legal."""

from __future__ import annotations

from typing import NamedTuple

from .. import _missing, _native
from .._native import Error

CHIPS = ("Ascend910", "Ascend310P", "Ascend910B", "Ascend310B", "Ascend950")  # families whose kernels are Ascend C
TYPES = {"half": "float16", "float": "float32"}

UNARY, BINARY, SCALAR = "{name}(dst, src, n)", "{name}(dst, src, other, n)", "{name}(dst, src, scalar, n)"


class Call(NamedTuple):
    """scalar: of one tile of src; src is the first operand, other or scalar the second."""

    name: str
    code: str
    half: tuple[str, ...] = CHIPS  # families that have it in half
    float: tuple[str, ...] = CHIPS

    @property
    def two(self) -> bool:
        return "other" in self.code or "scalar" in self.code

    def chips(self, type_name: str) -> tuple[str, ...]:
        return {"half": self.half, "float": self.float}[type_name]


_LATER = CHIPS[1:]  # those of the high-level calls


def _rows(names: str, code: str, half: tuple[str, ...] = CHIPS, single: tuple[str, ...] | None = None) -> list[Call]:
    return [
        Call(name, code.replace("{name}", name), half, half if single is None else single) for name in names.split()
    ]


_EXPONENTIAL = "{name}(dst, src, n, T(1.702f))"
CALLS = {
    call.name: call
    for call in [
        *_rows("Abs Exp Ln Reciprocal Rsqrt Sqrt", UNARY),
        *_rows("Relu", UNARY, CHIPS, _LATER),
        *_rows("Add Sub Mul Div Max Min", BINARY),
        *_rows("Adds Muls", SCALAR),
        *_rows("Maxs Mins LeakyRelu", SCALAR, _LATER),
        *_rows("AddRelu SubRelu", BINARY, _LATER),
        *_rows("Sin Cos Tan Asin Acos Atan Sinh Cosh Tanh Asinh Acosh Atanh", UNARY, _LATER),
        *_rows("Erf Erfc Lgamma Digamma Log Log2 Log10", UNARY, _LATER),
        *_rows("Power Fmod Hypot", BINARY, _LATER),
        *_rows("Sigmoid Silu Gelu FasterGelu FasterGeluV2", UNARY, _LATER),
        *_rows("Swish", _EXPONENTIAL, _LATER),
        *_rows("SwiGLU", "float beta = 1; {name}(dst, src, other, beta, n)", _LATER),
        *_rows("GeGLU ReGlu", BINARY, _LATER),
        *_rows("Floor Ceil Trunc Round Frac Sign", UNARY, _LATER),
        *_rows("ClampMax ClampMin", SCALAR, _LATER),
    ]
}


def find(call: str, type_name: str, chip: str) -> tuple[Call, str]:
    """The call and the family of the chip. Throws Error that says what is legal, and which name is near."""
    if call not in CALLS:
        near = _missing.did_you_mean(call, CALLS, 0.6)  # names are short
        raise Error(f"{call} is no elementwise call with a real result{near}\nlegal: {', '.join(CALLS)}")
    if type_name not in TYPES:
        raise Error(
            f"{call} of {type_name}: the vector unit computes real numbers in half and float\nlegal: half, float"
        )
    family = _family(chip)
    legal = CALLS[call].chips(type_name)
    if family not in legal:
        raise Error(
            f"{call} of {type_name} on {chip}: {_reason(family, CALLS[call], type_name)}\nlegal: {', '.join(legal)}, and their products"
        )
    return CALLS[call], family


def _reason(family: str, call: Call, type_name: str) -> str:
    if family not in CHIPS:
        return f"{family} runs TIK alone, no kernels of Ascend C"
    other = "half" if type_name == "float" else "float"
    return f"{family} has it in {other} alone" if family in call.chips(other) else f"{family} does not have it"


def _family(chip: str) -> str:
    wanted = chip.lower()
    names = []
    for one in _native.chips():
        products = list(one["products"])
        # A product whose name is a family's in other letters is the family.
        if wanted == one["name"].lower() or wanted in (name.lower() for name in products):
            return one["name"]
        names += [one["name"], *products]
    raise Error(
        f"unknown chip '{chip}'{_missing.did_you_mean(chip, names)}\nlegal: {', '.join(CHIPS)}, and their products"
    )
