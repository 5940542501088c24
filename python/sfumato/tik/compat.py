# SPDX-License-Identifier: Apache-2.0
"""`import sfumato.tik.compat`: the vendor's import lines find this package, for the rest of the process.

    from tbe import tik
    from te import tik
    from tbe.common.platform import set_current_compile_soc_info, get_soc_spec, api_check_support
    from te.platform.cce_conf import te_set_version

Nothing of an installed toolkit is loaded or changed: the names tbe and te are taken in sys.modules, and what TIK
scripts do not need of them is refused with a ModuleNotFoundError that says so.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
import types

from .. import tik
from . import _platform

_PLATFORM = {
    name: getattr(_platform, name)
    for name in ("set_current_compile_soc_info", "get_soc_spec", "api_check_support", "intrinsic_check_support")
}
_PLATFORM["te_set_version"] = _platform.set_current_compile_soc_info
for _name in ("scope_gm", "scope_ubuf", "scope_cbuf", "scope_ca", "scope_cb", "scope_cc"):
    _PLATFORM[_name] = getattr(tik, _name)
# Keys of get_soc_spec that scripts write as constants of the module.
_PLATFORM.update({key: key for key in _platform.SPECS})

# module -> what it has besides its submodules.
_MODULES = {
    "tbe": {},
    "tbe.common": {},
    "tbe.common.platform": _PLATFORM,
    "tbe.common.platform.platform_info": _PLATFORM,
    "te": {},
    "te.platform": _PLATFORM,
    "te.platform.cce_conf": _PLATFORM,
}


class _Refusal(importlib.abc.MetaPathFinder):
    """Says what is not there, before Python looks for an installed toolkit."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname.partition(".")[0] in ("tbe", "te"):
            raise ModuleNotFoundError(
                f"No module named {fullname!r}: sfumato.tik.compat offers tbe.tik, te.tik and "
                f"{', '.join(name for name in _MODULES if '.' in name)}",
                name=fullname,
            )
        return None


def install() -> None:
    """Takes the names; done once by the import."""
    if isinstance(getattr(sys.modules.get("tbe"), "__spec__", None), _Spec):
        return
    for name in [name for name in sys.modules if name.partition(".")[0] in ("tbe", "te")]:
        del sys.modules[name]
    for name, contents in _MODULES.items():
        module = types.ModuleType(name, f"{name} of TIK scripts, by sfumato.tik.compat")
        module.__spec__ = _Spec(name, None, is_package=True)
        module.__path__ = []
        module.__dict__.update(contents)
        _register(name, module)
    for name in ("tbe.tik", "te.tik"):
        _register(name, tik)
    sys.meta_path.insert(0, _Refusal())


class _Spec(importlib.machinery.ModuleSpec):
    """Marks our modules."""


def _register(name, module):
    sys.modules[name] = module
    parent, _, last = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], last, module)


install()
