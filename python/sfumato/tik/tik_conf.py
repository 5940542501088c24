# SPDX-License-Identifier: Apache-2.0
"""tik.tik_conf: the names of the platform, as `tik` has them too."""

from ._platform import Dprofile, unset_product_version
from ._platform import set_current_compile_soc_info as set_product_version

__all__ = ["Dprofile", "set_product_version", "unset_product_version"]


def __getattr__(name: str):
    raise AttributeError(f"tik: tik_conf.{name} is not there; tik_conf has {', '.join(__all__)}")
