# SPDX-License-Identifier: Apache-2.0
"""Sorts and merges as TIK scripts use them."""

import numpy as np
import pytest
from tik_support import instance

from sfumato import tik

CHIPS = {"Ascend310": "float16", "Ascend910A": "float16", "Ascend310P3": "float32", "Ascend310P3-Vector": "float16"}


def tensors(t, scope, **shapes):
    return [t.Tensor(dtype, (size,), name=name, scope=scope) for name, (dtype, size) in shapes.items()]


def blocks(tensor):
    return int(np.prod(tensor.shape)) * np.dtype(tensor.dtype).itemsize // 32


@pytest.mark.parametrize("chip", CHIPS)
def test_top_of_proposals(chip):
    """64 scores: concat, sort by 16, merge the four queues, extract scores and labels."""
    dtype = CHIPS[chip]
    t = instance(chip)
    scores, labels, top, places = tensors(
        t, tik.scope_gm, scores=(dtype, 64), labels=(dtype, 64), top=(dtype, 64), places=(dtype, 64)
    )
    a, b, c, d = tensors(t, tik.scope_ubuf, a=(dtype, 64), b=(dtype, 64), c=(dtype, 512), d=(dtype, 512))
    t.data_move(a, scores, 0, 1, blocks(a), 0, 0)
    t.data_move(b, labels, 0, 1, blocks(b), 0, 0)
    t.vconcat(c, a, 4, 4)
    with t.for_range(0, 2) as i:
        t.vconcat(c[256 * i], b[32 * i], t.Scalar("int32", init_value=2), 5)
    t.vrpsort16(d, c, 4)
    t.vmrgsort4(c, [d[0], d[128], d[256], d[384]], [16] * 4, False, "1111", 1)
    t.vextract(a, c, 4, 4)
    t.vextract(b, c, 4, 5)
    t.data_move(top, a, 0, 1, blocks(a), 0, 0)
    t.data_move(places, b, 0, 1, blocks(b), 0, 0)
    t.BuildCCE("top", [scores, labels], [top, places])
    data = np.random.default_rng(5).integers(-9, 10, 64).astype(dtype)
    order = np.argsort(-data, kind="stable")
    found, at = t.run({"scores": data, "labels": np.arange(64).astype(dtype)})
    assert np.array_equal(found, data[order])
    assert np.array_equal(at, order.astype(dtype))


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize("chip", ["Ascend910B1", "Ascend310B1"])
def test_pairs_and_their_counts(chip, dtype):
    t = instance(chip)
    step = 8 // np.dtype(dtype).itemsize  # elements of a pair
    scores, merged = tensors(t, tik.scope_gm, scores=(dtype, 96), merged=(dtype, 96 * step))
    indices, counts = tensors(t, tik.scope_gm, indices=("uint32", 96), counts=("int64", 4))
    a, c, d = tensors(t, tik.scope_ubuf, a=(dtype, 96), c=(dtype, 96 * step), d=(dtype, 96 * step))
    b, e = tensors(t, tik.scope_ubuf, b=("uint32", 96), e=("int64", 4))
    t.data_move(a, scores, 0, 1, blocks(a), 0, 0)
    t.data_move(b, indices, 0, 1, blocks(b), 0, 0)
    t.data_move(d, merged, 0, 1, blocks(d), 0, 0)
    t.vsort32(c, a, b, 3)
    taken = t.ScalarArray("uint16", 4, "taken")
    t.vmrgsort(d, (c[0], c[32 * step], c[64 * step]), 32, True, 1, taken)
    for i in range(4):
        wide = t.Scalar("int64", init_value=taken[i])
        e[i].set_as(wide)
    t.data_move(merged, d, 0, 1, blocks(d), 0, 0)
    t.data_move(counts, e, 0, 1, 1, 0, 0)
    t.BuildCCE("pairs", [scores, indices], [merged, counts])
    rng = np.random.default_rng(6)
    data, ids = rng.integers(-50, 50, 96).astype(dtype), rng.integers(0, 2**32, 96, dtype=np.uint32)
    found, per_queue = t.run({"scores": data, "indices": ids})
    groups = [g * 32 + np.argsort(-data[g * 32 : g * 32 + 32], kind="stable") for g in range(3)]
    everything = np.concatenate(groups)
    everything = everything[np.argsort(-data[everything], kind="stable")]
    last = [np.flatnonzero(everything == g[-1])[0] for g in groups]  # where each queue ends
    everything = everything[: min(last) + 1]
    pairs = found.view(np.uint32).reshape(-1, 2)[: len(everything)]
    assert np.array_equal(found.reshape(-1, step)[: len(everything), 0], data[everything])
    assert np.array_equal(pairs[:, 1], ids[everything])
    assert per_queue.tolist() == [np.count_nonzero(everything // 32 == g) for g in range(3)] + [0]


FORMS = {
    "lists": lambda t, dst, a, b: t.vmrgsort4(dst, [a, b, a, a], [16, 16, 0, 0], False, 3),
    "digits": lambda t, dst, a, b: t.vmrgsort4(dst, (a, b), 16, False, "0011", repeat_times=1),
    "scalars": lambda t, dst, a, b: t.vmrgsort4(dst, (a, b, None, None), [t.Scalar("int32", init_value=16)] * 2, 0, 3),
}


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_a_merge(form):
    t = instance("Ascend310")
    src, dst = tensors(t, tik.scope_gm, src=("float16", 256), dst=("float16", 256))
    a, b = tensors(t, tik.scope_ubuf, a=("float16", 256), b=("float16", 256))
    t.data_move(a, src, 0, 1, 16, 0, 0)
    FORMS[form](t, b, a, a[128])
    t.data_move(dst, b, 0, 1, 16, 0, 0)
    t.BuildCCE("forms", [src], [dst])
    data = np.zeros((32, 8), np.float16)
    data[:, 4] = np.concatenate([np.arange(16, 0, -1), np.arange(40, 24, -1)])
    (result,) = t.run({"src": data.reshape(-1)})
    assert np.array_equal(result.reshape(32, 8)[:, 4], np.sort(data[:, 4])[::-1])


def test_proposals_are_refused_where_there_are_pairs():
    t = instance("Ascend910B1")
    a, b = tensors(t, tik.scope_ubuf, a=("float16", 256), b=("float16", 256))
    with pytest.raises(tik.TikError) as caught:
        t.vconcat(a, b, 1, 0)
    assert caught.value.rule == "instruction-unsupported"
    assert caught.value.legal == "Ascend310, Ascend910, Ascend310P, Ascend310P-Vector"


@pytest.mark.parametrize("call", ["vrpac", "viou", "vaadd", "rpn_cor", "rpn_cor_diag", "set_rpn_cor_ir"])
def test_calls_without_a_public_meaning(call):
    t = instance("Ascend310")
    with pytest.raises(NotImplementedError, match=f"Sfumato does not implement {call}"):
        getattr(t, call)()
