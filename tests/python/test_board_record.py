# SPDX-License-Identifier: Apache-2.0
"""`numerics="board:SOC"` (docs/last-bits.md): tables and settings of a record, what wins over it, and what is refused."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from conftest import CHIP

import sfumato

F16 = np.float16
ALL = np.arange(65536, dtype=np.uint16)
FUNCTIONS = ("Exp", "Ln", "Sqrt", "Rsqrt", "Reciprocal")
SOURCE = """#include "kernel_operator.h"
using namespace AscendC;
template <class T, class F>
__aicore__ inline void Through(GM_ADDR x, GM_ADDR y, F&& compute) {
    GlobalTensor<T> in, out;
    in.SetGlobalBuffer((__gm__ T*)x, 65536), out.SetGlobalBuffer((__gm__ T*)y, 65536);
    TPipe pipe;
    TBuf<> buffers[2];
    for (auto& b : buffers) pipe.InitBuffer(b, 65536);
    LocalTensor<T> a = buffers[0].Get<T>(), b = buffers[1].Get<T>();
    constexpr uint32_t part = 65536 / sizeof(T) / 2;
    for (uint32_t at = 0; at < 65536; at += part) {
        DataCopy(a, in[at], part);
        PipeBarrier<PIPE_ALL>();
        compute(a, b, part);
        PipeBarrier<PIPE_ALL>();
        DataCopy(out[at], b, part);
        PipeBarrier<PIPE_ALL>();
    }
}
#define KERNEL(name, T, ...) extern "C" __global__ __aicore__ void name(GM_ADDR x, GM_ADDR y) { \\
    Through<T>(x, y, [&](auto& a, auto& b, uint32_t n) { __VA_ARGS__; }); }
KERNEL(Exp_half, half, Exp(b, a, n))
KERNEL(Ln_half, half, Ln(b, a, n))
KERNEL(Sqrt_half, half, Sqrt(b, a, n))
KERNEL(Rsqrt_half, half, Rsqrt(b, a, n))
KERNEL(Reciprocal_half, half, Reciprocal(b, a, n))
KERNEL(Rsqrt_float, float, Rsqrt(b, a, n))
KERNEL(Exp_float, float, Exp(b, a, n))
KERNEL(Div_float, float, Duplicate(b, 3.0f, n); Div(b, a, b, n))
KERNEL(Abs_half, half, Abs(b, a, n))
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory):
    source = tmp_path_factory.mktemp("record") / "record.cpp"
    source.write_text(SOURCE)
    return sfumato.compile(source, chip=CHIP)


def tables():
    rng = np.random.default_rng(1)
    return {name: rng.permutation(ALL) for name in FUNCTIONS}


def write(folder, folder_of="Ascend910B2", functions=(), **changes):
    """A record; `changes` of numerics.json, None takes a field away."""
    folder = Path(folder) / folder_of
    folder.mkdir(parents=True)
    about = {"format": 1, "soc": folder_of, "probes": "probes-1", "settings": {}, "tables": {}, "contributor": "A. Volunteer",
             "licence": "CC0-1.0", "toolkit": "8.5", "driver": "25.2", "hashes": {}}  # fmt: skip
    for name in functions:
        file = f"{name.lower()}.half.bin"
        (folder / file).write_bytes(tables()[name].astype("<u2").tobytes())
        about["tables"][name] = {"half": file}
        about["hashes"][file] = hashlib.sha256((folder / file).read_bytes()).hexdigest()
    about.update(changes)
    (folder / "numerics.json").write_text(json.dumps({key: v for key, v in about.items() if v is not None}))
    return folder


@pytest.fixture
def records(tmp_path, monkeypatch):
    monkeypatch.setenv("SFUMATO_RECORDS", str(tmp_path))
    return tmp_path


def run(kernel, x, **options):
    y = np.empty_like(x)
    kernel[1].options(**options)(x, y)
    return y


def halves(lib, name, **options):
    return run(getattr(lib, f"{name}_half"), ALL.view(F16), **options).view(np.uint16)


FLOATS = np.linspace(0.1, 40, 65536).astype(np.float32)


def test_tables_are_final(lib, records):
    """Each half's result is the table's entry, inf and NaN among them, whatever the policy."""
    write(records, functions=FUNCTIONS)
    for name in FUNCTIONS:
        for overflow in ("saturate", "infnan"):
            assert (halves(lib, name, numerics="board:Ascend910B2", overflow=overflow) == tables()[name]).all()
    assert (halves(lib, "Abs", numerics="board:Ascend910B2") == halves(lib, "Abs")).all()
    for name in ("Exp_float", "Rsqrt_float"):  # a table is of halves
        plain, other = (run(getattr(lib, name), FLOATS, **o) for o in ({}, {"numerics": "board:Ascend910B2"}))
        assert plain.tobytes() == other.tobytes()


def test_options_win(lib, records):
    """What is asked for wins over the record, and only that."""
    write(records, functions=("Exp", "Rsqrt"), settings={"estimate": "exact", "div": "away", "mmad-order": "tree:4"})
    board = {"numerics": "board:Ascend910B2"}
    for option in ("board", "exact"):
        assert (halves(lib, "Rsqrt", estimate=option, **board) == halves(lib, "Rsqrt", estimate=option)).all()
        assert (halves(lib, "Exp", estimate=option, **board) == tables()["Exp"]).all()
    assert (halves(lib, "Reciprocal", **board) == halves(lib, "Reciprocal", estimate="exact")).all()
    results = {key: run(lib.Div_float, FLOATS, div=key).tobytes() for key in ("nearest", "away", "toward")}
    assert len(set(results.values())) == 3
    assert run(lib.Div_float, FLOATS, **board).tobytes() == results["away"]
    for key, value in results.items():
        assert run(lib.Div_float, FLOATS, div=key, **board).tobytes() == value
    said = {"numerics": "board:Ascend910B2", "estimate": "exact", "div": "away", "mmad_order": "tree:4"}
    assert sfumato._options.numerics(board) == said
    assert sfumato._options.numerics({**board, "div": "nearest"}) == {**said, "div": "nearest"}
    assert sfumato._options.numerics({}) == {
        "numerics": "", "estimate": "board", "div": "nearest", "mmad_order": "sequential",
    }  # fmt: skip


def test_it_is_read_anew(lib, records):
    folder = write(records, settings={"div": "away"})
    board = {"numerics": "board:Ascend910B2"}
    away = run(lib.Div_float, FLOATS, **board)
    text = (folder / "numerics.json").read_text()
    (folder / "numerics.json").write_text(text.replace("away", "toward"))
    assert run(lib.Div_float, FLOATS, **board).tobytes() == run(lib.Div_float, FLOATS, div="toward").tobytes()
    assert away.tobytes() == run(lib.Div_float, FLOATS, div="away").tobytes()


def test_the_last_bit_moves_from_the_table(lib, records):
    write(records, functions=("Sqrt",))
    y = np.empty(65536, F16)
    result = lib.Sqrt_half[1].options(numerics="board:Ascend910B2", check="last-bit")(ALL.view(F16), y)
    assert (y.view(np.uint16) == tables()["Sqrt"]).all()
    assert [f.rule for f in result.findings] == ["last-bit"]


def test_rests_on(lib, records):
    folder = write(records, functions=("Exp",), settings={"estimate": "exact"})
    for name, tag in (("Exp", "recorded"), ("Rsqrt", "recorded")):
        y = np.empty(65536, F16)
        kernel = getattr(lib, f"{name}_half")[1].options(numerics="board:Ascend910B2", rests_on=True)
        (reading,) = [r for r in kernel(ALL.view(F16), y).rests_on if r.call == name and "record" in r.reading]
        assert (reading.tag, reading.reading) == (tag, "The last bits are those of a record of Ascend910B2.")
        assert (
            reading.source == f"probes-1 of A. Volunteer, {folder / 'numerics.json'}" and "--numerics" in reading.switch
        )


AGAIN = "import the record again (docs/last-bits.md)"


def test_what_is_not_there(lib, records):
    exp = lib.Exp_half[1]
    with pytest.raises(sfumato.Error) as caught:
        exp.options(numerics="board:Ascend910B9")
    assert str(caught.value) == (
        f"numerics: no record of Ascend910B9 lies in {records}; there is none; `sfumato record` makes one on a board, and its "
        "`import` puts it there (docs/last-bits.md)"
    )
    write(records), write(records, "Ascend310P3")
    for text in ("Ascend910B2", "board:", "board:../x", "exact", "board:.x"):
        with pytest.raises(sfumato.Error) as caught:
            exp.options(numerics=text)
        assert str(caught.value) == (
            f"numerics: '{text}' names no record; legal is board:SOC, of the records in {records}: there are Ascend310P3, "
            "Ascend910B2"
        )
    with pytest.raises(sfumato.Error) as caught:
        exp.options(numerics="board:Ascend310P3")
    assert str(caught.value) == (
        "numerics: the record of Ascend310P3 is of the family Ascend310P; this launch is for Ascend910B1; legal is a record of "
        "a product of Ascend910B"
    )
    exp.options(numerics="board:Ascend910B2")


def cut(folder):
    (folder / "exp.half.bin").write_bytes(b"\0" * 1000)


def edited(folder):
    bits = bytearray((folder / "exp.half.bin").read_bytes())
    bits[77] ^= 1
    (folder / "exp.half.bin").write_bytes(bytes(bits))


@pytest.mark.parametrize(
    ("changes", "spoil", "message"),
    [
        ({}, cut, f"the table exp.half.bin has 1000 bytes; the results of all halves are 131072; {AGAIN}"),
        ({}, edited, f"the table exp.half.bin is not the one that was imported: its SHA-256 is another; {AGAIN}"),
        ({}, lambda f: (f / "exp.half.bin").unlink(), f"the table exp.half.bin cannot be read; {AGAIN}"),
        ({"hashes": {}}, None, f"'hashes' lacks exp.half.bin; {AGAIN}"),
        ({"format": 2}, None, "its format is 2; this version of Sfumato reads 1; take a newer one"),
        ({"format": None}, None, f"its format is missing; this version of Sfumato reads 1; {AGAIN}"),
        ({"soc": "Ascend910B1"}, None, f"it is of the soc 'Ascend910B1' and lies in the folder of 'Ascend910B2'; {AGAIN}"),
        ({"soc": None}, None, f"'soc' must be a text; {AGAIN}"),
        ({"settings": None}, None, f"'settings' must be an object; {AGAIN}"),
        ({"settings": {"order": "x"}}, None, f"the setting 'order' is unknown; legal are mmad-order, estimate and div; {AGAIN}"),
        ({"settings": {"div": 3}}, None, f"'div' must be a text; {AGAIN}"),
        ({"tables": {"Tanh": {"half": "exp.half.bin"}}}, None, f"the table of 'Tanh' is of no function; legal are Exp, Ln, Sqrt, Rsqrt and Reciprocal; {AGAIN}"),
        ({"tables": {"Exp": {"float": "exp.half.bin"}}}, None, f'the table of Exp must be {{"half": FILE}}; {AGAIN}'),
        ({"tables": {"Exp": {"half": "../exp.half.bin"}}}, None, f"the table of Exp is '../exp.half.bin', no file beside it; {AGAIN}"),
        ({}, lambda f: (f / "numerics.json").write_text("{"), f"no JSON; {AGAIN}"),
        ({}, lambda f: (f / "numerics.json").write_text("[]"), f"no object of JSON; {AGAIN}"),
    ],
)  # fmt: skip
def test_broken_records(lib, records, changes, spoil, message):
    folder = write(records, functions=("Exp",), **changes)
    if spoil:
        spoil(folder)
    with pytest.raises(sfumato.Error) as caught:
        lib.Exp_half[1].options(numerics="board:Ascend910B2")
    assert str(caught.value) == f"numerics: {folder / 'numerics.json'}: {message}"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"estimate": "near"}, "estimate: 'near' is not known; legal are board, exact"),
        ({"div": "up"}, "div: 'up' is no rounding of quotients; legal are nearest, away, toward, and seed:N with N from 0 to 4294967295"),
        ({"mmad-order": "half=tree"}, "mmad_order: half: 'tree' is no way to add products"),
    ],
)  # fmt: skip
def test_settings_that_say_nothing(lib, records, settings, message):
    folder = write(records, settings=settings)
    with pytest.raises(sfumato.Error) as caught:
        lib.Exp_half[1].options(numerics="board:Ascend910B2")
    assert str(caught.value).startswith(message) and str(caught.value).endswith(
        f", by the option or by {folder / 'numerics.json'}"
    )
