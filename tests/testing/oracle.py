# SPDX-License-Identifier: Apache-2.0
"""The rules of sfumato.compare element by element in plain Python, from docs/spec/clients.md alone."""

import math
from fractions import Fraction

import ml_dtypes
import numpy as np

EPS = 1e-7
T = {"float16": 2**-10, "bfloat16": 2**-7, "float32": 2**-13, "float8_e4m3fn": 2**-3, "float8_e5m2": 2**-2}
SMALL = {"float16": 2**-11, "bfloat16": 2**-8, "float32": 2**-14, "float8_e4m3fn": 2**-4, "float8_e5m2": 2**-3}
ERROR = {"float16": 2**-16, "bfloat16": 2**-16, "float32": 2**-30, "float8_e4m3fn": 2**-6, "float8_e5m2": 2**-5}
ZERO = {"float16": 2**-5, "bfloat16": 2**-3, "float32": 2**-8}
CLOSE = {"float16": (1e-3, 1e-5), "bfloat16": (1.6e-2, 1e-5), "float32": (1.3e-6, 1e-5), "float64": (1e-7, 1e-7)}


def is_float(dtype):
    return "float" in dtype.name


def raw(value):
    return int.from_bytes(np.asarray(value).tobytes(), "little")


def place(value):
    """The rank of a float among all of its type: +0 is 0, -0 is -1."""
    bits = raw(value)
    sign = 1 << (8 * value.dtype.itemsize - 1)
    return bits if bits < sign else -(bits - sign) - 1


def ulp(got, want):
    if not is_float(got.dtype):
        return abs(int(got) - int(want))
    return abs(place(got) - place(want))


def exact(got, want):
    both_nan = is_float(got.dtype) and math.isnan(got) and math.isnan(want)
    return both_nan or raw(got) == raw(want)


def within_ulp(n):
    def good(got, want):
        if is_float(got.dtype) and (math.isnan(got) or math.isnan(want)):
            return math.isnan(got) and math.isnan(want)
        return ulp(got, want) <= n

    return good


def difference(got, want):
    if not is_float(got.dtype):
        return float(abs(int(got) - int(want)))
    return abs(float(got) - float(want))


def allclose(rtol, atol, equal_nan=False):
    def good(got, want):
        g, w = float(got), float(want)
        if math.isnan(g) or math.isnan(w):
            return equal_nan and math.isnan(g) and math.isnan(w)
        if math.isinf(g) or math.isinf(w):
            return g == w
        return difference(got, want) <= atol + rtol * abs(w)

    return good


def rounded(value, dtype):
    """As torch keeps an intermediate: float32 arithmetic, then the type."""
    return float(np.float32(value).astype(dtype).astype(np.float32)) if dtype != np.float64 else value


def isclose(rtol, atol):
    """torch.isclose. float64 products of float32 round once more, which is what a float32 product is."""

    def good(got, want):
        g, w = float(got), float(want)
        if g == w and (is_float(got.dtype) or int(got) == int(want)):
            return True
        if rtol == atol == 0 or math.isnan(g) or math.isnan(w):
            return False
        own = got.dtype if is_float(got.dtype) else np.dtype(np.float32)
        if own == np.float64:
            return math.isfinite(g - w) and abs(g - w) <= atol + abs(rtol * w)
        if not is_float(got.dtype):
            g, w, actual = 0.0, float(np.float32(w)), float(np.float32(difference(got, want)))
        else:
            with np.errstate(over="ignore"):
                actual = abs(rounded(g - w, own))
        with np.errstate(over="ignore"):
            relative = abs(rounded(float(np.float32(w)) * float(np.float32(rtol)), own))
            allowed = rounded(float(np.float32(atol)) + relative, own)
        return math.isfinite(actual) and actual <= allowed

    return good


def npukernelbench(got, want):
    g, w = float(got), float(want)
    if not (math.isfinite(g) and math.isfinite(w)):
        return False
    d = difference(got, want)
    return not (d > 1e-3 and d > 1e-3 * abs(w))


def share(rtol, atol, fraction, got, want):
    """Whether all is good."""
    beyond_atol = beyond_rtol = 0
    for a, b in zip(got, want):
        g, w = float(a), float(b)
        if math.isnan(g) and math.isnan(w) or g == w:
            continue
        if not (math.isfinite(g) and math.isfinite(w)):
            beyond_atol += 1
            beyond_rtol += 1
            continue
        beyond_atol += abs(g - w) > atol
        beyond_rtol += abs(g - w) > rtol * max(abs(g), abs(w))
    return not (beyond_atol > fraction * len(got) and beyond_rtol > fraction * len(got))


def ascend(got, want, third=None):
    """Whether all is good: clients.md 8.2, the ecosystem standard."""
    name = got.dtype.name
    top = float(ml_dtypes.finfo(got.dtype).max)
    errors, cpu_errors = {"small": 0, "near": 0}, {"small": 0, "near": 0}
    normal = []
    for i, (a, b) in enumerate(zip(got, want)):
        g, w = float(a), float(b)
        with np.errstate(over="ignore"):
            truncated = float(np.asarray(b).astype(got.dtype))
        if math.isnan(g) or math.isnan(w):
            if math.isnan(g) != math.isnan(w):
                return False
            continue
        if math.isinf(truncated):
            w = truncated
        if math.isinf(w) and g == w:
            continue
        if math.isinf(w) and math.isinf(g):
            return False
        g, w = max(-top, min(top, g)), max(-top, min(top, w))

        def judged(value, count, w=w, truncated=truncated):
            r = abs(value - w) / (abs(w) + EPS)
            if abs(w) < SMALL[name]:
                count["small"] += abs(value - truncated) > ERROR[name]
            elif abs(value) < ZERO.get(name, 0) and abs(w) < ZERO.get(name, 0) and r > 10 * T[name]:
                count["near"] += 1
            else:
                return r
            return None

        r = judged(g, errors)
        if r is not None:
            normal.append(r)
        if third is not None:
            judged(max(-top, min(top, float(third[i]))), cpu_errors)
    if any(n > 2 * max(cpu_errors[kind], 1) for kind, n in errors.items()):
        return False
    mere = math.fsum(normal) / len(normal) if normal else 0
    return mere < T[name] and max(normal, default=0) < 10 * T[name]


def ratio(limits, got, want, third):
    """Whether all is good by the double benchmark, exactly in fractions but for the root."""
    metrics = []
    for values in (got, third):
        r = [abs(Fraction(float(a)) - Fraction(float(b))) for a, b in zip(values, want)]
        relative = [d / (abs(Fraction(float(b))) + Fraction(EPS)) for d, b in zip(r, want)]
        n = len(r)
        metrics.append((max(relative), sum(relative) / n, math.sqrt(sum(d * d for d in r) / n)))
    return all(
        (own == 0) if theirs == 0 else own / theirs <= limit
        for own, theirs, limit in zip(metrics[0], metrics[1], limits)
    )
