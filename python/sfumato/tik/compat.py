# SPDX-License-Identifier: Apache-2.0
"""`import sfumato.tik.compat`: the vendor's import lines find this package, for the rest of the process.

    from tbe import tik
    from te import tik
    from tbe.common.platform import set_current_compile_soc_info, get_soc_spec, api_check_support
    from tbe.common.utils import para_check, shape_util
    from tbe.common.register import register_operator
    from te.platform.cce_conf import te_set_version
    from te.utils.error_manager import error_manager_vector
    import te.lang.dynamic

Nothing of an installed toolkit is loaded or changed: the names tbe and te are taken in sys.modules, and what TIK
scripts do not need of them is refused with a ModuleNotFoundError that says so.
"""

import importlib.abc
import importlib.machinery
import math
import sys
import types
from collections.abc import Callable

from .. import tik
from . import _error_manager, _para_check, _platform, _shape_util

_PLATFORM = {
    name: getattr(_platform, name)
    for name in (
        "set_current_compile_soc_info",
        "get_soc_spec",
        "get_bit_len",
        "api_check_support",
        "intrinsic_check_support",
        "te_set_version",
    )
}
for _name in ("scope_gm", "scope_ubuf", "scope_cbuf", "scope_ca", "scope_cb", "scope_cc"):
    _PLATFORM[_name] = getattr(tik, _name)
# Keys of get_soc_spec that scripts write as constants of the module.
_PLATFORM.update({key: key for key in _platform.SPECS})
# The older package has one more: how the toolkit's compiler uses the L2 cache changes no result.
_CCE_CONF = {**_PLATFORM, "te_set_l2_mode": lambda mode: None}


def _public(module: types.ModuleType) -> dict:
    """The classes, functions and constants that the module makes."""
    made = {name: getattr(value, "__module__", None) == module.__name__ for name, value in vars(module).items()}
    return {name: getattr(module, name) for name in sorted(made) if name[0] != "_" and (made[name] or name.isupper())}


def _keep(function: Callable) -> Callable:
    return function


# Decorators of operators for the toolkit's graph compiler; a function stays what it is.
_REGISTER = {
    "register_operator": lambda op_type, pattern=None: _keep,
    "register_op_compute": lambda op_type, op_mode="dynamic", support_fusion=True: _keep,
    "set_fusion_buildcfg": lambda op_type, config: None,
}
_PARA_CHECK = {**_public(_para_check), **_para_check.kinds}
_TIK_UTIL = {
    "DTYPE_SIZE": {name: _platform.get_bit_len(name) // 8 for name in _para_check.ALL_DTYPE_LIST},
    "ceil_div": lambda value, factor: (value + factor - 1) // factor,
    "reduce_mul": math.prod,
}

# module -> what it has besides its submodules.
_MODULES = {
    "tbe": {},
    "tbe.common": {},
    "tbe.common.platform": _PLATFORM,
    "tbe.common.platform.platform_info": _PLATFORM,
    "tbe.common.register": _REGISTER,
    "tbe.common.utils": {},
    "tbe.common.utils.errormgr": _error_manager.NAMES,
    "tbe.common.utils.para_check": _PARA_CHECK,
    "tbe.common.utils.shape_util": _public(_shape_util),
    "te": {},
    # Scripts for dynamic shapes import it for what that does in the toolkit; nothing is to be had from it.
    "te.lang": {},
    "te.lang.dynamic": {},
    "te.op": _REGISTER,
    "te.platform": _CCE_CONF,
    "te.platform.cce_conf": _CCE_CONF,
    "te.utils": {},
    "te.utils.error_manager": {},
    **{f"te.utils.error_manager.error_manager_{kind}": _error_manager.NAMES for kind in ("cube", "util", "vector")},
    "te.utils.op_utils": _PARA_CHECK,
    "te.utils.para_check": _PARA_CHECK,
    "te.utils.shape_util": _public(_shape_util),
}
# Submodules of tbe.tik and te.tik, which are `tik` itself.
_OF_TIK = {"common": {}, "common.util": _TIK_UTIL}

# What other packages of the toolkit are for, where a script asks for them.
_ELSEWHERE = {
    "tbe.dsl": "the DSL is scheduled by the toolkit's own compiler",
    "tbe.tvm": "the DSL is scheduled by the toolkit's own compiler",
    "te.lang": "the DSL is scheduled by the toolkit's own compiler",
    "te.tvm": "the DSL is scheduled by the toolkit's own compiler",
    "impl": "the toolkit's operator library is not part of TIK",
    "topi": "the toolkit's operator library is not part of TIK",
}


class _Refusal(importlib.abc.MetaPathFinder):
    """Says what is not there: a module of these packages, or a name that an import line wants of one."""

    def __init__(self, *packages: str):
        self.packages = packages

    def find_spec(self, fullname, path=None, target=None):
        if fullname.partition(".")[0] not in self.packages:
            return None
        parent, _, last = fullname.rpartition(".")
        if names := _MODULES.get(parent):
            text = f"cannot import name {last!r} from {parent!r}: sfumato.tik.compat offers {', '.join(names)} there"
        else:
            why = next((why for name, why in _ELSEWHERE.items() if f"{fullname}.".startswith(f"{name}.")), None)
            offered = ", ".join(name for name, names in _MODULES.items() if names)
            text = f"No module named {fullname!r}: {f'{why}; ' if why else ''}"
            text += f"sfumato.tik.compat offers tbe.tik, te.tik, {offered}"
        # Without its name the error is not taken for that of a lookup Python tries first, and the text stays.
        raise ModuleNotFoundError(text)


def install() -> None:
    """Takes the names; done once by the import."""
    if isinstance(getattr(sys.modules.get("tbe"), "__spec__", None), _Spec):
        return
    for name in [name for name in sys.modules if name.partition(".")[0] in ("tbe", "te")]:
        del sys.modules[name]
    for name, contents in _MODULES.items():
        _register(name, _module(name, contents))
    for package in ("tbe", "te"):
        _register(f"{package}.tik", tik)
        for name, contents in _OF_TIK.items():
            _register(f"{package}.tik.{name}", _module(f"{package}.tik.{name}", contents))
    # Before Python looks for an installed toolkit; last for names that may be packages of the user's own.
    sys.meta_path.insert(0, _Refusal("tbe", "te"))
    sys.meta_path.append(_Refusal("impl", "topi"))


class _Spec(importlib.machinery.ModuleSpec):
    """Marks our modules."""


def _module(name: str, contents: dict) -> types.ModuleType:
    module = types.ModuleType(name, f"{name} of TIK scripts, by sfumato.tik.compat")
    module.__spec__ = _Spec(name, None, is_package=True)
    module.__path__ = []
    module.__dict__.update(contents)
    return module


def _register(name, module):
    sys.modules[name] = module
    parent, _, last = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], last, module)


install()
