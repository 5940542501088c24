# SPDX-License-Identifier: Apache-2.0
"""Launching kernels on arrays: results, argument errors, options, faults."""

import json
import resource
import struct
import threading
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from conftest import CHIP, KERNELS

import sfumato

X = np.linspace(-60, 60, 512).astype(np.float16)


def test_outputs_are_written_in_place(lib):
    dst = np.zeros((2, 256), np.int32)
    result = lib.ceil_to_int[1](X, dst, 512)
    assert np.array_equal(dst.reshape(-1), np.ceil(X.astype(np.float32)).astype(np.int32))
    assert result.ok and result.records > 0 and lib.ceil_to_int.last is result


def test_blocks_and_values(lib):
    data = np.arange(1024, dtype=np.float32)
    lib.scale[4](data, 2.5, 256)
    assert np.array_equal(data, np.arange(1024, dtype=np.float32) * np.float32(2.5))
    lib.scale[4](data, np.float32(2), np.uint32(256))
    assert data[3] == 15


def test_struct_by_value(lib):
    data = np.ones(64, np.float32)
    lib.scale_by_struct[1](data, struct.pack("=fI", 3.0, 64))
    assert np.array_equal(data, np.full(64, 3, np.float32))


def test_bfloat16(lib):
    src = np.linspace(-3, 3, 64).astype(ml_dtypes.bfloat16)
    dst = np.zeros(64, np.float32)
    lib.widen_bf16[1](src, dst, 64)
    assert np.array_equal(dst, src.astype(np.float32))


def test_int4_is_packed_and_unpacked(lib):
    src = (np.arange(128) % 16 - 8).astype(ml_dtypes.int4).reshape(2, 64)
    packed = np.zeros(64, np.uint8)
    lib.copy_bytes[1](src, packed, 64)
    nibbles = src.reshape(-1).astype(np.int8).view(np.uint8) & 0xF
    assert np.array_equal(packed, nibbles[0::2] | (nibbles[1::2] << 4))
    back = np.zeros((2, 64), ml_dtypes.int4)
    lib.copy_bytes[1](packed, back, 64)
    assert np.array_equal(back.astype(np.int8), src.astype(np.int8))


@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "int16", "uint16", "float16", "int32", "uint32", "float32", "int64", "uint64"]
)
def test_every_type_passes_through(lib, dtype):
    src = np.arange(64).astype(dtype)
    dst = np.zeros_like(src)
    lib.copy_bytes[1](src, dst, src.nbytes)
    assert np.array_equal(src, dst)


def test_the_same_array_twice_is_one_allocation(lib):
    data = np.arange(64, dtype=np.float32)
    lib.copy_bytes[1](data, data, data.nbytes)
    assert np.array_equal(data, np.arange(64, dtype=np.float32))


def test_read_only_arrays_are_inputs(lib):
    src = X.copy()
    src.flags.writeable = False
    dst = np.zeros(512, np.int32)
    lib.ceil_to_int[1](src, dst, 512)
    assert dst[-1] == 60
    dst = np.zeros(512, np.int32)
    dst.flags.writeable = False
    with pytest.raises(sfumato.Error, match=r"argument 2 \(dst\): the kernel wrote to it, but the array is read-only"):
        lib.ceil_to_int[1](src, dst, 512)
    assert not dst.any()


DST = np.zeros(512, np.int32)
BAD_ARGUMENTS = [
    ("strided", (np.zeros(1024, np.float16)[::2], DST, 512), r"argument 1 \(src\): the array is not C-contiguous"),
    ("big-endian", (X.astype(">f2"), DST, 512), r"argument 1 \(src\): dtype >f2 has the other byte order"),
    (
        "float64",
        (X.astype(np.float64), DST, 512),
        r"argument 1 \(src\): dtype float64 is not a type of the AI Core; it has int4, int8",
    ),
    ("complex", (np.zeros(512, complex), DST, 512), r"argument 1 \(src\): dtype complex128 is not a type"),
    ("list", ([1, 2], DST, 512), r"argument 1 \(src\)\[0\]: int; a list of tensors holds arrays"),
    ("set", ({1, 2}, DST, 512), r"argument 1 \(src\): set is not understood; pass an array"),
    (
        "too big",
        (X, DST, 2**64),
        "given as '18446744073709551616': the value is out of range: legal is 0 to 4294967295",
    ),
    (
        "odd int4",
        (np.zeros((2, 3), ml_dtypes.int4), DST, 512),
        r"argument 1 \(src\): int4 is packed two a byte.*\(2, 3\)",
    ),
    ("overlap", (DST[:300], DST[100:], 512), "argument 2 .* share memory without being the same array"),
    ("too few", (X, DST), r"ceil_to_int\(GM_ADDR src, GM_ADDR dst, uint32_t count\)"),
    ("float for int", (X, DST, 1.5), "ceil_to_int"),
    ("int for array", (X, 5, 512), "ceil_to_int"),
    ("array for int", (X, DST, X), "ceil_to_int"),
    ("range", (X, DST, -1), "ceil_to_int"),
    ("typed", (X, DST, np.float32(512)), "ceil_to_int"),
]


@pytest.mark.parametrize(
    ("arguments", "text"), [case[1:] for case in BAD_ARGUMENTS], ids=[case[0] for case in BAD_ARGUMENTS]
)
def test_bad_arguments(lib, arguments, text):
    with pytest.raises(sfumato.Error, match=text):
        lib.ceil_to_int[1](*arguments)
    assert not DST.any()


def test_a_fault_raises_with_the_fields_and_writes_nothing(lib):
    dst = np.full(128, 7, np.int32)
    with pytest.raises(sfumato.KernelError) as caught:
        lib.misaligned[1](X[:128], dst)
    error = caught.value
    assert (dst == 7).all()
    assert (error.severity, error.rule, error.chip, error.kernel, error.core) == (
        "fault",
        "ub-alignment",
        "Ascend910B",
        "misaligned",
        "aiv0",
    )
    assert (error.instruction, error.operand, error.file) == ("Cast", "src", str(KERNELS))
    assert "byte offset 2 " in error.found and error.legal == "a multiple of 32" and error.line > 0 and error.index > 0
    assert error.message and error.hint and str(error) == str(error.report)
    assert json.loads(error.report.json())["rule"] == "ub-alignment"
    assert lib.misaligned.last.findings[0].rule == "ub-alignment" and not lib.misaligned.last.ok


def test_collect_finds_all(lib):
    with pytest.raises(sfumato.KernelError) as caught:
        lib.misaligned[1].options(collect=True)(X[:128], np.zeros(128, np.int32))
    assert len([f for f in caught.value.result.findings if f.severity == "fault"]) == 1


def test_overflow_policies(lib):
    src = np.full(64, 1e30, np.float32)
    for overflow, expected in (("saturate", 65504), ("infnan", np.inf), ("board", np.inf)):
        dst = np.zeros(64, np.float16)
        result = lib.narrow[1].options(overflow=overflow)(src, dst, 64)
        assert (dst == expected).all()
        assert not result.findings
    with pytest.warns(sfumato.KernelWarning, match=r"\[saturated\] Cast"):
        (warning,) = lib.narrow[1](src, dst, 64).findings
    assert warning.severity == "warning" and (dst == 65504).all()
    assert warning.found == "element 0 is 65504 from src 1e+30; a board gives inf; 64 elements of this instruction"


@pytest.mark.parametrize("schedule", ["eager", "late", "ahead", "seed:0", "seed:7"])
def test_schedules_agree(lib, schedule):
    dst = np.zeros(512, np.int32)
    lib.ceil_to_int[1].options(schedule=schedule, auto_sync=False)(X, dst, 512)
    assert np.array_equal(dst, np.ceil(X.astype(np.float32)).astype(np.int32))


BAD_OPTIONS = [
    ({"schedul": "late"}, "'schedul' is not known; did you mean schedule\\?; legal: schedule, check, overflow"),
    ({"overflow": "wrap"}, "overflow='wrap' is not known; legal: 'saturate', 'infnan', 'board'"),
    ({"core": "gpu"}, "core='gpu' is not known"),
    ({"cast_round": "up"}, "cast_round='up' is not known; legal: 'page', 'ties'"),
    ({"flags": "pair"}, "flags='pair' is not known; legal: 'event', 'setter'"),
    ({"mmad_order": "random"}, "mmad_order: 'random' is no way to add products; legal are sequential, k0-block"),
    ({"fill": 256}, r"fill=256 must be an int in \[0, 255\]"),
    ({"workers": 4097}, r"workers=4097 must be an int in \[0, 4096\]"),
    ({"workers": True}, r"workers=True must be an int in \[0, 4096\]"),
    ({"tiling_key": -1}, "tiling_key=-1 must be an int"),
    ({"schedule": "soon"}, "unknown schedule 'soon'"),
    ({"schedule": "all:1000000"}, "all:N takes a number of seeds, 0 to 65535"),
    ({"check": "rases"}, "unknown check 'rases'"),
    ({"div": "up"}, "up"),
    ({"time": {"l3": "warm"}}, "time: 'l3' is not known; legal: l2, launch"),
    ({"time": {"scalar_cycles": -1}}, "scalar_cycles"),
]


@pytest.mark.parametrize(
    ("options", "text"), BAD_OPTIONS, ids=[next(iter(o)) + str(i) for i, (o, _) in enumerate(BAD_OPTIONS)]
)
def test_bad_options(lib, options, text):
    with pytest.raises(sfumato.Error, match=text):
        lib.ceil_to_int[1].options(**options)
    with pytest.raises(sfumato.Error, match=text):
        lib.ceil_to_int.options(**options)


@pytest.mark.parametrize("blocks", [0, -1, 1.5, True, "8"])
def test_bad_blocks(lib, blocks):
    with pytest.raises(sfumato.Error, match="the number of blocks must be an int in \\[1, 65535\\]"):
        lib.ceil_to_int[blocks]


def test_log_gets_a_line_per_record(lib):
    lines = []
    result = lib.ceil_to_int[1].options(log=lines.append)(X, np.zeros(512, np.int32), 512)
    assert len(lines) == result.records
    assert any("Cast" in line for line in lines)


def test_an_exception_in_log_comes_out(lib):
    def log(line):
        raise ZeroDivisionError("in log")

    with pytest.raises(ZeroDivisionError, match="in log"):
        lib.ceil_to_int[1].options(log=log)(X, np.zeros(512, np.int32), 512)


def test_printf_goes_to_sys_stdout(lib, capsys):
    lib.says_hello[1](None)
    assert "hello from block 0\n" in capsys.readouterr().out
    pieces = []
    lib.says_hello[1].options(print=pieces.append)(None)
    assert "hello from block 0\n" in "".join(pieces)


def test_launches_from_several_threads(lib):
    outputs = [np.zeros(512, np.int32) for _ in range(4)]
    threads = [threading.Thread(target=lib.ceil_to_int[2], args=(X, out, 512)) for out in outputs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(out, outputs[0]) and out[-1] == 60 for out in outputs)


def test_library_names(lib):
    assert "ceil_to_int" in lib.kernels and "ceil_to_int" in dir(lib) and lib.chip == CHIP
    assert lib["ceil_to_int"] is lib.ceil_to_int
    assert lib.ceil_to_int.signature == "ceil_to_int(GM_ADDR src, GM_ADDR dst, uint32_t count)"
    with pytest.raises(AttributeError, match="ceil_to_int"):
        lib.ceil_to_imt
    with pytest.raises(sfumato.Error, match="say how many blocks"):
        lib.ceil_to_int(X)


def test_compile_errors(tmp_path):
    with pytest.raises(sfumato.Error, match="Ascend910B"):
        sfumato.compile(KERNELS)
    with pytest.raises(sfumato.UnsupportedError, match="Ascend910B"):
        sfumato.compile(KERNELS, chip="Ascend911")
    with pytest.raises(sfumato.Error, match="nowhere.cpp"):
        sfumato.compile("nowhere.cpp", chip=CHIP)
    source = tmp_path / "broken.cpp"
    source.write_text(
        '#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void k(GM_ADDR x) { return 1; }\n'
    )
    with pytest.raises(sfumato.CompileError, match="broken.cpp:2"):
        sfumato.compile(source, chip=CHIP)


def test_defines_and_include_dirs(tmp_path):
    (tmp_path / "headers").mkdir()
    (tmp_path / "headers" / "offset.h").write_text("constexpr float kOffset = OFFSET;\n")
    source = tmp_path / "shift.cpp"
    source.write_text(
        '#include "kernel_operator.h"\n#include "offset.h"\n#ifndef PLAIN\n#error PLAIN is not defined\n#endif\n'
        'extern "C" __global__ __aicore__ void shift(GM_ADDR x) { *(__gm__ float*)x += kOffset; }\n'
    )
    lib = sfumato.compile(source, chip=CHIP, defines={"OFFSET": 4, "PLAIN": None}, include_dirs=[tmp_path / "headers"])
    data = np.ones(1, np.float32)
    lib.shift[1](data)
    assert data[0] == 5


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the address space in use is read from /proc")
def test_an_array_too_large_for_global_memory_is_named(lib):
    src, dst = np.zeros(64, np.float16), np.zeros(1 << 31, np.uint8)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    limits = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 30), limits[1]))
    try:
        with pytest.raises(sfumato.Error, match=r"'dst' is too large: the machine cannot allocate 2147483648 bytes"):
            lib.copy_bytes[1](src, dst, 64)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)


def test_cost_is_what_the_program_does(lib):
    data = np.ones(1024, np.float32)
    for schedule in ("eager", "late"):
        cost = lib.scale.options(cost=True, schedule=schedule)[4](data, 2.5, 256).cost
        assert (cost.bytes_gm_read, cost.bytes_gm_written, cost.vector_elements, cost.mac) == (4096, 4096, 1024, 0)
    assert lib.scale[4](data, 2.5, 256).cost.vector_elements == 0
