# SPDX-License-Identifier: Apache-2.0
"""TIK: programs that record AI Core instructions from Python.

    from sfumato import tik

    tik.set_current_compile_soc_info("Ascend910B1")
    t = tik.Tik()
    x = t.Tensor("float16", (128,), name="x", scope=tik.scope_gm)
    ...
    t.BuildCCE(kernel_name="k", inputs=[x], outputs=[y])
    y, = t.run({"x": array})

Scripts written for the vendor's package run with `sfumato tik script.py`, or after `import sfumato.tik.compat`.
"""

from . import tik_conf
from ._container import Tik
from ._debugger import DebugQuit
from ._errors import TikError
from ._expr import Expr, Value, negate
from ._expr import all_of as all  # noqa: A004 - the vendor's name
from ._expr import any_of as any  # noqa: A004 - the vendor's name
from ._platform import (
    Dprofile,
    api_check_support,
    get_soc_spec,
    set_current_compile_soc_info,
    unset_product_version,
)
from ._scalar import InputScalar, Scalar, ScalarArray
from ._scopes import (
    scope_aicpu,
    scope_ca,
    scope_cb,
    scope_cbuf,
    scope_cbuf_out,
    scope_cc,
    scope_gm,
    scope_reg,
    scope_smask,
    scope_ubuf,
    scope_vreg,
)
from ._tensor import Tensor

set_product_version = set_current_compile_soc_info


def is_tik_var(value) -> bool:
    """True for what has a value only when the kernel runs."""
    return isinstance(value, (Value, Tensor, ScalarArray))


__all__ = [
    "DebugQuit",
    "Dprofile",
    "Expr",
    "InputScalar",
    "Scalar",
    "ScalarArray",
    "Tensor",
    "Tik",
    "TikError",
    "all",
    "any",
    "api_check_support",
    "get_soc_spec",
    "is_tik_var",
    "negate",
    "scope_aicpu",
    "scope_ca",
    "scope_cb",
    "scope_cbuf",
    "scope_cbuf_out",
    "scope_cc",
    "scope_gm",
    "scope_reg",
    "scope_smask",
    "scope_ubuf",
    "scope_vreg",
    "set_current_compile_soc_info",
    "set_product_version",
    "tik_conf",
    "unset_product_version",
]


def __getattr__(name: str):
    if name.startswith("__"):
        raise AttributeError(name)
    from .._missing import sentence

    # What scripts write on the module is mostly a call of the instance.
    calls = {call: f"a call of a Tik instance: t = tik.Tik(); t.{call}(...)" for call in dir(Tik) if call[0] != "_"}
    raise AttributeError(sentence("sfumato.tik", name, __all__, calls))
