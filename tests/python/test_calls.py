# SPDX-License-Identifier: Apache-2.0
"""What a call takes and tells: arrays of other libraries, sources as text and as lists, help, reprs, tables."""

import errno
import pydoc
from pathlib import Path

import numpy as np
import pytest
from conftest import CHIP

import sfumato

SCALE = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void twice(GM_ADDR x, uint32_t n) {
    AscendC::GlobalTensor<float> data;
    data.SetGlobalBuffer((__gm__ float*)x, n);
    for (uint32_t i = 0; i < n; ++i) data.SetValue(i, 2 * data.GetValue(i));
}
"""
TILES = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void scale_tiles(GM_ADDR x, float by, uint32_t share) {
    constexpr uint32_t kTile = 8192;
    GlobalTensor<float> data;
    data.SetGlobalBuffer((__gm__ float*)x + share * GetBlockIdx(), share);
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, kTile * sizeof(float));
    LocalTensor<float> tile = buffer.Get<float>();
    for (uint32_t at = 0; at < share; at += kTile) {
        DataCopy(tile, data[at], kTile);
        PipeBarrier<PIPE_ALL>();
        Muls(tile, tile, by, kTile);
        PipeBarrier<PIPE_ALL>();
        DataCopy(data[at], tile, kTile);
        PipeBarrier<PIPE_ALL>();
    }
}
"""
ADD_ONE = SCALE.replace("twice", "plus_one").replace("2 * data.GetValue(i)", "data.GetValue(i) + 1")


class Foreign:
    """An array of a library that has DLPack and the array interface, and no more."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **words):
        return self.array.__dlpack__(**words)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __array_namespace__(self):
        class Space:
            from_dlpack = staticmethod(lambda array: Foreign(np.from_dlpack(array)))

        return Space


class Elsewhere(Foreign):
    def __dlpack__(self, **words):
        raise BufferError("the memory is on a device")


@pytest.fixture(scope="module")
def twice():
    return sfumato.compile(SCALE, chip=CHIP, name="twice.cpp")


def test_arrays_with_dlpack_are_written_in_place(twice):
    data = Foreign(np.arange(6, dtype=np.float32))
    twice.twice[1](data, 6)
    assert data.array.tolist() == [0, 2, 4, 6, 8, 10]


def test_lists_and_casts_take_dlpack(lib):
    result = sfumato.cast(Foreign(np.array([1.5, -2.5], np.float32)), "int32", round_mode="CAST_FLOOR", chip=CHIP)
    assert isinstance(result, Foreign) and result.array.tolist() == [1, -3]


def test_dlpack_elsewhere(twice):
    with pytest.raises(sfumato.Error) as error:
        twice.twice[1](Elsewhere(np.zeros(4, np.float32)), 4)
    assert str(error.value) == "argument 1 (x): DLPack gives no array on the CPU: the memory is on a device"


def test_a_text_is_a_source_and_reports_name_it(twice):
    with pytest.raises(sfumato.KernelError) as error:
        twice.twice[1](np.zeros(4, np.float32), 5)
    assert error.value.report.file.endswith("/twice.cpp") and error.value.report.line == 5
    assert sfumato.compile(SCALE, chip=CHIP, name="twice.cpp").from_cache


@pytest.mark.parametrize("name", ["folder/twice.cpp", "twice", "", None])
def test_names_of_texts(name):
    with pytest.raises(sfumato.Error) as error:
        sfumato.compile(SCALE, chip=CHIP, name=name)
    assert str(error.value) == f"compile: name={name!r} must be a file name such as 'kernel.cpp', without a folder"


def test_a_full_disk_of_a_text(monkeypatch, tmp_path):
    monkeypatch.setattr("sfumato._texts._writable", lambda: tmp_path)

    def full(path, data):
        path.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(sfumato.Error) as error:
        sfumato.compile(SCALE, chip=CHIP)
    told = f"compile: the cache {tmp_path} cannot be written: No space left on device; free space there, or set "
    assert str(error.value) == f"{told}SFUMATO_CACHE to another folder"
    assert [path.name for path in tmp_path.rglob("*")] == ["sources"]

    def nowhere():
        raise OSError(errno.ENOSPC, "No space left on device", "/tmp/sfumato-1")

    monkeypatch.setattr("sfumato._texts._writable", nowhere)
    with pytest.raises(sfumato.Error, match="/tmp/sfumato-1: No space left on device"):
        sfumato.compile(SCALE, chip=CHIP)


def test_several_files_are_one_library(tmp_path):
    (tmp_path / "a.cpp").write_text(SCALE)
    (tmp_path / "b.cpp").write_text(ADD_ONE)
    lib = sfumato.compile([tmp_path / "a.cpp", str(tmp_path / "b.cpp")], chip=CHIP)
    assert lib.kernels == ["twice", "plus_one"]
    data = np.ones(4, np.float32)
    lib.twice[1](data, 4)
    lib.plus_one[1](data, 4)
    assert data.tolist() == [3, 3, 3, 3]
    with pytest.raises(sfumato.KernelError) as error:
        lib.plus_one[1](data, 8)
    assert error.value.report.file == str(tmp_path / "b.cpp")


def test_a_changed_file_of_several_is_compiled_anew(tmp_path):
    for text, value in ((SCALE, 2), (SCALE.replace("2 *", "5 *"), 5)):
        (tmp_path / "a.cpp").write_text(text)
        (tmp_path / "b.cpp").write_text(ADD_ONE)
        data = np.ones(1, np.float32)
        sfumato.compile([tmp_path / "a.cpp", tmp_path / "b.cpp"], chip=CHIP).twice[1](data, 1)
        assert data[0] == value


@pytest.mark.parametrize(
    "source, message",
    [
        ([], "compile: the list of sources is empty"),
        (["/nowhere/a.cpp", "/nowhere/b.cpp"], "compile: /nowhere/a.cpp: no such file"),
        ([7], "compile: source=7: a path is needed, not int"),
    ],
)
def test_wrong_sources(source, message):
    with pytest.raises(sfumato.Error) as error:
        sfumato.compile(source, chip=CHIP)
    assert str(error.value) == message


def test_help_tells_the_parameters(twice, lib):
    text = pydoc.plain(pydoc.render_doc(twice.twice))
    assert f"twice(GM_ADDR x, uint32_t n), compiled for {twice.chip}" in text
    assert "x  GM_ADDR: global memory: an array" in text
    assert "n  uint32_t: an int (uint32)" in text
    assert "lib.twice[blocks](x, n)" in text
    assert "a struct of 8 bytes: a Struct or bytes" in pydoc.plain(pydoc.render_doc(lib.scale_by_struct))
    assert isinstance(twice.twice, sfumato.Kernel)


def test_results_tell_of_the_launch(twice):
    result = twice.twice[1](np.zeros(4, np.float32), 4)
    assert (result.kernel, result.blocks, result.chip) == ("twice", 1, twice.chip)
    assert result.seconds > 0
    assert repr(result).startswith(f"<sfumato.LaunchResult ok: kernel twice[1] on {twice.chip}; cores ")
    assert "findings none" in repr(result)
    table = result._repr_html_()
    assert table.startswith("<table>") and "<th style='text-align:left'>instructions</th>" in table


def test_findings_stand_in_the_table(twice):
    with pytest.raises(sfumato.KernelError) as error:
        twice.twice[1](np.zeros(4, np.float32), 5)
    result = twice.twice.last
    assert repr(result).startswith("<sfumato.LaunchResult fault: ") and "1 fault" in repr(result)
    assert error.value.report.rule in result._repr_html_()


@pytest.fixture(scope="module")
def tiles():
    return sfumato.compile(TILES, chip=CHIP)


# Over a megabyte, where the launch reads the array where it is.
def test_large_arrays(tiles):
    data = np.arange(1 << 20, dtype=np.float32)
    before = data.copy()
    tiles.scale_tiles[4](data, 2.0, 1 << 18)
    assert np.array_equal(data, before * 2)
    data.flags.writeable = False
    with pytest.raises(sfumato.Error, match="the kernel wrote to it, but the array is read-only"):
        tiles.scale_tiles[4](data, 2.0, 1 << 18)
    assert np.array_equal(data, before * 2)


def test_a_fault_leaves_large_arrays_alone(tiles):
    data = np.arange(1 << 20, dtype=np.float32)
    before = data.copy()
    with pytest.raises(sfumato.KernelError):
        tiles.scale_tiles[4](data, 2.0, 1 << 19)
    assert np.array_equal(data, before)


def test_reprs_are_one_line(twice):
    for thing in (twice, twice.twice, twice.twice[2], twice.twice[2].options(schedule="late")):
        assert repr(thing).startswith("<sfumato.") and "\n" not in repr(thing)
