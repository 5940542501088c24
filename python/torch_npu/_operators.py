# SPDX-License-Identifier: Apache-2.0
"""The vendor's operators (torch_npu.npu_rms_norm ...) that are provided, as one table: how the pages declare each, and
the reference operator of aclnn that computes it. The numbers are made in src/reference alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from collections.abc import Callable, Sequence

import torch

from ._aclnn import Scalar

_V700 = "Pytorch/700/apiref/apilist/"
_V720 = "Pytorch/720/apiref/torchnpuCustomsapi/context/"
_V600 = "Pytorch/600/apiref/apilist/"
_ACLNN = "CANNCommunityEdition/800alpha003/apiref/aolapi/context/"


@dataclass(frozen=True)
class Operator:
    schema: str  # as PyTorch reads it
    page: str  # below https://www.hiascend.com/document/detail/zh/
    # From the arguments, as attributes: the name of the aclnn function, then the values of its first phase in order.
    call: Callable[[Any], Sequence]
    # What the call returns of the Outs, in their order; None: all of them.
    returns: Callable[[list], tuple] | None = None
    # Parameters that must be left as they are by default: a reference has no meaning for others.
    without: str = ""


class Out:
    """A result of the function. tensor: where it goes."""

    def __init__(self, tensor):
        self.tensor = tensor


def _like(tensor, shape=None, dtype=None):
    return Out(tensor.new_empty(tensor.shape if shape is None else tuple(shape), dtype=dtype or tensor.dtype))


def _one_of(name, value, legal):
    """What stands for a word of the program's. Raises ValueError for others."""
    if value not in legal:
        raise ValueError(f"{name}: {value!r}; legal are {', '.join(map(repr, legal))}")
    return legal[value]


_BYTES = {torch.int8: torch.int8, torch.qint8: torch.int8}
_DIVIDED = {**_BYTES, torch.quint8: torch.uint8, torch.uint8: torch.uint8, torch.int32: torch.int32}


def _rms_norm(a):
    kept = list(a.self.shape[: a.self.dim() - a.gamma.dim()]) + [1] * min(a.gamma.dim(), a.self.dim())
    return "aclnnRmsNorm", a.self, a.gamma, a.epsilon, _like(a.self), _like(a.self, kept, torch.float32)


def _swiglu(a):
    shape = list(a.input.shape)
    if shape and -len(shape) <= a.dim < len(shape):
        shape[a.dim] //= 2
    return "aclnnSwiGlu", a.input, a.dim, _like(a.input, shape)


def _apply_rotary(a):
    layout = _one_of("layout", a.layout, {"BSH": 1, "BSND": 1})
    _one_of("rotary_mode", a.rotary_mode, {"half": 0})
    return "aclnnApplyRotaryPosEmb", Out(a.query), Out(a.key), a.cos, a.sin, layout


def _quantize(a):
    if a.div_mode:
        dtype = _one_of("dtype", a.dtype, _DIVIDED)
        return "aclnnQuantize", a.input, a.scales, a.zero_points, dtype, a.axis, _like(a.input, dtype=dtype)
    # The page: -2 is the last dimension but one, every other number the last.
    _one_of("axis", -2 if a.axis == -2 else -1, {-1: -1})
    dtype = _one_of("dtype", a.dtype, _BYTES)
    return "aclnnAscendQuant", a.input, a.scales, a.zero_points, False, "round", 2, _like(a.input, dtype=dtype)


def _quant_matmul(a):
    legal = {**_BYTES, torch.float16: torch.float16, torch.bfloat16: torch.bfloat16}
    dtype = _one_of("output_dtype", a.output_dtype or torch.int8, legal)
    batch = torch.broadcast_shapes(a.x1.shape[:-2], a.x2.shape[:-2])
    out = _like(a.x1, [*batch, *a.x1.shape[-2:-1], *a.x2.shape[-1:]], dtype)
    return "aclnnQuantMatmulV4", a.x1, a.x2, a.scale, a.offset, a.pertoken_scale, a.bias, False, False, out


def _dynamic_quant(a):
    dtype = _one_of("dst_type", a.dst_type or torch.int8, _BYTES)
    scale = _like(a.x, a.x.shape[:-1], torch.float32)
    return "aclnnDynamicQuant", a.x, a.smooth_scales, _like(a.x, dtype=dtype), scale


def _anti_quant(a):
    to = _one_of("dst_dtype", a.dst_dtype or torch.float16, {t: t for t in (torch.float16, torch.bfloat16)})
    _one_of("src_dtype", a.src_dtype or torch.int8, _BYTES)
    return "aclnnAscendAntiQuant", a.x, a.scale, a.offset, to, False, _like(a.x, dtype=to)


def _linear(a):
    weight = a.weight.t()
    out = _like(a.input, [*a.input.shape[:-1], *weight.shape[1:]])
    if a.bias is None:
        return "aclnnMatmul", a.input, weight, out, 0
    return "aclnnAddmm", a.bias, a.input, weight, Scalar(1), Scalar(1), out, 0


def _batch_product(a):
    batch = torch.broadcast_shapes(a.self.shape[:-2], a.mat2.shape[:-2])
    out = _like(a.self, [*batch, *a.self.shape[-2:-1], *a.mat2.shape[-1:]])
    return "aclnnMatmul", a.self, a.mat2, out, 0


def _grouped(a):
    if not a.x:
        raise ValueError("x: an empty list; legal is a list of tensors")
    dtype = a.output_dtype or a.x[0].dtype
    groups, kind = a.group_list, -1 if a.group_type is None else a.group_type
    if isinstance(groups, (list, tuple)):
        kind = 0 if groups else kind
        groups = a.x[0].new_tensor(groups, dtype=torch.int64) if groups else None
    columns = [w.shape[-1] for w in a.weight]
    outs = [_like(x, [*x.shape[:-1], n], dtype) for x, n in zip(a.x, columns)]
    lists = [a.bias or None, None, None, None, None, None, groups, None, None, None]
    split, act = a.split_item or 0, a.act_type or 0
    return "aclnnGroupedMatmulV4", a.x, a.weight, *lists, split, kind, a.group_list_type or 0, act, outs, None, None


def _attention(a):
    heads = (a.head_num, 8)
    batch, rows = {"SBH": (1, 0), "BNSD": (0, 2)}.get(a.input_layout, (0, 1))
    sums = [a.query.shape[batch], heads[0], a.query.shape[rows], heads[1]]
    outs = _like(a.query, sums, torch.float32), _like(a.query, sums, torch.float32), None, _like(a.query)
    masks = a.pse, None, None, a.atten_mask, None
    window = a.pre_tockens, a.next_tockens, a.head_num, a.input_layout, a.inner_precise, a.sparse_mode
    values = (a.query, a.key, a.value, *masks, a.scale, a.keep_prob, *window, *outs)
    return "aclnnFlashAttentionScore", *values


def _prompt_attention(a):
    numbers = a.num_heads, a.scale_value, a.pre_tokens, a.next_tokens, a.input_layout, a.num_key_value_heads
    tensors = a.query, a.key, a.value, None, a.atten_mask, a.actual_seq_lengths or None
    return "aclnnPromptFlashAttention", *tensors, *numbers, _like(a.query)


def _permute(a):
    shape = [a.self.shape[d] for d in a.perm] if len(a.perm) == a.self.dim() else []
    return "aclnnPermute", a.self, list(a.perm), _like(a.self, shape)


_GROUPED = (
    "(Tensor[] x, Tensor[] weight, *, Tensor[]? bias=None, Tensor[]? scale=None, Tensor[]? offset=None, "
    "Tensor[]? antiquant_scale=None, Tensor[]? antiquant_offset=None, Tensor[]? per_token_scale=None, "
    "{} group_list=None, Tensor[]? activation_input=None, Tensor[]? activation_quant_scale=None, "
    "Tensor[]? activation_quant_offset=None, int? split_item=0, int? group_type=None, int? group_list_type=0, "
    "int? act_type=0, ScalarType? output_dtype=None) -> Tensor[]"
)
_QUANTISED = "scale offset antiquant_scale antiquant_offset per_token_scale activation_input activation_quant_scale"

OPERATORS = [
    Operator(
        "npu_rms_norm(Tensor self, Tensor gamma, float epsilon=1e-06) -> (Tensor, Tensor)",
        f"{_V700}ptaoplist_000860.html",
        _rms_norm,
    ),
    Operator(
        "npu_layer_norm_eval(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, "
        "float eps=1e-05) -> Tensor",
        f"{_V600}ptaoplist_000802.html",
        lambda a: (
            "aclnnLayerNorm",
            a.input,
            list(a.normalized_shape),
            a.weight,
            a.bias,
            a.eps,
            _like(a.input),
            None,
            None,
        ),
    ),
    Operator(
        "npu_silu(Tensor self) -> Tensor",
        f"{_V600}ptaoplist_000822.html",
        lambda a: ("aclnnSilu", a.self, _like(a.self)),
    ),
    Operator(
        "npu_gelu(Tensor input, str approximate='none') -> Tensor",
        f"{_V700}ptaoplist_001234.html",
        lambda a: (
            "aclnnGeluV2",
            a.input,
            _one_of("approximate", a.approximate, {"none": 0, "tanh": 1}),
            _like(a.input),
        ),
    ),
    Operator("npu_swiglu(Tensor input, int dim=-1) -> Tensor", f"{_V720}（beta）torch_npu-npu_swiglu.md", _swiglu),
    Operator(
        "npu_rotary_mul(Tensor input, Tensor r1, Tensor r2, str rotary_mode='half') -> Tensor",
        f"{_V700}ptaoplist_000141.html",
        lambda a: (
            "aclnnRotaryPositionEmbedding",
            a.input,
            a.r1,
            a.r2,
            _one_of("rotary_mode", a.rotary_mode, {"half": 0, "interleave": 1}),
            _like(a.input),
        ),
    ),
    Operator(
        "npu_apply_rotary_pos_emb(Tensor(a!) query, Tensor(b!) key, Tensor cos, Tensor sin, str layout='BSH', "
        "str rotary_mode='half') -> (Tensor(a!), Tensor(b!))",
        f"{_ACLNN}aclnnApplyRotaryPosEmb.md",
        _apply_rotary,
    ),
    Operator(
        "npu_quantize(Tensor input, Tensor scales, Tensor? zero_points, ScalarType dtype, int axis=1, "
        "bool div_mode=True) -> Tensor",
        f"{_V700}ptaoplist_000891.html",
        _quantize,
    ),
    Operator(
        "npu_quant_matmul(Tensor x1, Tensor x2, Tensor scale, *, Tensor? offset=None, Tensor? pertoken_scale=None, "
        "Tensor? bias=None, ScalarType? output_dtype=None) -> Tensor",
        f"{_V700}ptaoplist_000172.html",
        _quant_matmul,
    ),
    Operator(
        "npu_dynamic_quant(Tensor x, *, Tensor? smooth_scales=None, Tensor? group_index=None, "
        "ScalarType? dst_type=None) -> (Tensor, Tensor)",
        f"{_V700}ptaoplist_001228.html",
        _dynamic_quant,
        without="group_index",
    ),
    Operator(
        "npu_anti_quant(Tensor x, Tensor scale, *, Tensor? offset=None, ScalarType? dst_dtype=None, "
        "ScalarType? src_dtype=None) -> Tensor",
        f"{_V700}ptaoplist_000514.html",
        _anti_quant,
    ),
    Operator(
        "npu_dtype_cast(Tensor input, ScalarType dtype) -> Tensor",
        f"{_V600}ptaoplist_000793.html",
        lambda a: ("aclnnCast", a.input, a.dtype, _like(a.input, dtype=a.dtype)),
    ),
    Operator(
        "npu_transpose(Tensor self, int[] perm, bool require_contiguous=True) -> Tensor",
        f"{_V600}ptaoplist_000826.html",
        _permute,
    ),
    Operator(
        "npu_linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor", f"{_V600}ptaoplist_000803.html", _linear
    ),
    Operator(
        "npu_bmmV2(Tensor self, Tensor mat2, int[] output_sizes) -> Tensor",
        f"{_V600}ptaoplist_000779.html",
        _batch_product,
        without="output_sizes",
    ),
    Operator(
        f"npu_grouped_matmul{_GROUPED.format('Tensor?')}",
        f"{_V700}ptaoplist_000524.html",
        _grouped,
        without=f"{_QUANTISED} activation_quant_offset",
    ),
    Operator(
        f"npu_grouped_matmul.List{_GROUPED.format('int[]?')}",
        f"{_V700}ptaoplist_000524.html",
        _grouped,
        without=f"{_QUANTISED} activation_quant_offset",
    ),
    Operator(
        "npu_fusion_attention(Tensor query, Tensor key, Tensor value, int head_num, str input_layout, "
        "Tensor? pse=None, Tensor? padding_mask=None, Tensor? atten_mask=None, float scale=1., float keep_prob=1., "
        "int pre_tockens=2147483647, int next_tockens=2147483647, int inner_precise=0, int[]? prefix=None, "
        "int[]? actual_seq_qlen=None, int[]? actual_seq_kvlen=None, int sparse_mode=0, bool gen_mask_parallel=True, "
        "bool sync=False) -> (Tensor, Tensor, Tensor, Tensor, int, int, int)",
        f"{_V600}ptaoplist_000850.html",
        _attention,
        # Nothing is dropped: there is no seed, no offset and no mask.
        lambda outs: (outs[2], outs[0], outs[1], outs[2].new_empty(0), 0, 0, 0),
        "padding_mask prefix actual_seq_qlen actual_seq_kvlen",
    ),
    Operator(
        "npu_prompt_flash_attention(Tensor query, Tensor key, Tensor value, *, Tensor? pse_shift=None, "
        "Tensor? padding_mask=None, Tensor? atten_mask=None, int[]? actual_seq_lengths=None, Tensor? deq_scale1=None, "
        "Tensor? quant_scale1=None, Tensor? deq_scale2=None, Tensor? quant_scale2=None, Tensor? quant_offset2=None, "
        "int num_heads=1, float scale_value=1.0, int pre_tokens=2147473647, int next_tokens=0, "
        'str input_layout="BSH", int num_key_value_heads=0, int[]? actual_seq_lengths_kv=None, int sparse_mode=0) '
        "-> Tensor",
        f"{_V700}ptaoplist_000171.html",
        _prompt_attention,
        without="pse_shift padding_mask deq_scale1 quant_scale1 deq_scale2 quant_scale2 quant_offset2 "
        "actual_seq_lengths_kv sparse_mode",
    ),
]
