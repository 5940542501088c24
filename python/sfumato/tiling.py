# SPDX-License-Identifier: Apache-2.0
"""What the tiling functions of host code give, for people who have no host code.

t = sfumato.tiling.Matmul(chip="Ascend910B1", m=512, n=512, k=512, a="half", b="half", c="float", cores=20)
t.usedCoreNum, t.baseM
lib.matmul[20](a, b, c, workspace, t)
lib.fused[20](a, b, c, workspace, sfumato.Struct(rounds=numpy.uint32(4), mm=t))

Each is a structured NumPy value with the fields of the struct: an argument wherever tiling is one, a field of a
sfumato.Struct, bytes with .tobytes(). What cannot work is refused with the constraint that it breaks. The settings stand
in docs/tiling.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _native

_TYPES = {"int32_t": np.int32, "uint32_t": np.uint32, "uint16_t": np.uint16, "float": np.float32, "bool": np.bool_}


def _word(value: Any) -> str:
    if isinstance(value, str) or np.ndim(value) == 0:
        return str(value)
    return str(value.tolist() if isinstance(value, np.ndarray) else list(value))


def _value(chip: str, call: str, settings: dict[str, Any]) -> np.record:
    """Settings that are None are not given."""
    words = [(key, _word(value)) for key, value in settings.items() if value is not None]
    _, fields, data = _native.tiling_of(chip, call, words)
    layout = np.dtype([(name, _TYPES[kind]) for kind, name in fields], align=True)
    return np.frombuffer(data, np.dtype((np.record, layout)))[0]


def Matmul(
    *,
    chip: str,
    m: int,
    n: int,
    k: int,
    a: str,
    b: str,
    c: str,
    bias: str | None = None,
    cores: int | None = None,
    **settings: Any,
) -> np.record:
    """TCubeTiling of C[m, n] = A[m, k] x B[k, n] + bias, sizes in elements.

    a, b, c, bias  a type, and in any order a format, a position, "transposed": "half", "int8 NZ", "half transposed TSCM"
    cores          the cores that may share it (MultiCoreMatmulTiling); without it one core (MatmulApiTiling)
    settings       org_m, org_n, org_ka, org_kb; single_m, single_n, single_k; align_m ...; base_m, base_n; l1, l0c, ub,
                   bt (bytes); first ("m", "n"); split_k; batch, batch_a, batch_b, a_layout, b_layout, c_layout"""
    sizes = {"m": m, "n": n, "k": k, "a": a, "b": b, "c": c, "bias": bias, "cores": cores}
    return _value(chip, "matmul", sizes | settings)


def SoftMax(
    shape: Sequence[int], type: str, *, sum_type: str | None = None, workspace: int | None = None, chip: str = ""
) -> np.record:
    """SoftMaxTiling of rows of shape[-1]; sum_type: of sum and maximum; workspace: bytes of the temporary buffer, by
    default as many as are of use. chip: any, no field depends on it."""
    settings = {"shape": shape, "type": type, "sum_type": sum_type, "workspace": workspace}
    return _value(chip, "softmax", settings)


def LayerNorm(shape: Sequence[int], type: str, *, workspace: int | None = None, chip: str = "") -> np.record:
    """LayerNormTiling of B, S, H[, H before padding]."""
    return _value(chip, "layernorm", {"shape": shape, "type": type, "workspace": workspace})


def LayerNormRstd(shape: Sequence[int], type: str, *, workspace: int | None = None, chip: str = "") -> np.record:
    """LayerNormSeparateTiling of A, R: LayerNorm with rstd."""
    return _value(chip, "layernormrstd", {"shape": shape, "type": type, "workspace": workspace})


def RmsNorm(
    shape: Sequence[int],
    type: str,
    *,
    original: Sequence[int] | None = None,
    workspace: int | None = None,
    chip: str = "",
) -> np.record:
    """RmsNormTiling of B, S, H; original: before H was padded."""
    return _value(chip, "rmsnorm", {"shape": shape, "original": original, "type": type, "workspace": workspace})


def TopK(
    *, chip: str, inner: int, k: int, type: str, outter: int = 1, init_index: bool = False, small: bool = False
) -> np.record:
    """TopkTiling of `outter` rows of `inner`; small: mode TOPK_NSMALL."""
    settings = {"inner": inner, "outter": outter, "k": k, "type": type, "init_index": init_index, "small": small}
    return _value(chip, "topk", settings)


def Transpose(shape: Sequence[int], type: str, kind: int, *, workspace: int | None = None, chip: str = "") -> np.record:
    """ConfusionTransposeTiling; kind: TransposeType, 1 to 7."""
    return _value(chip, "transpose", {"shape": shape, "type": type, "kind": kind, "workspace": workspace})


def Pad(
    shape: Sequence[int],
    type: str,
    *,
    original: Sequence[int] | None = None,
    workspace: int | None = None,
    chip: str = "",
) -> np.record:
    """PadTiling of height, width; original: the valid columns."""
    return _value(chip, "pad", {"shape": shape, "original": original, "type": type, "workspace": workspace})


def LogSoftMax(shape: Sequence[int], type: str, *, workspace: int | None = None, chip: str = "") -> np.record:
    """LogSoftMaxTiling of rows of shape[-1]."""
    return _value(chip, "logsoftmax", {"shape": shape, "type": type, "workspace": workspace})


def DeepNorm(
    shape: Sequence[int],
    type: str,
    *,
    original: Sequence[int] | None = None,
    workspace: int | None = None,
    chip: str = "",
) -> np.record:
    """DeepNormTiling of B, S, H; original: before H was padded."""
    return _value(chip, "deepnorm", {"shape": shape, "original": original, "type": type, "workspace": workspace})


def GroupNorm(
    shape: Sequence[int], type: str, *, groups: int, workspace: int | None = None, chip: str = ""
) -> np.record:
    """GroupNormTiling of N, C, H, W."""
    return _value(chip, "groupnorm", {"shape": shape, "type": type, "groups": groups, "workspace": workspace})


def BatchNorm(
    shape: Sequence[int],
    type: str,
    *,
    original: Sequence[int] | None = None,
    workspace: int | None = None,
    chip: str = "",
) -> np.record:
    """BatchNormTiling of B, S, H; original: before padding."""
    return _value(chip, "batchnorm", {"shape": shape, "original": original, "type": type, "workspace": workspace})


def LayerNormGrad(shape: Sequence[int], type: str, *, workspace: int | None = None, chip: str = "") -> np.record:
    """LayerNormGradTiling of B, S, H."""
    return _value(chip, "layernormgrad", {"shape": shape, "type": type, "workspace": workspace})


def LayerNormGradBeta(shape: Sequence[int], type: str, *, workspace: int | None = None, chip: str = "") -> np.record:
    """LayerNormGradBetaTiling of B, S, H."""
    return _value(chip, "layernormgradbeta", {"shape": shape, "type": type, "workspace": workspace})


def UnPad(shape: Sequence[int], type: str, *, workspace: int | None = None, chip: str = "") -> np.record:
    """UnPadTiling of height, width."""
    return _value(chip, "unpad", {"shape": shape, "type": type, "workspace": workspace})


def tmp_sizes(call: str, shape: Sequence[int], type: str) -> tuple[int, int]:
    """The largest and smallest temporary buffer of an elementwise call, in bytes: GetXxxMaxMinTmpSize."""
    return _native.tmp_sizes(call, list(shape), type)
