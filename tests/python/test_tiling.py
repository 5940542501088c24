# SPDX-License-Identifier: Apache-2.0
"""What a build and a launch tell a kernel: tiling structs and keys, templates, types, lists, structs, names."""

import struct
from pathlib import Path

import numpy as np
import pytest
from conftest import CHIP

import sfumato

HERE = Path(__file__).parent
ALL = "there are T=float16 MODE=3 FAST=1; T=float32 MODE=11..12 FAST=0|1"


def build(name="tiling.cpp", **options):
    return sfumato.compile(HERE / name, chip=CHIP, **options)


@pytest.fixture(scope="module")
def lib():
    return build()


def words(launcher, *arguments, count=4):
    out = np.zeros(count, np.int64)
    launcher(*[out if argument is ... else argument for argument in arguments])
    return list(out)


def test_kernels_that_macros_make(lib):
    assert lib.kernels == ["by_pointers", "of_list", "keyed", "first_made", "second_made"]
    out = np.zeros(1, np.int32)
    lib.second_made[1](out)
    assert out[0] == 2


def test_the_list_of_kernels_names_templates(lib):
    with pytest.raises(sfumato.Error) as error:
        lib["nothing"]
    assert str(error.value) == (
        f"{HERE / 'tiling.cpp'} has no kernel 'nothing': it has by_pointers, of_list, keyed, first_made, second_made; "
        "and the templates templated<...>, which are named with their arguments, e.g. 'scale<half, 3>'"
    )


def test_template_by_its_arguments():
    lib = build(instantiations=["templated<float, 7, true>"])
    assert words(lib["templated<float, 7, true>"][1], ...) == [4, 7, 1, 0]


def test_pointers_inside_a_struct(lib):
    x = np.arange(1, 5, dtype=np.float16)
    out = np.zeros(5, np.float32)
    given = sfumato.Struct(x=x, n=np.uint32(4), scale=np.float32(0.5), y=None)
    assert given.dtype.itemsize == 24
    lib.by_pointers[1](given, out)
    assert list(out) == [0.5, 1, 1.5, 2, 1]
    assert x[0] == 9


def test_a_field_says_its_size():
    with pytest.raises(sfumato.Error) as error:
        sfumato.Struct(n=3)
    assert str(error.value) == "Struct: n=3 has no size; write numpy.int32(3), numpy.float32(...) ..."


def test_list_of_tensors(lib):
    a, b = np.array([[1, 2], [3, 4], [5, 6]], np.int32), np.array([7, 8], np.int32)
    assert words(lib.of_list[1], [a, b], np.array([True, False]), ...) == [302, 1, 208, 0]
    assert a[0, 0] == 5 and b[0] == 5
    with pytest.raises(sfumato.Error) as error:
        lib.of_list[1]([a, 3], b, b)
    assert str(error.value).startswith(
        "argument 1 (tensors)[1]: int; a list of tensors holds arrays (ListTensorDesc): "
    )


def test_structured_values(lib):
    tiling = np.array((6,), dtype=[("count", np.uint32)])
    for value in (tiling, tiling[()], tiling.reshape(1), struct.pack("I", 6)):
        assert words(lib.keyed[1].options(tiling_key=3), ..., np.zeros(8, np.uint8), value)[:3] == [6, 1, 1]


def test_arguments_by_name(lib):
    out, scratch = np.zeros(4, np.int64), np.zeros(8, np.uint8)
    lib.keyed[1](out, tiling=struct.pack("I", 4), workspace=scratch)
    assert out[0] == 4
    signature = "keyed(__gm__ int64_t* out, GM_ADDR workspace, GM_ADDR tiling)"
    for arguments, named, text in [
        ((out,), {"workspace": scratch}, "missing tiling"),
        ((out,), {"tilling": scratch}, "it has no parameter 'tilling'"),
        ((out, scratch), {"out": out}, "'out' is given by position and by name"),
    ]:
        with pytest.raises(sfumato.Error) as error:
            lib.keyed[1](*arguments, **named)
        assert str(error.value) == f"{signature}: {text}"


@pytest.mark.parametrize(("key", "count", "branch"), [(0, 8, 1), (3, 8, 1), (10, 9, 2)])
def test_struct_by_key(key, count, branch):
    keyed = build(defines={"KEYED": None}, tiling_key=key).keyed
    tiling = struct.pack("II", 8, 9)
    assert words(keyed[1], ..., np.zeros(8, np.uint8), tiling)[:3] == [count, 1, branch]
    with pytest.raises(sfumato.Error) as error:
        keyed[1].options(tiling_key=4)
    assert str(error.value) == f"options: tiling_key=4, but the source was compiled for the key {key}"


def test_struct_by_key_needs_the_key():
    with pytest.raises(sfumato.CompileError) as error:
        build(defines={"KEYED": None})
    assert "the struct depends on the tiling key, so the key is needed when the source is compiled" in str(error.value)


def test_tiling_struct_wins():
    keyed = build(tiling_struct="ops::Large").keyed
    assert words(keyed[1], ..., np.zeros(8, np.uint8), struct.pack("II", 8, 9))[0] == 9


def test_tiling_header():
    header = [HERE / "tiling_host.h"]
    tiling = struct.pack("II", 8, 9)
    # That of a key is taken by its name alone.
    for key in (None, 1, 7):
        module = build("tiling_host.cpp", tiling_headers=header, tiling_key=key)
        assert words(module.host_tiled[1], ..., tiling)[:2] == [8, 9]
    with pytest.raises(sfumato.CompileError) as error:
        build("tiling_host.cpp")
    assert "GET_TILING_DATA: no tiling struct is registered" in str(error.value)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"template": {"T": "half", "MODE": 3, "FAST": True}}, [2, 3, 1, 1]),
        ({"template": {"FAST": False, "MODE": np.int64(12), "T": np.float32}}, [4, 12, 0, 0]),
        ({"tiling_key": 1 | 3 << 8 | 1 << 16}, [2, 3, 1, 1]),
    ],
)
def test_combinations(options, expected):
    assert words(build(**options).templated[1], ...) == expected


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (
            {"template": {"T": "float", "MODE": 3, "FAST": 1}},
            f"no ASCENDC_TPL_ARGS_SEL of {HERE / 'tiling.cpp'} has T=float32 MODE=3 FAST=1 (tiling key 66304); {ALL}",
        ),
        ({"template": {"T": "half", "MODE": 3}}, f"--template T=half,MODE=3: FAST is missing; {ALL}"),
        ({"template": {"FASTER": 1}}, f"--template FASTER=1: no parameter is called FASTER; {ALL}"),
        ({"template": {"MODE": 9}}, f"--template MODE=9: MODE=9 is no value of ASCENDC_TPL_ARGS_DECL; {ALL}"),
        (
            {"template": {"T": "half", "MODE": 3, "FAST": 1}, "tiling_key": 5},
            "--template T=half,MODE=3,FAST=1 has the tiling key 66305, not 5: give one of them",
        ),
    ],
)
def test_combinations_there_are_not(options, text):
    with pytest.raises(sfumato.Error) as error:
        build(**options)
    assert str(error.value) == text


def test_a_key_of_no_combination(tmp_path):
    source = tmp_path / "only.cpp"
    source.write_text(
        '#include "kernel_operator.h"\n#include "tiling_key.h"\n'
        "template <typename T, int MODE, bool FAST> __global__ __aicore__ void only(GM_ADDR x) {}\n"
    )
    with pytest.raises(sfumato.Error) as error:
        sfumato.compile(source, chip=CHIP, include_dirs=[HERE], tiling_key=1 << 40)
    assert str(error.value) == (
        f"no ASCENDC_TPL_ARGS_SEL of {source} has T=float32 MODE=0 FAST=0 (tiling key 1099511627776); {ALL}"
    )
    with pytest.raises(sfumato.Error) as error:
        sfumato.compile(source, chip=CHIP, include_dirs=[HERE])
    assert str(error.value) == (
        f"{source} has only kernel templates (only<...>): choose one with --template NAME=VALUE,... or --tiling-key N; "
        f"{ALL}"
    )


def test_template_of_a_source_without_combinations():
    with pytest.raises(sfumato.Error) as error:
        build("tiling_types.cpp", dtypes={"x": "half"}, template={"MODE": 1})
    assert str(error.value) == (
        f"{HERE / 'tiling_types.cpp'} has no ASCENDC_TPL_ARGS_DECL for --template MODE=1: name a template with its "
        "arguments, --kernel 'name<half, 3>'"
    )


@pytest.mark.parametrize(
    ("dtype", "formats", "expected"),
    [
        ("half", None, [21, 1]),
        (np.float32, {"x": "NZ"}, [42, 2]),
        (bool, {"x": "NCHW"}, [12, 3]),
        ("bfloat16", None, [21, 1]),
    ],
)
def test_types_of_the_build(dtype, formats, expected):
    lib = build("tiling_types.cpp", dtypes={"x": dtype}, formats=formats)
    assert words(lib.typed[1], np.zeros(4, np.uint8), ...)[:2] == expected


def test_types_nobody_gave(tmp_path):
    with pytest.raises(sfumato.CompileError) as error:
        build("tiling_types.cpp")
    assert str(error.value).split("): ", 1)[1].splitlines()[0] == (
        'ORIG_DTYPE_X is the element type of x, which the build gives: pass --dtype x=half (in Python dtypes={"x": "half"})'
    )
    source = tmp_path / "formats.cpp"
    source.write_text(
        '#include "kernel_operator.h"\n#if FORMAT_X == FORMAT_ND\n#endif\n'
        'extern "C" __global__ __aicore__ void formats(GM_ADDR x) {}\n'
    )
    with pytest.raises(sfumato.CompileError) as error:
        sfumato.compile(source, chip=CHIP)
    assert str(error.value).split("): ", 1)[1].splitlines()[0] == (
        'FORMAT_X is the format of x, which the build gives: pass --format x=ND (in Python formats={"x": "ND"})'
    )
    assert sfumato.compile(source, chip=CHIP, formats={"x": "ND"}).kernels == ["formats"]
    with pytest.raises(sfumato.Error) as error:
        build("tiling_types.cpp", dtypes={"x": "complex64"})
    assert str(error.value) == (
        "dtype of x: 'complex64' is no element type; legal are float32, float16, int8, int32, uint8, int16, uint16, "
        "uint32, int64, uint64, float64, bool, bfloat16, int4, hifloat8, float8_e5m2, float8_e4m3fn, float8_e8m0, "
        "float4_e2m1, float4_e1m2"
    )
    with pytest.raises(sfumato.Error) as error:
        build("tiling_types.cpp", dtypes={"x": "half"}, formats={"x": "XY"})
    assert str(error.value) == (
        "format of x: 'XY' is no format; legal are NCHW, NHWC, ND, NC1HWC0, FRACTAL_Z, NDHWC, FRACTAL_NZ, NCDHW, NCL"
    )
