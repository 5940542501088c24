# SPDX-License-Identifier: Apache-2.0
"""tbe.common.utils.para_check: the checks that operator functions put on their arguments, by the TBE Utils pages.

They are checks of the script by the script, so a failure is the RuntimeError those pages name, not a TikError.
"""

from __future__ import annotations

import functools
import inspect
import math
import re
from collections.abc import Callable, Sequence


class OpParamInfoKey:
    """The keys of the dict that describes an input or output."""

    SHAPE = "shape"
    FORMAT = "format"
    ORI_SHAPE = "ori_shape"
    ORI_FORMAT = "ori_format"
    D_TYPE = "dtype"
    RANGE = "range"


ALL_FORMAT_LIST = tuple(
    "ND NCHW NHWC NDHWC NCDHW CHWN NC1HWC0 NC1HWC0_C04 NDC1HWC0 FRACTAL_NZ HWCN DHWCN FRACTAL_Z FRACTAL_Z_C04 "
    "C1HWNCoC0 FRACTAL_Z_3D FRACTAL_ZN_LSTM".split()
)
ALL_DTYPE_LIST = tuple("int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64".split())
TensorFormat = type("TensorFormat", (), {name: name for name in (*ALL_FORMAT_LIST, "ND_RNN_BIAS")})

PARAM_NAME = "NULL"
RANK_LIMIT = 8
DIM_LIMIT = 2**31
# The page of check_shape says 2**31, that of check_shape_size 2**31 - 1 and refuses from one more on.
SHAPE_SIZE_LIMIT = 2**31 - 1

KERNEL_NAME = "kernel_name"
# The kinds of attributes: Python's types of one, or of an element of a list.
_ATTRIBUTES = {"INT": (int,), "FLOAT": (float, int), "STR": (str,), "BOOL": (bool,), "TYPE": (str,)}
_LISTS = {"LIST_INT": (int,), "LIST_FLOAT": (float, int), "LIST_BOOL": (bool,), "LIST_LIST_INT": (list, tuple)}
# What check_op_params takes, under the names scripts use: para_check.REQUIRED_INPUT.
kinds = {
    f"{need}_{what}": f"{need}_{what}"
    for need, whats in {
        "REQUIRED": ("INPUT", "OUTPUT", *(f"ATTR_{name}" for name in (*_ATTRIBUTES, *_LISTS))),
        "OPTION": ("INPUT", "OUTPUT", *(f"ATTR_{name}" for name in (*_ATTRIBUTES, *_LISTS))),
        "DYNAMIC": ("INPUT", "OUTPUT"),
    }.items()
    for what in whats
}


def _expect(holds: object, check: str, name: str, found: object, legal: str) -> None:
    if not holds:
        raise RuntimeError(f"{check}: {name} is {found!r}; legal: {legal}")


def check_dtype(dtype: str, check_list: Sequence[str] = ALL_DTYPE_LIST, param_name: str = PARAM_NAME) -> None:
    """The type is one of the list."""
    legal = (check_list,) if isinstance(check_list, str) else check_list
    _expect(dtype in legal, "check_dtype", f"the dtype of {param_name}", dtype, ", ".join(legal))


def check_dtype_rule(dtype: str, check_list: Sequence[str], param_name: str = "default") -> None:
    """The type is one of the list, which has no default."""
    check_dtype(dtype, check_list, param_name)


def check_format(data_format: str, check_list: Sequence[str] | None = None, param_name: str = PARAM_NAME) -> None:
    """The format is one of the list."""
    legal = ALL_FORMAT_LIST if check_list is None else check_list
    _expect(data_format in legal, "check_format", f"the format of {param_name}", data_format, ", ".join(legal))


def check_shape(
    shape: Sequence[int],
    min_dim: int = 0,
    max_dim: int = DIM_LIMIT,
    min_rank: int = 0,
    max_rank: int = RANK_LIMIT,
    min_size: int = 0,
    max_size: int = 2**31,
    param_name: str = PARAM_NAME,
) -> None:
    """The dims, their number and their product are in range."""
    name = f"the shape of {param_name}"
    _expect(isinstance(shape, (list, tuple)), "check_shape", name, shape, "a list or tuple")
    _expect(min_rank <= len(shape) <= max_rank, "check_shape", name, shape, f"{min_rank}..{max_rank} dims")
    dims = all(isinstance(dim, int) and min_dim <= dim <= max_dim for dim in shape)
    _expect(dims, "check_shape", name, shape, f"ints {min_dim}..{max_dim}")
    _expect(min_size <= math.prod(shape) <= max_size, "check_shape", name, shape, f"{min_size}..{max_size} elements")


def check_shape_rule(
    shape: Sequence[int], min_dim: int | None = None, max_dim: int | None = None, max_shape_num: int | None = None
) -> None:
    """As check_shape; min_dim and max_dim count the dims, which are 1 or more."""
    least, most = 1 if min_dim is None else min_dim, RANK_LIMIT if max_dim is None else max_dim
    check_shape(shape, 1, DIM_LIMIT, least, most, 0, 200000000 if max_shape_num is None else max_shape_num)


def check_shape_size(shape: Sequence[int], limit: int = SHAPE_SIZE_LIMIT + 1) -> None:
    """The product of the dims is below the limit."""
    _expect(math.prod(shape) < limit, "check_shape_size", "the shape", shape, f"less than {limit} elements")


def check_kernel_name(kernel_name: str) -> None:
    """A name of at most 200 letters, digits and underscores, no digit first."""
    good = isinstance(kernel_name, str) and re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,199}", kernel_name)
    _expect(good, "check_kernel_name", "kernel_name", kernel_name, "up to 200 letters, digits, _; no digit first")


def _check_tensor(name: str, value: object) -> None:
    _expect(isinstance(value, dict), "check_op_params", name, value, "a dict of shape, dtype, format")
    keys = OpParamInfoKey
    needed = (keys.SHAPE, keys.FORMAT, keys.ORI_SHAPE, keys.ORI_FORMAT, keys.D_TYPE)
    _expect(all(key in value for key in needed), "check_op_params", name, value, f"a dict with {', '.join(needed)}")
    # A dynamic operator has -1 for a dim it does not know, and (-2,) for a shape.
    known = [dim for dim in value[keys.SHAPE] if dim not in (-1, -2)]
    check_shape(known if isinstance(value[keys.SHAPE], (list, tuple)) else value[keys.SHAPE], param_name=name)
    # The page lists fewer types than TIK's tensors have.
    check_dtype(value[keys.D_TYPE].lower(), (*ALL_DTYPE_LIST, "bool", "bfloat16"), name)
    check_format(value[keys.FORMAT], (*ALL_FORMAT_LIST, "ND_RNN_BIAS"), name)


def _check_attribute(name: str, kind: str, value: object) -> None:
    if kind in _ATTRIBUTES:
        types, values = _ATTRIBUTES[kind], [value]
    else:
        types, values = _LISTS[kind], value
        _expect(isinstance(value, (list, tuple)), "check_op_params", name, value, "a list or tuple")
    wanted = " or ".join(one.__name__ for one in types)
    for one in values:
        fits = isinstance(one, types) and (isinstance(one, bool) == (bool in types))
        _expect(fits, "check_op_params", name, value, wanted)
    if kind == "TYPE":
        check_dtype(value, param_name=name)


def _check_argument(name: str, kind: str, value: object) -> None:
    if kind == KERNEL_NAME:
        return check_kernel_name(value)
    need, _, what = kind.partition("_")
    if need == "OPTION" and value is None:
        return None
    if what.startswith("ATTR_"):
        return _check_attribute(name, what.removeprefix("ATTR_"), value)
    if need == "DYNAMIC":
        _expect(isinstance(value, (list, tuple)), "check_op_params", name, value, "a list or tuple of dicts")
        for one in value:
            _check_tensor(name, one)
        return None
    return _check_tensor(name, value)


def _checking(each: Callable, rules: Sequence) -> Callable:
    """A decorator that calls each(name, rule, value) for the arguments that were given."""

    def decorate(function: Callable) -> Callable:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def checked(*args, **kwargs):
            given = signature.bind(*args, **kwargs).arguments
            for name, rule in zip(signature.parameters, rules):
                try:
                    if name in given:
                        each(name, rule, given[name])
                except RuntimeError as error:
                    # The traceback ends at the call of the operator, not in the checks.
                    raise error.with_traceback(None) from None
            return function(*args, **kwargs)

        return checked

    return decorate


def check_op_params(*type_args: str, **type_kwargs: object) -> Callable:
    """A decorator: the arguments are what the kinds say, in the order of the parameters."""
    legal = [*kinds, KERNEL_NAME]
    for kind in type_args:
        _expect(kind in legal, "check_op_params", "the kind of an argument", kind, ", ".join(legal))
    return _checking(_check_argument, type_args)


def _check_type(name: str, wanted: type | tuple, value: object) -> None:
    _expect(isinstance(value, wanted), "check_input_type", name, value, str(wanted))
    if isinstance(value, dict):
        for key, types in ((OpParamInfoKey.SHAPE, (list, tuple)), (OpParamInfoKey.D_TYPE, str)):
            if key in value:
                _expect(isinstance(value[key], types), "check_input_type", f"{name}[{key!r}]", value[key], str(types))


def check_input_type(*type_args: type | tuple, **type_kwargs: object) -> Callable:
    """A decorator: the arguments are of these Python types, in the order of the parameters."""
    return _checking(_check_type, type_args)
