# SPDX-License-Identifier: Apache-2.0
"""Wrong calls of torch_npu.npu_*, each beside the call that is right, and what is told."""

import pytest
import torch
import torch_npu

X, W = torch.ones(2, 8), torch.ones(8)
Q = torch.ones(1, 2, 4, 8)
OWN = "A reference of yours takes its place: torch_npu.register({!r}, function)"


def quantize(x=X, scales=W, dtype=torch.qint8, axis=-1, div_mode=False):
    return torch_npu.npu_quantize(x.npu(), scales.npu(), None, dtype, axis, div_mode)


def grouped(weights=2, **named):
    named = {"group_list": [1, 2], "split_item": 3, **named}
    return torch_npu.npu_grouped_matmul([X.npu()], [torch.ones(8, 3).npu() for _ in range(weights)], **named)


def attention(heads=2, layout="BNSD", **named):
    return torch_npu.npu_fusion_attention(Q.npu(), Q.npu(), Q.npu(), heads, layout, **named)


def report(rule, name, message, found, legal):
    return f"fault [{rule}] {name}GetWorkspaceSize: {message}\n  found:  {found}\n  legal:  {legal}"


def own(rule, *words):
    """A report of what the reference operator lacks."""
    do = "register an operator of your own with this name"
    types = rule == "op-input"
    do = (
        f"if the vendor's operator takes it, {do}"
        if types
        else f"{do}, which takes the place of the reference operator"
    )
    return f"{report(rule, *words)}\n  do:     {do}"


def rms(x=X, w=W):
    return torch_npu.npu_rms_norm(x.npu(), w.npu())


# Title: operator, exception, text behind "torch_npu.<operator>: ", wrong, right.
CASES = {
    "a tensor of the CPU": (
        "npu_rms_norm", RuntimeError, "gamma: expected a tensor of the device npu, found one of cpu",
        lambda: torch_npu.npu_rms_norm(X.npu(), W), rms,
    ),
    "two element types": (
        "npu_rms_norm", RuntimeError,
        report("op-input", "aclnnRmsNorm", "the element type is another one than the others ask for", "gamma: float16", "float32"),
        lambda: rms(w=W.half()), lambda: rms(X.half(), W.half()),
    ),
    "gamma of other dimensions": (
        "npu_rms_norm", RuntimeError,
        report("op-input", "aclnnRmsNorm", "these are not the last dimensions of what is normalised",
               "gamma: [2] of [2, 8]", "the last dimensions, one at least"),
        lambda: rms(w=W[:2]), rms,
    ),
    "integers": (
        "npu_silu", RuntimeError,
        own("op-input", "aclnnSilu", "the operator does not take this element type", "self: int32", "float32, float16, bfloat16"),
        lambda: torch_npu.npu_silu(X.int().npu()), lambda: torch_npu.npu_silu(X.npu()),
    ),
    "a type that is none of aclnn's": (
        "npu_silu", TypeError,
        "a tensor of torch.complex64; legal are torch.float32, torch.float16, torch.int8, torch.int32, torch.uint8, "
        "torch.int16, torch.int64, torch.float64, torch.bool, torch.bfloat16",
        lambda: torch_npu.npu_silu(X.to(torch.complex64).npu()), lambda: torch_npu.npu_silu(X.half().npu()),
    ),
    "an odd dimension": (
        "npu_swiglu", RuntimeError,
        report("op-input", "aclnnSwiGlu", "the dimension has no halves", "x: [2, 7]", "an even length"),
        lambda: torch_npu.npu_swiglu(X[:, 1:].npu()), lambda: torch_npu.npu_swiglu(X.npu()),
    ),
    "no such dimension": (
        "npu_swiglu", RuntimeError,
        report("op-attr", "aclnnSwiGlu", "the number is outside its range", "dim: 2", "-2 to 1"),
        lambda: torch_npu.npu_swiglu(X.npu(), 2), lambda: torch_npu.npu_swiglu(X.npu(), dim=1),
    ),
    "no such approximation": (
        "npu_gelu", ValueError, "approximate: 'erf'; legal are 'none', 'tanh'",
        lambda: torch_npu.npu_gelu(X.npu(), "erf"), lambda: torch_npu.npu_gelu(X.npu(), "none"),
    ),
    "no such mode": (
        "npu_rotary_mul", ValueError, "rotary_mode: 'quarter'; legal are 'half', 'interleave'",
        lambda: torch_npu.npu_rotary_mul(Q.npu(), Q.npu(), Q.npu(), "quarter"),
        lambda: torch_npu.npu_rotary_mul(Q.npu(), Q.npu(), Q.npu(), "interleave"),
    ),
    "no such layout": (
        "npu_apply_rotary_pos_emb", ValueError, "layout: 'TND'; legal are 'BSH', 'BSND'",
        lambda: torch_npu.npu_apply_rotary_pos_emb(*(Q.npu() for _ in range(4)), layout="TND"),
        lambda: torch_npu.npu_apply_rotary_pos_emb(Q.npu(), Q.npu(), Q[:, :, :1].npu(), Q[:, :, :1].npu(), layout="BSND"),
    ),
    "four bits": (
        "npu_quantize", ValueError, "dtype: torch.quint4x2; legal are torch.int8, torch.qint8",
        lambda: quantize(dtype=torch.quint4x2), quantize,
    ),
    "the last dimension but one": (
        "npu_quantize", ValueError, "axis: -2; legal are -1", lambda: quantize(axis=-2), lambda: quantize(axis=1),
    ),
    "a scale of another length": (
        "npu_quantize", RuntimeError,
        report("op-input", "aclnnQuantize", "there is not one value for all, or one for each", "scales: [8]", "[2] or [1]"),
        lambda: quantize(axis=0, div_mode=True), lambda: quantize(scales=W[:2], axis=0, div_mode=True),
    ),
    "groups of rows": (
        "npu_dynamic_quant", NotImplementedError,
        "group_index: the reference operator does not take it. " + OWN.format("npu_dynamic_quant"),
        lambda: torch_npu.npu_dynamic_quant(X.half().npu(), smooth_scales=W.half().npu(), group_index=W.int().npu()),
        lambda: torch_npu.npu_dynamic_quant(X.half().npu(), smooth_scales=W.half().npu()),
    ),
    "another type of the result": (
        "npu_anti_quant", ValueError, "dst_dtype: torch.float32; legal are torch.float16, torch.bfloat16",
        lambda: torch_npu.npu_anti_quant(X.char().npu(), W.npu(), dst_dtype=torch.float32),
        lambda: torch_npu.npu_anti_quant(X.char().npu(), W.npu(), dst_dtype=torch.bfloat16),
    ),
    "packed scales": (
        "npu_quant_matmul", RuntimeError,
        own("op-input", "aclnnQuantMatmulV4", "the operator does not take this element type", "scale: int64", "float32, bfloat16"),
        lambda: torch_npu.npu_quant_matmul(X.char().npu(), X.t().char().npu(), W[:2].long().npu()),
        lambda: torch_npu.npu_quant_matmul(X.char().npu(), X.t().char().npu(), W[:2].npu()),
    ),
    "no common length": (
        "npu_linear", RuntimeError,
        report("op-input", "aclnnMatmul", "the matrices have no common length", "mat2: [8, 2] times [3, 8]",
               "as many rows as the first has columns").replace("[8, 2] times [3, 8]", "[2, 8] times [3, 8]"),
        lambda: torch_npu.npu_linear(X.npu(), torch.ones(8, 3).npu()), lambda: torch_npu.npu_linear(X.npu(), X.npu()),
    ),
    "a shape of the result": (
        "npu_bmmV2", NotImplementedError,
        "output_sizes: the reference operator does not take it. " + OWN.format("npu_bmmV2"),
        lambda: torch_npu.npu_bmmV2(X.npu(), X.t().npu(), [4]), lambda: torch_npu.npu_bmmV2(X.npu(), X.t().npu(), []),
    ),
    "quantised groups": (
        "npu_grouped_matmul", NotImplementedError,
        "scale: the reference operator does not take it. " + OWN.format("npu_grouped_matmul"),
        lambda: grouped(scale=[W.npu()]), grouped,
    ),
    "no matrices": (
        "npu_grouped_matmul", ValueError, "x: an empty list; legal is a list of tensors",
        lambda: torch_npu.npu_grouped_matmul([], []), grouped,
    ),
    "an activation": (
        "npu_grouped_matmul", RuntimeError,
        own("op-attr", "aclnnGroupedMatmulV4", "the reference operator applies no activation", "actType: 1", "0"),
        lambda: grouped(act_type=1), lambda: grouped(act_type=0),
    ),
    "a permutation that is none": (
        "npu_transpose", RuntimeError,
        report("op-attr", "aclnnPermute", "this is no order of the dimensions", "dims: [0, 0] of 2", "each dimension once"),
        lambda: torch_npu.npu_transpose(X.npu(), (0, 0)), lambda: torch_npu.npu_transpose(X.npu(), (1, 0)),
    ),
    "another number of heads": (
        "npu_fusion_attention", RuntimeError,
        report("op-attr", "aclnnFlashAttentionScore", "the query has another number of heads", "headNum: 4", "2"),
        lambda: attention(4), attention,
    ),
    "sequences of many lengths": (
        "npu_fusion_attention", NotImplementedError,
        "actual_seq_qlen: the reference operator does not take it. " + OWN.format("npu_fusion_attention"),
        lambda: attention(actual_seq_qlen=[4]), lambda: attention(actual_seq_qlen=None),
    ),
    "dropout": (
        "npu_fusion_attention", RuntimeError,
        own("op-attr", "aclnnFlashAttentionScore", "the reference operator drops nothing", "keepProb: 0.500000", "1"),
        lambda: attention(keep_prob=0.5), lambda: attention(keep_prob=1.0),
    ),
    "a shift": (
        "npu_prompt_flash_attention", NotImplementedError,
        "pse_shift: the reference operator does not take it. " + OWN.format("npu_prompt_flash_attention"),
        lambda: torch_npu.npu_prompt_flash_attention(*(Q.half().npu() for _ in range(3)), num_heads=2, input_layout="BNSD", pse_shift=Q.npu()),
        lambda: torch_npu.npu_prompt_flash_attention(*(Q.half().npu() for _ in range(3)), num_heads=2, input_layout="BNSD"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("title", CASES)
def test_wrong_beside_right(title):
    name, error, text, wrong, right = CASES[title]
    with pytest.raises(error) as raised:
        wrong()
    assert str(raised.value) == f"torch_npu.{name}: {text}"
    right()


def test_a_gradient():
    w = torch.nn.Parameter(W.npu())
    y, _ = torch_npu.npu_rms_norm(X.npu(), w)
    assert y.requires_grad
    with pytest.raises(RuntimeError, match="derivative for npu::npu_rms_norm is not implemented"):
        y.sum().backward()
    with torch.no_grad():
        assert not torch_npu.npu_rms_norm(X.npu(), w)[0].requires_grad


def test_a_missing_argument():
    with pytest.raises(RuntimeError, match=r"npu_rms_norm\(\) is missing value for argument 'gamma'"):
        torch_npu.npu_rms_norm(X.npu())


def test_an_operator_that_is_not_provided():
    with pytest.raises(NotImplementedError) as raised:
        torch_npu.npu_incre_flash_attention(X)
    assert str(raised.value) == (
        "torch_npu.npu_incre_flash_attention: this operator of the vendor's is not provided. "
        + OWN.format("npu_incre_flash_attention")
    )
