# SPDX-License-Identifier: Apache-2.0
"""The vendor's own operators (torch_npu.npu_rms_norm ...): those of _operators.py, computed by reference operators, and
a place for a function of the user's, which wins. Others are refused by name."""

from types import SimpleNamespace

import torch

from . import _aclnn, _C
from ._operators import OPERATORS, Out

_ND, _NZ = 2, 29
registered = {}
_library = torch.library.Library("npu", "FRAGMENT")


class VendorOperatorError(NotImplementedError, AttributeError):
    """An operator of the vendor's that is not provided; hasattr() says False."""


def _instead(name):
    return f"A reference of yours takes its place: torch_npu.register({name!r}, function)"


def missing(name):
    """What access to a name that the package does not have raises."""
    if not name.startswith(("npu_", "_npu_")):
        return AttributeError(f"module 'torch_npu' has no attribute '{name}'")
    return VendorOperatorError(f"torch_npu.{name}: this operator of the vendor's is not provided. {_instead(name)}")


def register(name, function):
    """Makes torch_npu.<name> the function. Raises ValueError for a name that is none of the vendor's operators.

    name: "npu_rms_norm"; function: called with what the program passes.
    """
    if not name.startswith(("npu_", "_npu_")):
        raise ValueError(f"register: the vendor's operators are called npu_..., not {name!r}")
    if not callable(function):
        raise TypeError(f"register: {name} needs a function, found {type(function).__name__}")
    registered[name] = function


def _whole(name, value):
    """A value with its tensors in elements' order: FRACTAL_NZ has the same values.

    Raises RuntimeError for a tensor of another device.
    """
    if isinstance(value, (list, tuple)):
        return [_whole(name, part) for part in value]
    if not isinstance(value, torch.Tensor):
        return value
    if value.device.type != "npu":
        raise RuntimeError(f"{name}: expected a tensor of the device npu, found one of {value.device.type}")
    return torch.ops.npu.npu_format_cast(value, _ND) if torch.ops.npu.get_npu_format(value) == _NZ else value


def _tensor(value):
    """Outs in a parameter as the tensors they are."""
    if isinstance(value, (list, tuple)):
        return [_tensor(part) for part in value]
    return value.tensor if isinstance(value, Out) else value


def _outs(values):
    for value in values:
        if isinstance(value, list):
            yield from _outs(value)
        elif isinstance(value, Out):
            yield value.tensor


def _run(row, name, parameters, given):
    """One call: arguments by name, then what the row makes of them."""
    for parameter in row.without.split():
        if given[parameter] not in (parameters[parameter], None, []):
            raise NotImplementedError(f"{parameter}: the reference operator does not take it. {_instead(name)}")
    tensors = [t for value in given.values() for t in (value if isinstance(value, (list, tuple)) else [value])]
    fake = any(isinstance(t, torch.Tensor) and t.device.type == "meta" for t in tensors)
    if not fake:
        given = {parameter: _whole(parameter, value) for parameter, value in given.items()}
    function, *values = row.call(SimpleNamespace(**given))
    results = list(_outs(values))
    if not fake:
        _aclnn.call(function, [_tensor(value) for value in values])
    return row.returns(results) if row.returns else results


def _define(row):
    """torch.ops.npu.<name> for devices and fake tensors."""
    whole = row.schema.partition("(")[0]
    name = whole.partition(".")[0]
    _library.define(row.schema)
    schema = torch._C.parse_schema(f"npu::{row.schema}")
    parameters = {a.name: a.default_value if a.has_default_value() else None for a in schema.arguments}
    single = len(schema.returns) == 1 and str(schema.returns[0].type) == "Tensor"

    def run(*arguments, **named):
        if name in registered:
            return registered[name](*arguments, **named)
        given = {**parameters, **dict(zip(parameters, arguments)), **named}
        try:
            results = _run(row, name, parameters, given)
        except (TypeError, ValueError, RuntimeError) as error:
            raise type(error)(f"torch_npu.{name}: {error}") from None
        return results[0] if single else tuple(results) if len(schema.returns) > 1 else results

    _library.impl(whole, run, "CompositeExplicitAutograd")
    return whole


_C.refuse_gradients([_define(row) for row in OPERATORS])
provided = {row.schema.partition("(")[0].partition(".")[0] for row in OPERATORS}


def find(name):
    """torch_npu.<name>. Raises what missing() gives."""
    if name in registered:
        return registered[name]
    if name in provided:
        return getattr(torch.ops.npu, name)
    raise missing(name)
