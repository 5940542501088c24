# SPDX-License-Identifier: Apache-2.0
"""sfumato.cast: types, shapes, round modes, deqscale, refusals."""

import ml_dtypes
import numpy as np
import pytest
from conftest import CHIP

import sfumato


def test_the_spelling_of_the_mode_chooses_the_page():
    x = np.array([1.5, -1.5, 0.25], np.float16)
    assert sfumato.cast(x, "int32", round_mode="CAST_CEIL", chip=CHIP).tolist() == [2, -1, 1]
    assert sfumato.cast(x, "int32", round_mode="ceil", chip=CHIP).tolist() == [2, -1, 1]
    assert sfumato.cast(x, "float32", round_mode="", chip="Ascend310").tolist() == [1.5, -1.5, 0.25]
    with pytest.raises(sfumato.UnsupportedError, match="Ascend310"):
        sfumato.cast(x, "float32", round_mode="CAST_NONE", chip="Ascend310")


@pytest.mark.parametrize("dtype", ["int32", "int32_t", np.int32, np.dtype(np.int32), "i4"])
def test_spellings_of_the_type(dtype):
    result = sfumato.cast(np.ones(3, np.float16), dtype, round_mode="CAST_CEIL", chip=CHIP)
    assert result.dtype == np.int32


def test_bfloat16_and_int4():
    x = np.array([1.0, -9.0, 7.4, 100.0], np.float16)
    small = sfumato.cast(x, "int4", round_mode="CAST_RINT", chip=CHIP)
    assert small.dtype == ml_dtypes.int4 and small.astype(np.int8).tolist() == [1, -8, 7, 7]
    assert sfumato.cast(small, "half", round_mode="CAST_NONE", chip=CHIP).tolist() == [1, -8, 7, 7]
    wide = np.array([1.00390625, -2.5], np.float32)
    result = sfumato.cast(wide, "bfloat16", round_mode="CAST_RINT", chip=CHIP)
    assert result.dtype == ml_dtypes.bfloat16 and result.astype(np.float32).tolist() == [1.0, -2.5]


@pytest.mark.parametrize("shape", [(), (0,), (1,), (7,), (3, 5, 7), (2, 0, 3)])
def test_shapes(shape):
    x = (np.arange(np.prod(shape, dtype=int)) / 4).astype(np.float32).reshape(shape)
    result = sfumato.cast(x, "int32", round_mode="CAST_FLOOR", chip=CHIP)
    assert result.shape == shape and np.array_equal(result, np.floor(x).astype(np.int32))


def test_layouts():
    x = np.linspace(-1e5, 1e5, 300 * 500, dtype=np.float32).reshape(300, 500)
    expected = np.rint(x).astype(np.int32)
    for view in (x.T, x[::2, ::-3], np.asfortranarray(x), x.astype(">f4")):
        pick = np.rint(np.asarray(view, np.float32)).astype(np.int32)
        result = sfumato.cast(view, "int32", round_mode="CAST_RINT", chip=CHIP)
        assert result.flags.c_contiguous and np.array_equal(result, pick)
    assert np.array_equal(sfumato.cast(x, "int32", round_mode="CAST_RINT", chip=CHIP), expected)


def test_deqscale_number():
    x = np.array([1, -2, 0, 70000], np.int32)
    assert sfumato.cast(x, "float16", round_mode="CAST_NONE", chip=CHIP, deqscale=0.5).tolist() == [0.5, -1, 0, 35008]
    with pytest.raises(sfumato.Error, match="(?i)deqscale|scale"):
        sfumato.cast(x, "float16", round_mode="", chip="Ascend310")


def _word(scale, offset):
    return int(np.float32(scale).view(np.uint32)) | (offset & 0x1FF) << 37 | 1 << 46


def test_deqscale_words():
    x = np.arange(-40, 40, dtype=np.int16)
    kwargs = (
        {"round_mode": "", "chip": "Ascend910"} if _has_word("Ascend910") else {"round_mode": "", "chip": "Ascend310P"}
    )
    pair = sfumato.cast(x, "int8", deqscale=(0.5, 3), **kwargs)
    assert np.array_equal(pair, np.rint(x * 0.5).astype(np.int8) + 3)
    assert np.array_equal(sfumato.cast(x, "int8", deqscale=_word(0.5, 3), **kwargs), pair)
    words = np.array([_word(2.0**-lane, lane) for lane in range(16)], np.uint64)
    lanes = np.arange(80) % 16
    by_lane = sfumato.cast(x, "int8", deqscale=words, **kwargs)
    assert np.array_equal(by_lane, (np.rint(x * 2.0**-lanes) + lanes).astype(np.int8))
    # Lanes follow the flattened array, whatever its layout.
    turned = np.asfortranarray(x.reshape(8, 10))
    assert np.array_equal(sfumato.cast(turned, "int8", deqscale=words, **kwargs).reshape(-1), by_lane)


def _has_word(chip):
    try:
        sfumato.cast(np.zeros(16, np.int16), "int8", deqscale=(1.0, 0), round_mode="", chip=chip)
    except sfumato.UnsupportedError:
        return False
    return True


BAD_DEQSCALES = [
    ((1.0, 256), r"the offset 256 is outside \[-256, 255\]"),
    ((1.0, 2**70), r"outside \[-256, 255\]"),
    ((float("inf"), 0), "the scale inf is outside"),
    ((1e300, 0), "is outside the 1-8-10 format"),
    ((1.0, 0.5), "a pair is"),
    ([1, 2, 3], "16 uint64 words are needed"),
    (np.ones(16), "16 uint64 words are needed"),
    (-1, "is not understood"),
    ("half", "is not understood"),
]


@pytest.mark.parametrize(("deqscale", "text"), BAD_DEQSCALES, ids=[str(i) for i in range(len(BAD_DEQSCALES))])
def test_bad_deqscale(deqscale, text):
    with pytest.raises(sfumato.Error, match=text):
        sfumato.cast(np.zeros(16, np.int16), "int8", deqscale=deqscale, round_mode="", chip="Ascend310P")


def test_refusals_name_what_there_is():
    x = np.ones(4, np.float16)
    with pytest.raises(sfumato.UnsupportedError, match="int32_t"):
        sfumato.cast(x, "uint32", round_mode="CAST_CEIL", chip=CHIP)
    with pytest.raises(sfumato.UnsupportedError, match="CAST_NONE"):
        sfumato.cast(x, "float32", round_mode="CAST_CEIL", chip=CHIP)
    with pytest.raises(sfumato.UnsupportedError, match="CAST_RINT"):
        sfumato.cast(x, "int32", round_mode="up", chip=CHIP)
    with pytest.raises(sfumato.Error, match="Ascend910B"):
        sfumato.cast(x, "int32", round_mode="ceil")
    with pytest.raises(sfumato.Error, match="dtype float64 is not a type of the AI Core"):
        sfumato.cast(x, float, round_mode="ceil", chip=CHIP)
    with pytest.raises(sfumato.Error, match="dtype 'fp8' is not known"):
        sfumato.cast(x, "fp8", round_mode="ceil", chip=CHIP)
    with pytest.raises(sfumato.Error, match="array: dtype"):
        sfumato.cast(["a"], "int32", round_mode="ceil", chip=CHIP)
    with pytest.raises(sfumato.Error, match="round_mode=3: a string is needed"):
        sfumato.cast(x, "int32", round_mode=3, chip=CHIP)


def test_overflow():
    x = np.array([1e6, -np.inf, np.nan], np.float32)
    with pytest.warns(sfumato.KernelWarning, match="cast: results overflowed"):
        assert sfumato.cast(x, "half", round_mode="CAST_NONE", chip=CHIP).tolist() == [65504, -65504, 0]
    wide = sfumato.cast(x, "half", round_mode="CAST_NONE", chip=CHIP, overflow="board")
    assert wide.view(np.uint16).tolist() == [0x7C00, 0xFC00, 0x7E00]


def test_cast_round_on_ascend910():
    x = np.array([2.25, -2.25], np.float16)
    assert sfumato.cast(x, "int32", round_mode="CAST_ROUND", chip="Ascend910").tolist() == [3, -3]
    assert sfumato.cast(x, "int32", round_mode="CAST_ROUND", chip="Ascend910", cast_round="ties").tolist() == [2, -2]
    assert sfumato.cast(x, "int32", round_mode="away-zero", chip="Ascend910").tolist() == [2, -2]


def test_chips():
    families = {chip["name"]: chip for chip in sfumato.chips()}
    names = ["Ascend310", "Ascend910", "Ascend310P", "Ascend310P-Vector", "Ascend910B", "Ascend310B", "Ascend950"]
    assert list(families) == names
    assert families["Ascend910B"]["memories"]["UB"] == 196608 and "Ascend910B1" in families["Ascend910B"]["products"]
    assert sfumato.__version__.count(".") == 2
