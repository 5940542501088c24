# SPDX-License-Identifier: Apache-2.0
"""The vendor's own operators (torch_npu.npu_rms_norm ...): not provided, and a place for a reference of the user's."""

registered = {}


class VendorOperatorError(NotImplementedError, AttributeError):
    """An operator of the vendor's that is not provided; hasattr() says False."""


def missing(name):
    """What access to a name that the package does not have raises."""
    if not name.startswith(("npu_", "_npu_")):
        return AttributeError(f"module 'torch_npu' has no attribute '{name}'")
    return VendorOperatorError(
        f"torch_npu.{name}: the vendor's operators are not provided. "
        f"A reference of yours takes its place: torch_npu.register({name!r}, function)"
    )


def register(name, function):
    """Makes torch_npu.<name> the function. Raises ValueError for a name that is none of the vendor's operators.

    name: "npu_rms_norm"; function: called with what the program passes.
    """
    if not name.startswith(("npu_", "_npu_")):
        raise ValueError(f"register: the vendor's operators are called npu_..., not {name!r}")
    if not callable(function):
        raise TypeError(f"register: {name} needs a function, found {type(function).__name__}")
    registered[name] = function
