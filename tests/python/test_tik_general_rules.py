# SPDX-License-Identifier: Apache-2.0
"""What the general form of TIK's vector calls refuses: types, overlaps, numbers out of range (tik.md 3.1, 3.7)."""

import numpy as np
import pytest
from tik_oracles import Operand, load, store
from tik_plans import MIXED, parameters
from tik_support import instance
from tik_table import CHIPS, PLANS, TYPES, types_of

from sfumato import KernelError, tik


class Workbench:
    """An open program with one tensor in UB, for calls that are refused or that are looked at one by one."""

    def __init__(self, chip: str, **options):
        self.t = instance(chip, **options)
        self.gm = self.t.Tensor("uint8", (16384,), name="gm", scope=tik.scope_gm)
        self.ub = self.t.Tensor("uint8", (16384,), name="ub", scope=tik.scope_ubuf)
        self.late = self.t.Scalar("int32", name="late")
        self.t.data_move(self.ub, self.gm, 0, 1, 512, 0, 0)
        self.late.set_as(self.ub.reinterpret_cast_to("int32")[4000])

    def view(self, dtype: str, element: int = 0):
        return self.ub.reinterpret_cast_to(dtype)[element]

    def run(self, before: np.ndarray, **options) -> np.ndarray:
        self.t.data_move(self.gm, self.ub, 0, 1, 512, 0, 0)
        self.t.BuildCCE("bench", [self.gm], [self.gm])
        return self.t.run({"gm": before}, **options)[0]

    def arguments(self, call: str, dtype: str, known: bool = True) -> dict:
        """Legal arguments but for the type."""
        made = {}
        places = {"dst": 0, "src": 4096, "src0": 4096, "src1": 8192, "work_tensor": 12288}
        for name in parameters(call):
            if name in places:
                made[name] = self.view(dtype, places[name] // np.dtype(dtype).itemsize)
            elif name.endswith("_list"):
                start = 0 if name == "dst_list" else 4096
                made[name] = [self.view(dtype, (start + 32 * i) // np.dtype(dtype).itemsize) for i in range(16)]
            elif name in ("mask", "repeat_times", "scalar", "mode") or name.endswith("stride"):
                made[name] = {"mask": 8, "mode": 0}.get(name, 1)
                if name in ("mask", "repeat_times") and not known:
                    made[name] = self.late
            elif name == "deqscale":
                made[name] = 0.5
            elif name.endswith("half"):
                made[name] = False
        if "cmpv" in call:
            made["dst"] = self.view("uint8")
        if "sel" in parameters(call):
            made["sel"] = self.view("uint8", 12288)
        return made


@pytest.mark.parametrize("family", CHIPS)
def test_other_types_are_refused(family):
    """While the script runs, whether mask and repeat count are known or not; the report names what there is."""
    bench, seen = Workbench(CHIPS[family]), 0
    for call in sorted(PLANS):
        legal = types_of(family, call)
        for dtype in sorted(set(TYPES) - legal):
            known = seen % 2 == 0
            with pytest.raises(tik.TikError) as caught:
                getattr(bench.t, call)(**bench.arguments(call, dtype, known))
            error, seen = caught.value, seen + 1
            wanted = "type-unsupported" if legal - set(MIXED) else "conversion-unsupported"
            wanted = wanted if legal else "instruction-unsupported"
            assert (error.rule, error.instruction) == (wanted, call), str(error)
            if dtype != "int32" or "cmp" not in call:
                named = set(error.legal.replace(",", " ").split())
                there = {name for one in legal for name in MIXED.get(one, (one,))}
                there = there or {one for one in CHIPS if types_of(one, call)}
                assert named >= there, str(error)
    assert seen == len(PLANS) * len(TYPES) - sum(len(types_of(family, call) - set(MIXED)) for call in PLANS)


REFUSED = [
    ("Ascend310", "vec_exp", "float32", "dst: float32", "float16"),
    ("Ascend310", "vcmpv_lt", "float32", "src0: float32", "float16"),
    ("Ascend910", "vec_adds", "int32", "dst: int32", "float16, float32"),
    ("Ascend910B", "vec_abs", "int32", "dst: int32", "float16, float32"),
    ("Ascend310B", "vec_mul", "int8", "dst: int8", "int16, float16, int32, float32"),
]


@pytest.mark.parametrize("family, call, dtype, found, legal", REFUSED)
def test_the_text_of_a_refusal(family, call, dtype, found, legal):
    bench = Workbench(CHIPS[family])
    with pytest.raises(tik.TikError) as caught:
        getattr(bench.t, call)(**bench.arguments(call, dtype))
    lines = str(caught.value).splitlines()
    assert lines[0] == f"fault [type-unsupported] {call}: the element type is not supported on {family}"
    assert lines[1].startswith(f"  where:  {__file__}:") and lines[1].endswith(f"({family})")
    assert lines[2:4] == [f"  found:  {found}", f"  legal:  {legal}"]


# dst, src0 and src1 as (start in blocks, repeat stride); mask, repeats; the rule that refuses it.
OVERLAPS = {
    "the same": ((0, 8), (0, 8), (64, 8), 128, 3, None),
    "the same, both": ((0, 8), (0, 8), (0, 8), 128, 3, None),
    "the same block again and again": ((0, 0), (0, 0), (64, 8), 128, 2, "overlap-across-repeats"),
    "part of it": ((1, 8), (0, 8), (64, 8), 128, 1, "overlap-in-repeat"),
    "part of it, src1": ((1, 8), (64, 8), (0, 8), 128, 1, "overlap-in-repeat"),
    "behind the mask": ((1, 8), (0, 8), (64, 8), 16, 1, None),
    "a later repeat reads it": ((8, 8), (0, 8), (64, 8), 128, 2, "overlap-across-repeats"),
    "an earlier repeat read it": ((0, 8), (8, 8), (64, 8), 128, 3, None),
    "the same start, wider source": ((0, 8), (0, 16), (64, 8), 128, 3, None),
    "the same start, wider destination": ((0, 16), (0, 8), (64, 8), 128, 3, "overlap-across-repeats"),
    "accumulation": ((0, 0), (64, 8), (0, 0), 128, 5, None),
}


@pytest.mark.parametrize("late", [False, True], ids=["known", "run time"])
@pytest.mark.parametrize("case", OVERLAPS)
def test_overlap(case, late):
    """Refused while the script runs when the places are known, before anything is written when they are not."""
    dst, src0, src1, mask, repeats, rule = OVERLAPS[case]
    rng = np.random.default_rng(5)
    before = rng.integers(-8, 9, 8192).astype(np.float16).view(np.uint8).copy()
    before[16000:16004] = np.array([dst[0] * 16], np.int32).view(np.uint8)
    bench = Workbench("Ascend910B1")
    arguments = [mask, bench.view("float16", bench.late if late else dst[0] * 16)]
    arguments += [bench.view("float16", one[0] * 16) for one in (src0, src1)] + [repeats, dst[1], src0[1], src1[1]]
    if rule and not late:
        with pytest.raises(tik.TikError) as caught:
            bench.t.vec_add(*arguments)
        assert caught.value.rule == rule
        return
    bench.t.vec_add(*arguments)
    if rule:
        with pytest.raises(KernelError) as caught:
            bench.run(before)
        assert caught.value.rule == rule
        return
    expected, lanes = before.copy(), np.arange(mask)
    where = [Operand(one[0] * 32, "float16", 1, one[1]) for one in (dst, src0, src1)]
    for repeat in range(repeats):
        a, b = (load(expected, one.at(repeat, lanes), "float16") for one in where[1:])
        store(expected, where[0].at(repeat, lanes), a + b)
    assert np.array_equal(bench.run(before), expected)


# Numbers out of range: the rule, the same for an immediate and for a Scalar.
WRONG = {
    "mask": ([0, -1, 129], "mask-range"),
    "repeat_times": ([256], "repeat-range"),
    "dst_rep_stride": ([256], "stride-range"),
    "src_rep_stride": ([256], "stride-range"),
    "src_blk_stride": ([65536], "stride-range"),
}
WRONG_VALUES = [(name, value, rule) for name, (values, rule) in WRONG.items() for value in values]


@pytest.mark.parametrize("name, value, rule", WRONG_VALUES)
def test_numbers_out_of_range(name, value, rule):
    bench = Workbench("Ascend910B1")
    legal = bench.arguments("vabs", "float16") | {"repeat_times": 2}  # strides matter from the second on
    with pytest.raises(tik.TikError) as caught:
        bench.t.vabs(**legal | {name: value})
    assert caught.value.rule == rule
    bench.t.vabs(**legal | {name: bench.late})
    before = np.zeros(16384, np.uint8)
    before[16000:16004] = np.array([value], np.int32).view(np.uint8)
    with pytest.raises(KernelError) as caught:
        bench.run(before)
    assert caught.value.rule == rule and caught.value.file == __file__


def test_a_repeat_count_of_0():
    """No immediate, but a Scalar may be 0."""
    bench = Workbench("Ascend910B1")
    legal = bench.arguments("vabs", "float16")
    with pytest.raises(tik.TikError, match="legal:  1..255; a Scalar or an Expr may be 0"):
        bench.t.vabs(**legal | {"repeat_times": 0})
    bench.t.vabs(**legal | {"repeat_times": bench.late})
    before = np.arange(16384).astype(np.uint8)
    before[16000:16004] = 0
    assert np.array_equal(bench.run(before), before)


@pytest.mark.parametrize("dtype, number, bits", [("uint16", -1, 65535), ("int16", 65535, 65535), ("int16", 2.0, 2)])
def test_integer_immediates(dtype, number, bits):
    """Signed or unsigned, as the bits of the type."""
    bench = Workbench("Ascend910B1")
    bench.t.vec_dup(128, bench.view(dtype), number, 1, 8)
    assert (bench.run(np.zeros(16384, np.uint8)).view(np.uint16)[:128] == bits).all()


UNFIT = [(70000, "parameter-range"), (-32769, "parameter-range"), (0.5, "parameter-type")]


@pytest.mark.parametrize("number, rule", UNFIT)
def test_immediates_that_do_not_fit(number, rule):
    bench = Workbench("Ascend910B1")
    with pytest.raises(tik.TikError) as caught:
        bench.t.vec_dup(128, bench.view("int16"), number, 1, 8)
    assert (caught.value.rule, caught.value.operand) == (rule, "scalar")


@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_a_scalar_of_another_type(dtype):
    """Refused while the script runs, although the value is not known."""
    bench = Workbench("Ascend910B1")
    legal = bench.arguments("vec_adds", "float16")
    with pytest.raises(tik.TikError) as caught:
        bench.t.vec_adds(**legal | {"scalar": bench.t.Scalar(dtype)})
    assert (caught.value.rule, caught.value.operand) == ("type-mismatch", "scalar")
