# SPDX-License-Identifier: Apache-2.0
"""High precision, copies, changes of depth, flags and control registers."""

import numpy as np
import pytest
from tik_support import evaluate, instance

from sfumato import tik

CHIPS = ("Ascend310", "Ascend910A", "Ascend310P3", "Ascend310P3-Vector", "Ascend910B1", "Ascend310B1")


def run(build, src, dst, chip="Ascend910B1", **options):
    """dst after build(t, dst, src), both in UB."""
    t = instance(chip)
    feed = {"src": src, "before": dst}
    gm = {name: t.Tensor(str(a.dtype), a.shape, name=name, scope=tik.scope_gm) for name, a in feed.items()}
    ub = {name: t.Tensor(str(a.dtype), a.shape, name=f"ub_{name}", scope=tik.scope_ubuf) for name, a in feed.items()}
    out = t.Tensor(str(dst.dtype), dst.shape, name="out", scope=tik.scope_gm)
    for name in feed:
        t.data_move(ub[name], gm[name], 0, 1, feed[name].nbytes // 32, 0, 0)
    build(t, ub["before"], ub["src"])
    t.data_move(out, ub["before"], 0, 1, dst.nbytes // 32, 0, 0)
    t.BuildCCE("rest", list(gm.values()), [out])
    return t.run(feed, **options)[0]


# call -> meaning, the work tensor's type, its units for a source of half and of float
PRECISE = {
    "vec_rec_high_preci": (lambda x: 1 / x, "float32", 4, 2),
    "vec_rsqrt_high_preci": (lambda x: 1 / np.sqrt(x), "float32", 5, 3),
    "vec_ln_high_preci": (np.log, "float16", 10, 0),
    "vec_expm1_high_preci": (np.expm1, "float16", 11, 0),
}


def units(call, chip, dtype):
    _, _, half, single = PRECISE[call]
    more = call == "vec_rsqrt_high_preci" and chip == "Ascend310"
    return (half if dtype == "float16" else single) + more


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("call", PRECISE)
@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_high_precision(chip, call, dtype):
    meaning, work_type, _, single = PRECISE[call]
    lanes = 256 // np.dtype(dtype).itemsize
    x = (np.random.default_rng(3).random(2 * lanes) * 5 + 0.1).astype(dtype)

    def build(work_elements):
        def calls(t, dst, src):
            work = t.Tensor(work_type, (work_elements,), name="work", scope=tik.scope_ubuf)
            getattr(t, call)(lanes - 3, dst, src, work, 2, 8, 8)

        return calls

    extent = 2 * lanes  # the last repeat's 3 lanes less round up to whole blocks
    if single == 0 and dtype == "float32":
        with pytest.raises(tik.TikError, match="type-unsupported"):
            run(build(11 * extent), x, x, chip)
        return
    elements = units(call, chip, dtype) * extent
    expected = x.copy().reshape(2, lanes)
    expected[:, : lanes - 3] = meaning(x.astype(np.float64)).astype(dtype).reshape(2, lanes)[:, : lanes - 3]
    assert np.array_equal(run(build(elements), x, x.copy(), chip), expected.reshape(-1))
    with pytest.raises(tik.TikError, match="work-size") as caught:
        run(build(elements - 8), x, x, chip)
    assert f"{elements} elements" in caught.value.legal


@pytest.mark.parametrize("chip", CHIPS)
def test_vreducev2(chip):
    x = np.arange(256, dtype=np.float16)

    def build(t, dst, src):
        count = t.Scalar("uint32")
        t.vreducev2(128, dst, src, 2, 2, 1, 8, 0, rsvd_scalar=count)
        dst[255].set_as(1.0)
        with t.if_scope(count != 128):
            dst[255].set_as(2.0)

    if chip not in ("Ascend910B1", "Ascend310B1"):
        with pytest.raises(tik.TikError, match="instruction-unsupported"):
            run(build, x, x, chip)
        return
    found = run(build, x, np.zeros(256, np.float16), chip)
    assert np.array_equal(found[:128], x[1::2]) and found[255] == 1 and not found[128:255].any()


DEPTHS = {
    "Ascend310P3": [("int32", "int16")],
    "Ascend310P3-Vector": [("uint8", "int16"), ("uint16", "uint8"), ("int16", "uint32"), ("uint32", "int16")],
    "Ascend310B1": [("int8", "int32"), ("int32", "uint8"), ("int16", "uint8"), ("uint8", "uint16")],
}


@pytest.mark.parametrize(("chip", "src", "dst"), [(c, *pair) for c, pairs in DEPTHS.items() for pair in pairs])
def test_vcbd(chip, src, dst):
    sizes = np.dtype(src).itemsize, np.dtype(dst).itemsize
    lanes = 256 // max(sizes)
    limits = np.iinfo(src)
    x = np.random.default_rng(5).integers(limits.min, limits.max, 4 * lanes, dtype=src, endpoint=True)
    x[:8] = [limits.min, limits.max, 0, 1, limits.max // 2, limits.min // 2, 127, 100]
    before = np.full(4 * lanes, 77, dst)
    strides = [size * 8 // max(sizes) for size in reversed(sizes)]

    def build(t, to, source):
        t.vcbd(lanes - 1, to, source, 2, 1, 1, *strides)

    bounds = np.iinfo(dst)
    expected = before.copy().reshape(4, lanes)
    values = np.clip(x.astype(np.int64), bounds.min, bounds.max).astype(dst).reshape(4, lanes)
    expected[:2, : lanes - 1] = values[:2, : lanes - 1]
    assert np.array_equal(run(build, x, before, chip), expected.reshape(-1))


def test_vcbd_is_not_everywhere():
    with pytest.raises(tik.TikError, match="instruction-unsupported"):
        run(lambda t, to, x: t.vcbd(64, to, x, 1, 1, 1, 4, 8), np.zeros(64, np.int32), np.zeros(64, np.int16))


@pytest.mark.parametrize("dtype", ["int16", "uint16", "float16", "int32", "uint32", "float32"])
@pytest.mark.parametrize("chip", ["Ascend910B1", "Ascend310B1"])
def test_vcopy(dtype, chip):
    lanes = 256 // np.dtype(dtype).itemsize
    x = np.random.default_rng(6).integers(0, 256, 4 * 256, dtype=np.uint8).view(dtype)
    before = np.zeros_like(x)

    def build(t, dst, src):
        t.vcopy(lanes - 5, dst[lanes:], src, 2, 1, 1, 8, 16)
        t.vcopy(3, dst, src[lanes:], 2, 1, 1, 16, 8, mask_mode="counter")

    expected = before.copy()
    for repeat, source in ((1, 0), (2, 2)):
        expected[repeat * lanes :][: lanes - 5] = x[source * lanes :][: lanes - 5]
    for repeat in range(2):
        expected[2 * repeat * lanes :][:3] = x[(1 + repeat) * lanes :][:3]
    assert run(build, x, before, chip).tobytes() == expected.tobytes()


@pytest.mark.parametrize("schedule", ["eager", "late", "ahead", "seed:7"])
def test_flags(schedule):
    """Without inserted synchronisation the flags alone keep the order."""
    t = instance()
    src, dst = (t.Tensor("float16", (1024,), name=name, scope=tik.scope_gm) for name in ("src", "dst"))
    ub = t.Tensor("float16", (1024,), name="ub", scope=tik.scope_ubuf)
    with t.new_stmt_scope(disable_sync=True):
        t.data_move(ub, src, 0, 1, 64, 0, 0)
        t.set_flag("PIPE_MTE2", "PIPE_V", 0)
        t.wait_flag("PIPE_MTE2", "PIPE_V", 0)
        t.vadds(128, ub, ub, 1.0, 8, 1, 1, 8, 8)
        t.pipe_barrier("PIPE_V")
        t.vmuls(128, ub, ub, 2.0, 8, 1, 1, 8, 8)
        t.set_flag("V", "MTE3", t.Scalar("int32", init_value=3))
        t.wait_flag("V", "MTE3", 3)
        t.data_move(dst, ub, 0, 1, 64, 0, 0)
        t.pipe_barrier("PIPE_ALL")
    t.BuildCCE("flags", [src], [dst])
    x = np.arange(1024, dtype=np.float16)
    assert np.array_equal(t.run({"src": x}, schedule=schedule)[0], (x + 1) * 2)


def test_control_registers():
    def read(t):
        values = []
        for setter, value, getter in (
            (t.set_atomic_add, 2, t.mov_atomic_add_to_scalar),
            (t.set_system_cache, 3, t.mov_system_cache_to_scalar),
            (t.set_small_channel, False, t.mov_small_channel_to_scalar),
            (t.set_fp2int_mode, 0, t.mov_fp2int_mode_to_scalar),
        ):
            setter(value)
            scalar = t.Scalar("uint64")
            getter(scalar)
            values.append(scalar)
        t.set_atomic_add(0)
        return values

    assert evaluate(read, dtype="uint64") == [2, 3, 0, 0]


@pytest.mark.parametrize("overflow", ["saturate", "infnan"])
def test_set_fp2fp_mode(overflow):
    x = np.array([1e6, -1e6, 1.5, np.nan] * 16, np.float32)

    def build(t, dst, src):
        t.vconv(64, "", dst, src, 1, 1, 1, 4, 8)
        t.set_fp2fp_mode(1)
        t.vconv(64, "", dst[64:], src, 1, 1, 1, 4, 8)
        t.set_fp2fp_mode(0)
        t.vconv(64, "", dst[128:], src, 1, 1, 1, 4, 8)

    found = run(build, x, np.zeros(192, np.float16), overflow=overflow).reshape(3, 64)[:, :4]
    limited, free = [65504, -65504, 1.5, 0], [np.inf, -np.inf, 1.5, np.nan]
    expected = [limited if overflow == "saturate" else free, free, limited]
    assert np.array_equal(found, np.array(expected, np.float16), equal_nan=True)


def test_overflow_status():
    x = np.full(128, 60000, np.float16)

    def build(t, dst, src):
        status = t.Scalar("uint64")
        for i, factor in enumerate((1.0, 2.0, 1.0)):
            t.vmuls(128, dst, src, factor, 1, 1, 1, 8, 8)
            t.get_overflow_status(status)
            t.set_overflow_status(0)
            with t.if_scope(status == 0):
                dst[128 + i].set_as(1.0)

    assert run(build, x, np.zeros(256, np.float16))[128:132].tolist() == [1, 0, 1, 0]


def test_multi_for_range():
    t = instance()
    out = t.Tensor("int32", (32,), name="out", scope=tik.scope_gm)
    ub = t.Tensor("int32", (32,), name="ub", scope=tik.scope_ubuf)
    with t.multi_for_range([0, 1], [4, 9]) as (i, j):
        ub[8 * i + j - 1].set_as(100 * i + j)
    t.data_move(out, ub, 0, 1, 4, 0, 0)
    t.BuildCCE("loops", [], [out])
    assert t.run({})[0].tolist() == [100 * i + j for i in range(4) for j in range(1, 9)]


@pytest.mark.parametrize("high", [0, 0x8000000000000001_F0F0F0F0F0F0F0F0])
@pytest.mark.parametrize("low", [0, 0x0123456789ABCDEF_8000000000000003])
def test_masks_of_256_elements(high, low):
    """Four words, the highest first, for the 256 elements of 8 bits a repeat has."""
    x = np.random.default_rng(8).integers(-100, 100, 2048, dtype=np.int8)
    words = [high >> 64, high % 2**64, low >> 64, low % 2**64]

    def build(t, dst, src):
        t.vadd(words, dst, src, src[32:], 2, 1, 2, 1, 8, 16, 9)

    if not high and not low:
        with pytest.raises(tik.TikError, match="mask-bits-zero"):
            run(build, x, x, "Ascend310B1")
        return
    expected = x.copy()
    for repeat in range(2):
        for lane in range(256):
            if (high << 128 | low) >> lane & 1:
                block, element = divmod(lane, 32)
                a = int(x[repeat * 512 + block * 64 + element])
                b = int(x[32 + repeat * 288 + lane])
                expected[repeat * 256 + lane] = np.clip(a + b, -128, 127)
    found = run(build, x, x, "Ascend310B1")
    assert np.array_equal(found, expected)
