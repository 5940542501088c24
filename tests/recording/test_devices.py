# SPDX-License-Identifier: Apache-2.0
"""The kit on devices whose settings are known: the digest names each of them, and tells planted ones from all candidates.

The devices are this runtime, which shares no code with the digest, and models of the test itself.
"""

from fractions import Fraction

import numpy as np
import pytest
from sfumato.recording._digest import digest
from sfumato.recording._inputs import TYPES
from sfumato.recording._matrices import UNIT, matrices
from sfumato.recording._probes import probes

# What differs from the device without options: the first of the survivors of each question.
SEQUENTIAL, BLOCKS = "sequential", "k0-block"
PLAIN = {
    "Rsqrt half": "board",
    "Rsqrt float": "board",
    "Reciprocal half": "board",
    "Reciprocal float": "board",
    "Div float": "nearest",
    "Mmad order half": SEQUENTIAL,
    "Mmad order bfloat16_t": SEQUENTIAL,
    "Mmad order float": SEQUENTIAL,
    "Mmad order hf32": SEQUENTIAL,
    "Exp half, specials": "infnan",
    "NaN half": "canonical",
    "SetAtomicAdd half": "rint, infnan, subnormals kept",
    "Mmad overflow float": "infnan",
    "Cast float to half, rint": "rint, infnan",
}
ALWAYS = {  # under any setting
    "Exp half": "nearest",
    "Exp float": "nearest",
    "Ln float": "nearest",
    "Sqrt float": "nearest",
    "Div half": "nearest",
    "Reciprocal float, subnormals": "kept",
    "Div float, subnormals": "kept",
    "Add float, subnormals": "kept",
    "WholeReduceSum half": "neighbours",
    "BlockReduceSum float": "neighbours",
    "PairReduceSum half": "nearest",
    "ReduceSum float": "neighbours; repeats sequential",
    "SetAtomicAdd float": "rint, infnan, subnormals kept",
    "SetHF32TransMode 0": "ties to even",
    "SetHF32TransMode 1": "ties away",
    "Mmad subnormals float": "operands kept, results kept",
}
ORDERS = {question: BLOCKS for question in PLAIN if question.startswith("Mmad order")}
EXACT = {question: "exact" for question, word in PLAIN.items() if word == "board"}
SATURATE = {
    "Exp half, specials": "saturate",
    "NaN half": "0",
    "SetAtomicAdd half": "rint, saturate, subnormals kept",
    "Mmad overflow float": "saturate",
    "Cast float to half, rint": "rint, saturate",
}
SETTINGS = {
    "": {},
    "mmad_order=k0-block": ORDERS,
    "estimate=exact": EXACT,
    "div=away": {"Div float": "away"},
    "div=toward": {"Div float": "toward"},
    "div=seed:7": {"Div float": "envelope"},
    "overflow=saturate": SATURATE,
    "overflow=infnan": {},
    "schedule=late,state=dirty": {},
    "mmad_order=k0-block,estimate=exact,div=away,overflow=saturate": {
        **ORDERS,
        **EXACT,
        "Div float": "away",
        **SATURATE,
    },
}


@pytest.mark.parametrize("options", SETTINGS)
def test_the_digest_names_the_settings(device, options):
    found = digest(device(options))
    wanted = {**PLAIN, **ALWAYS, **SETTINGS[options]}
    assert {question: found.of(question).survivors[:1] for question in wanted} == {q: (w,) for q, w in wanted.items()}
    assert found.unanswered == ()
    assert found.recorded == len(probes())
    # Every cast rounds as the name of its mode says.
    casts = [answer for answer in found.answers if answer.expected]
    assert len(casts) == 79
    for answer in casts:
        assert answer.expected in {survivor.partition(",")[0] for survivor in answer.survivors}, answer


# --- planted devices --------------------
def change(folder, name, element, bits):
    """Flips bits of one result, in both launches."""
    probe = next(probe for probe in probes() if probe.name == f"{name}.bin")
    for ending in ("", ".again")[: probe.times]:
        path = folder / "outputs" / f"{name}.bin{ending}"
        array = np.fromfile(path, f"u{TYPES[probe.target].itemsize}")
        array[element] ^= bits
        array.tofile(path)


PLANTED = {  # the question that one changed result leaves without an answer: probe, element, bits
    "Rsqrt half": ("rsqrt-half", 0x3C00, 1),  # one entry of the table
    "Reciprocal half, subnormals": ("rec-half", 0x0123, 1),
    "Exp half": ("exp-half", 0x4000, 1),
    "Ln float": ("ln-grid", 0x4000, 1),
    "Sqrt half, specials": ("sqrt-half", 0x7C00, 0x8000),
    "Div float": ("div-dense", 4097, 4),
    "Cast float to half, odd": ("cast-float-half-odd", 5, 1),
    "Cast half to float, none": ("cast-half-float-none", 0x3555, 1),
    "BlockReduceSum half": ("reduce-block-half", 9, 1),
    "ReduceSum float": ("reduce-sum-1000-float", 8, 1),
    "SetAtomicAdd bfloat16_t": ("atomic-bfloat16_t", 800, 1),
    "Mmad order float": ("mmad-float-spread", 200, 1),
    "Mmad subnormals float": ("mmad-float-subnormal", 190, 1),
    "Mmad overflow half": ("mmad-half-overflow", 17, 1),
    "SetHF32TransMode 1": ("mmad-float-hf32-1", 3, 1),
}


def test_one_bit_of_one_result(copy):
    folder = copy()
    for name, element, bits in PLANTED.values():
        change(folder, name, element, bits)
    found = digest(folder)
    assert {answer.question for answer in found.unanswered} == set(PLANTED)
    for question, (name, _, _) in PLANTED.items():
        assert name in found.of(question).detail, found.of(question)
    answered, _, unanswered = found.text().partition("UNANSWERED: 15 of")
    assert [question for question in PLANTED if f"\n  {question}: none of" not in unanswered] == []
    assert [question for question in PLANTED if f"\n{question}  " in answered] == []


def kept(value: Fraction, bits: int, mode: str) -> Fraction:
    """To so many significant bits."""
    if not value:
        return value
    size = abs(value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    while Fraction(2) ** exponent > size:
        exponent -= 1
    unit = Fraction(2) ** max(exponent - bits + 1, -149)
    steps = round(size / unit) if mode == "rn" else size // unit  # round() takes ties to even
    return steps * unit if value > 0 else -steps * unit


def aligned(group, c, width, mode):
    """A unit that cuts all addends below `width` bits from the largest, written for this test alone."""
    terms = [*group, c]
    top = max(map(abs, terms))
    if not top:
        return Fraction(0)
    exponent = top.numerator.bit_length() - top.denominator.bit_length()
    while Fraction(2) ** exponent > top:
        exponent -= 1
    while Fraction(2) ** (exponent + 1) <= top:
        exponent += 1
    unit = Fraction(2) ** (exponent - width + 1)
    total = sum(abs(t) // unit * (1 if t > 0 else -1) for t in terms) * unit
    return kept(total, 24, mode)


def plant(folder, kind, size, width, mode):
    """Replaces the sums of one type by those of such a unit."""
    for m in matrices():
        if (m.type, m.use) != (kind, "sum"):
            continue
        a, b = ([[Fraction(float(v)) for v in row] for row in side.astype(np.float64)] for side in (m.a, m.b))
        result = np.empty(256, np.float32)
        for at in range(256):
            products = [x * y for x, y in zip(a[at // 16], b[at % 16])]
            c = Fraction(0)
            for part in (products[: m.split], products[m.split :]) if m.split else (products,):
                for i in range(0, len(part), size):
                    c = aligned(part[i : i + size], c, width, mode)
            result[at] = float(c)
        for ending in ("", ".again"):
            result.tofile(folder / "outputs" / f"mmad-{m.name}.bin{ending}")


@pytest.mark.parametrize(
    "units",
    [
        {"half": (26, "trunc", ("aligned:16:26:trunc",)), "float": (25, "rn", ("aligned:8:25:rn",))},
        {"half": (29, "trunc", ()), "float": (31, "rn", ())},  # a bit more than one candidate, one less than the next
        {"half": (23, "trunc", ())},
    ],
)
def test_a_unit_of_another_width(copy, units):
    folder = copy()
    for kind, (width, mode, _) in units.items():
        plant(folder, kind, UNIT[kind], width, mode)
    found = digest(folder)
    assert {kind: found.of(f"Mmad order {kind}").survivors for kind in units} == {k: row[2] for k, row in units.items()}
    assert {a.question for a in found.unanswered} == {f"Mmad order {k}" for k, row in units.items() if not row[2]}


def test_a_device_that_flushes(copy):
    """Subnormal results of Mul and of Reciprocal, and operands of atomic additions, as zeros."""
    folder = copy()
    for probe in probes():
        if probe.what not in ("mul", "rec") or probe.source != "float":
            continue
        for ending in ("", ".again")[: probe.times]:
            path = folder / "outputs" / f"{probe.name}{ending}"
            bits = np.fromfile(path, np.uint32)
            np.where(bits & 0x7F800000, bits, bits & 0x80000000).astype(np.uint32).tofile(path)
    found = digest(folder)
    assert found.of("Mul float, subnormals").survivors == ("results flushed",)
    assert found.of("Reciprocal float, subnormals").survivors == ("results flushed",)
    assert found.of("Mul float").survivors[0] == "nearest"


def test_what_is_missing_is_said(copy):
    folder = copy()
    for name in ("sqrt-half.bin", "atomic-float.bin"):
        (folder / "outputs" / name).unlink()
    (folder / "outputs" / "mmad-float-hf32-0.bin").write_bytes(b"cut")
    found = digest(folder)
    assert found.recorded == len(probes()) - 3
    assert {answer.question for answer in found.answers if not answer.points} == {
        "Sqrt half", "Sqrt half, subnormals", "Sqrt half, specials", "NaN half", "SetAtomicAdd float", "SetHF32TransMode 0",
    }  # fmt: skip
    assert "not recorded: Sqrt half, Sqrt half, subnormals" in found.text()
