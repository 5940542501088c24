# SPDX-License-Identifier: Apache-2.0
"""The chip a script is built for: set_current_compile_soc_info, get_soc_spec, api_check_support, Dprofile."""

from __future__ import annotations

import csv
import functools
import os
import re
from pathlib import Path

from .. import _native
from .._native import Error, chips
from .._native import tik as native
from ._errors import fault
from ._scopes import MEMORIES

# The vendor's names that mean another product than the family's first. The full name "Ascend910B" is of the first
# generation; the A2 chips are Ascend910B1 to B4 (tik.md 5).
_FULL_NAMES = {"Ascend910B": "Ascend910A", "Ascend310P": "Ascend310P3"}

# Dprofile(ai_core_arch, ai_core_version).
_PROFILES = {
    ("v100", "mini"): "Ascend310",
    ("v100", "cloud"): "Ascend910A",
    ("v200", "aic"): "Ascend310P3",
}

_VECTOR = "-Vector"

# get_soc_spec(key) of a memory.
_SIZES = {"UB_SIZE": "UB", "L1_SIZE": "L1", "L0A_SIZE": "L0A", "L0B_SIZE": "L0B", "L0C_SIZE": "L0C"}
SPECS = ("SOC_VERSION", "SHORT_SOC_VERSION", "AICORE_TYPE", "CORE_NUM", "CUBE_SIZE", "UBBLOCK_SIZE", *_SIZES)


class _Soc:
    """One product and its family."""

    def __init__(self, family: dict, product: str, core_type: str = "AiCore", cores: int | None = None):
        self.family, self.product = family, product
        self.memories = family["memories"]
        self.core_type = "VectorCore" if family["name"].endswith(_VECTOR) else core_type
        counts = family["products"][product]
        self.cores = cores or counts["vector_cores" if self.core_type == "VectorCore" else "cube_cores"]


_current: _Soc | None = None


def _find(name: str, core_type: str) -> tuple[dict, str]:
    """The family and product of a name, for one kind of core."""
    wanted = _FULL_NAMES.get(name, name)
    names = [f"{wanted}{_VECTOR}", wanted] if core_type == "VectorCore" else [wanted]
    for one in names:
        for family in chips():
            product = _matches(family, one)
            if product and family["tik"]:
                if core_type == "VectorCore" and not family["products"][product]["vector_cores"]:
                    raise fault(
                        "the chip has no vector cores of its own",
                        found=f"{core_type!r} with {product}",
                        legal=f"'VectorCore' with {', '.join(_with_vector_cores())}; 'AiCore' with every chip",
                    )
                return family, product
    raise fault(
        "there is no such chip for TIK",
        found=repr(name),
        legal=", ".join(product for family in chips() if family["tik"] for product in family["products"]),
        hint=_meant(name),
    )


def _meant(name: str) -> str:
    """What the library says of a name that it does not know: the names of what is sold so, or one near it."""
    try:
        _native.check_launch_options(name, {})
    except Error as error:
        return str(error).partition("\n")[0].partition("; ")[2]
    return ""


def _with_vector_cores() -> list[str]:
    return [
        product
        for family in chips()
        if family["tik"] and not family["name"].endswith(_VECTOR)
        for product, counts in family["products"].items()
        if counts["vector_cores"]
    ]


def _matches(family: dict, name: str) -> str | None:
    """The product a name of this family stands for."""
    if not isinstance(name, str):
        return None
    if family["name"].lower() == name.lower():
        return next(iter(family["products"]))
    return next((product for product in family["products"] if product.lower() == name.lower()), None)


def set_current_compile_soc_info(
    soc_version: str, core_type: str = "AiCore", aicore_num: int | None = None, l1_fusion: bool | None = None
) -> str:
    """Chooses the chip of the Tik instances made from now on: the vendor's full name, or a family or product.

    core_type   "AiCore" or "VectorCore"; the latter on chips that have vector cores of their own
    aicore_num  cores, where get_soc_spec is to answer another number than the product has
    """
    global _current
    if core_type not in ("AiCore", "VectorCore", "", None):
        raise fault("there is no such kind of core", found=repr(core_type))
    core_type = core_type or "AiCore"
    _current = _Soc(*_find(soc_version, core_type), core_type, aicore_num)
    return "success"


def te_set_version(
    soc_version: str,
    core_type: str = "AiCore",
    aicore_num: int | None = None,
    l1_fusion: bool | None = None,
    l2_mode: object = None,
    l2_fusion: object = None,
    kwargs: object = None,
) -> str:
    """The older name of set_current_compile_soc_info; the page reserves its last three parameters."""
    return set_current_compile_soc_info(soc_version, core_type, aicore_num, l1_fusion)


def get_bit_len(dtype: str) -> int:
    """The bits of one element: 16 for "float16"."""
    digits = re.fullmatch(r"(?:u?int|b?float)(\d+)", dtype) if isinstance(dtype, str) else None
    if digits is None and dtype != "bool":
        raise fault("there is no such type", found=repr(dtype))
    return int(digits[1]) if digits else 8


def choose_chip(name: str) -> None:
    """As set_current_compile_soc_info, with the names of `sfumato chips`."""
    global _current
    for family in chips():
        product = _matches(family, name)
        if product and family["tik"]:
            _current = _Soc(family, product)
            return
    _find(name, "AiCore")  # says what there is


def unset_product_version() -> None:
    """Forgets the chip."""
    global _current
    _current = None


def current_soc() -> _Soc:
    """The chip chosen last, else that of SFUMATO_CHIP, which `sfumato env` sets. Raises TikError where there is neither."""
    if _current is None and (chip := os.environ.get("SFUMATO_CHIP")):
        choose_chip(chip)
    if _current is None:
        raise fault("no chip has been chosen")
    return _current


def get_soc_spec(key: str) -> str | int | tuple[int, ...]:
    """A property of the chosen chip: sizes in bytes, CORE_NUM in cores (tik.md 5, page get_soc_spec)."""
    soc = current_soc()
    if key in _SIZES:
        return soc.memories.get(_SIZES[key], 0)
    values = {
        "SOC_VERSION": soc.product.removesuffix(_VECTOR),
        "FULL_SOC_VERSION": soc.product.removesuffix(_VECTOR),
        "SHORT_SOC_VERSION": soc.family["name"].removesuffix(_VECTOR),
        "AICORE_TYPE": soc.core_type,
        "CORE_NUM": soc.cores,
        "CUBE_SIZE": (16, 16, 16),
        "UBBLOCK_SIZE": 32,
        "ubblock_size": 32,
    }
    if key not in values:
        raise fault("there is no such key", found=repr(key), legal=", ".join(SPECS))
    return values[key]


# What is no call here but part of one, a memory path, or not there at all: the type table. Where cores are separate a
# kernel uses both kinds, so it has one column for both.
@functools.cache
def _support() -> dict[str, dict[str, set[str]]]:
    """instruction -> column of support.csv -> what it has."""
    with (Path(__file__).parent / "support.csv").open(newline="") as file:
        rows = [(row.pop("intrinsics").split(), row) for row in csv.DictReader(file)]
    has = [(names, {column: set(text.split(",")) - {""} for column, text in row.items()}) for names, row in rows]
    return {name: columns for names, columns in has for name in names}


def intrinsic_check_support(intrinsic: str, dtype: str = "") -> bool:
    """True when the chosen chip has the instruction ("Intrinsic_vconv"), for this type or conversion where given."""
    name, family = intrinsic.removeprefix("Intrinsic_"), current_soc().family["name"]
    has = native.support(family, name)
    if has is None:
        has = _support().get(name, {}).get(family, set())
    return dtype in has if dtype else bool(has)


def api_check_support(api_name: str, dtype: str = "") -> bool:
    """As intrinsic_check_support, with the name of a TIK call: "tik.vconv"."""
    return intrinsic_check_support(api_name.removeprefix("tik."), dtype)


class Dprofile:
    """Sizes of the chosen chip. Dprofile("v100", "mini") chooses Ascend310."""

    def __init__(self, ai_core_arch: str | None = None, ai_core_version: str | None = None, ddk_version=None):
        if ai_core_arch is None and ai_core_version is None:
            return
        soc = _PROFILES.get((ai_core_arch, ai_core_version))
        if soc is None:
            raise fault(
                "there is no such profile",
                found=f"({ai_core_arch!r}, {ai_core_version!r})",
                legal=", ".join(str(pair) for pair in _PROFILES),
            )
        set_current_compile_soc_info(soc)

    def get_aicore_num(self) -> int:
        """Cores of the chip."""
        return current_soc().cores

    def get_product_name(self) -> str:
        """The vendor's word for the family."""
        name = current_soc().family["name"]
        return {"Ascend310": "mini", "Ascend910": "cloud"}.get(name, name)

    def get_unified_buffer_size(self) -> int:
        """Bytes of UB."""
        return get_soc_spec("UB_SIZE")

    def get_l1_buffer_size(self) -> int:
        """Bytes of L1."""
        return get_soc_spec("L1_SIZE")

    def get_l0a_buffer_size(self) -> int:
        """Bytes of L0A."""
        return get_soc_spec("L0A_SIZE")

    def get_l0b_buffer_size(self) -> int:
        """Bytes of L0B."""
        return get_soc_spec("L0B_SIZE")

    def get_l0c_buffer_size(self) -> int:
        """Bytes of L0C."""
        return get_soc_spec("L0C_SIZE")

    def buffer_size_query(self, scope: str) -> int:
        """The bytes of a scope."""
        if scope not in MEMORIES:
            raise fault("there is no such memory", found=repr(scope), legal=", ".join(MEMORIES))
        return current_soc().memories.get(MEMORIES[scope], 0)
