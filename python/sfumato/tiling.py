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

Shape = Sequence[int]
_TYPES = {"int32_t": np.int32, "uint32_t": np.uint32, "uint16_t": np.uint16, "float": np.float32, "bool": np.bool_}


def _word(value: Any) -> str:
    if isinstance(value, str) or np.ndim(value) == 0:
        return str(value)
    return str(value.tolist() if isinstance(value, np.ndarray) else list(value))


def _value(call: str, *, chip: str, **settings: Any) -> np.record:
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
    given = {name: value for name, value in locals().items() if name != "settings"}
    return _value("matmul", **given, **settings)


def SoftMax(
    shape: Shape, type: str, *, sum_type: str | None = None, workspace: int | None = None, chip: str = ""
) -> np.record:
    """SoftMaxTiling of rows of shape[-1]; sum_type: of sum and maximum; workspace: bytes of the temporary buffer, by
    default as many as are of use. chip: any, no field depends on it."""
    return _value("softmax", **locals())


def LayerNorm(shape: Shape, type: str, *, workspace: int | None = None, chip: str = "") -> np.record:
    """LayerNormTiling of B, S, H[, H before padding]."""
    return _value("layernorm", **locals())


def LayerNormRstd(shape: Shape, type: str, *, workspace: int | None = None, chip: str = "") -> np.record:
    """LayerNormSeparateTiling of A, R: LayerNorm with rstd."""
    return _value("layernormrstd", **locals())


def RmsNorm(
    shape: Shape, type: str, *, original: Shape | None = None, workspace: int | None = None, chip: str = ""
) -> np.record:
    """RmsNormTiling of B, S, H; original: before H was padded."""
    return _value("rmsnorm", **locals())


def TopK(
    *, chip: str, inner: int, k: int, type: str, outter: int = 1, init_index: bool = False, small: bool = False
) -> np.record:
    """TopkTiling of `outter` rows of `inner`; small: mode TOPK_NSMALL."""
    return _value("topk", **locals())


def Transpose(shape: Shape, type: str, kind: int, *, workspace: int | None = None, chip: str = "") -> np.record:
    """ConfusionTransposeTiling; kind: TransposeType, 1 to 7."""
    return _value("transpose", **locals())


def Pad(
    shape: Shape, type: str, *, original: Shape | None = None, workspace: int | None = None, chip: str = ""
) -> np.record:
    """PadTiling of height, width; original: the valid columns."""
    return _value("pad", **locals())


def LogSoftMax(shape: Shape, type: str, *, workspace: int | None = None, chip: str = "") -> np.record:
    """LogSoftMaxTiling of rows of shape[-1]."""
    return _value("logsoftmax", **locals())


def DeepNorm(
    shape: Shape, type: str, *, original: Shape | None = None, workspace: int | None = None, chip: str = ""
) -> np.record:
    """DeepNormTiling of B, S, H; original: before H was padded."""
    return _value("deepnorm", **locals())


def GroupNorm(shape: Shape, type: str, *, groups: int, workspace: int | None = None, chip: str = "") -> np.record:
    """GroupNormTiling of N, C, H, W."""
    return _value("groupnorm", **locals())


def BatchNorm(
    shape: Shape, type: str, *, original: Shape | None = None, workspace: int | None = None, chip: str = ""
) -> np.record:
    """BatchNormTiling of B, S, H; original: before padding."""
    return _value("batchnorm", **locals())


def LayerNormGrad(shape: Shape, type: str, *, workspace: int | None = None, chip: str = "") -> np.record:
    """LayerNormGradTiling of B, S, H."""
    return _value("layernormgrad", **locals())


def LayerNormGradBeta(shape: Shape, type: str, *, workspace: int | None = None, chip: str = "") -> np.record:
    """LayerNormGradBetaTiling of B, S, H."""
    return _value("layernormgradbeta", **locals())


def UnPad(shape: Shape, type: str, *, workspace: int | None = None, chip: str = "") -> np.record:
    """UnPadTiling of height, width."""
    return _value("unpad", **locals())


def tmp_sizes(call: str, shape: Shape, type: str) -> tuple[int, int]:
    """The largest and smallest temporary buffer of an elementwise call, in bytes: GetXxxMaxMinTmpSize."""
    return _native.tmp_sizes(call, list(shape), type)
