# SPDX-License-Identifier: Apache-2.0
"""What the probes of a kit are made of, by rule: a record needs its outputs and the name of the rules alone."""

from __future__ import annotations

import numpy as np

TILE = 2048  # counts of vector probes are multiples of it
TYPES = {
    "half": np.dtype(np.float16),
    "bfloat16_t": np.dtype(np.uint16),  # as bits
    "float": np.dtype(np.float32),
    "int8_t": np.dtype(np.int8),
    "uint8_t": np.dtype(np.uint8),
    "int16_t": np.dtype(np.int16),
    "int32_t": np.dtype(np.int32),
    "int64_t": np.dtype(np.int64),
}
_U4 = np.uint32


def words(seed: int, count: int) -> np.ndarray:
    """uint32 of the Mersenne twister, as PyTorch's generator on a CPU gives them, too."""
    return np.random.RandomState(seed).randint(0, 2**32, size=count, dtype=_U4)


def padded(values: np.ndarray) -> np.ndarray:
    """To whole tiles, by the values again."""
    return np.resize(values, (len(values) + TILE - 1) // TILE * TILE)


def floats(bits) -> np.ndarray:
    return np.asarray(bits, _U4).view(np.float32)


def all_halves() -> np.ndarray:
    return np.arange(65536, dtype=_U4).astype(np.uint16).view(np.float16)


def all_bfloat16() -> np.ndarray:
    return np.arange(65536, dtype=_U4).astype(np.uint16)


def scan() -> np.ndarray:
    """Float: each cell of a table of 512 at both ends, in two binades; each exponent; numbers of public notes."""
    bits = []
    for exponent in (127, 128):
        for cell in range(512):
            low = (exponent << 23) + (cell << 14)
            bits += [low, low + 1, low + (1 << 13), low + (1 << 14) - 1]
    fractions = (0, 1, 0x2AAAAA, 0x555555, 0x7FFFFE, 0x7FFFFF)
    bits += [(exponent << 23) + fraction for exponent in range(256) for fraction in fractions]
    bits = np.array(bits, _U4)
    noted = np.array([10 ** (-6 + 12 * i / 63) for i in range(64)], np.float32)
    return padded(np.concatenate([floats(bits), floats(bits | _U4(0x80000000)), noted]))


def grid() -> np.ndarray:
    """Float: each upper half, with one lower half."""
    return floats((np.arange(65536, dtype=_U4) << 16) | _U4(0x5A5A))


def random_floats(seed: int, count: int, low: int = -20, high: int = 20) -> np.ndarray:
    """Positive, uniform in the exponent (low to high - 1) and in the fraction."""
    w = words(seed, 2 * count)
    return floats(((w[:count] % _U4(high - low) + _U4(127 + low)) << 23) + w[count:] % _U4(1 << 23))


def moderate_floats(count: int) -> np.ndarray:
    """Of both signs, from 2^-24 to 2^7: where Exp neither overflows nor is 1."""
    return random_floats(77, count, -24, 7) * np.where(words(76, count) & 1, np.float32(1), np.float32(-1))


def noted_pairs() -> tuple[np.ndarray, np.ndarray]:
    """The 4,096 quotients of hw-native-sys/pypto#2886, of which 244 on an A3 are the neighbour of the nearest."""
    n = 4096
    w = words(20260922, 2 * n + n // 2)
    below = ((w[:n] % _U4(33) + _U4(111)) << 23) + w[n : 2 * n] % _U4(1 << 23)
    above = np.full(n, 1, np.float32).view(_U4)
    above[n // 2 : 3 * n // 4] = np.float32(127).view(_U4)
    last = w[2 * n :].reshape(2, n // 4)
    above[3 * n // 4 :] = ((last[0] % _U4(33) + _U4(111)) << 23) + last[1] % _U4(1 << 23)
    return floats(above), floats(below)


def dense_pairs() -> tuple[np.ndarray, np.ndarray]:
    """Each operand over [1, 2) in steps of 2^-12 and over neighbours, with few values of the other."""
    even = (1 + np.arange(4096) / 4096).astype(np.float32)
    near = floats(_U4(0x3F800000) + np.arange(4096, dtype=_U4))
    sets = [(1, even), (448, even), (127, even), (even, 448), (even, 3), (even, 127), (448, near), (1, near)]
    wide = [[np.broadcast_to(np.float32(v) if np.isscalar(v) else v, 4096) for v in pair] for pair in sets]
    return tuple(np.concatenate(side) for side in zip(*wide))


def edge_pairs(dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    """Zeros, subnormals, the ends of the range, infinities and NaN with each other, and where results are subnormal."""
    info = np.finfo(dtype)
    tiny, least, most = float(info.tiny), float(info.smallest_subnormal), float(info.max)
    values = [0, -0.0, 1, -1, 3, 1.5 * tiny, -1.25 * tiny, tiny, least, -least, 5 * least, tiny - least, most]
    values = np.array([*values, -most, most / 2, np.inf, -np.inf, np.nan, 0.5, 2**-4, 2**4], dtype)
    a, b = (side.ravel() for side in np.meshgrid(values, values))
    count = 4096 - len(a)
    w = words(82, 3 * count).astype(np.float64)
    signs = np.where(w[:count] % 2, 1, -1)
    low = signs * tiny * 2 ** (w[count : 2 * count] / 2**31 * 6 - 6)  # around the edge of the normal numbers
    other = 2 ** (w[2 * count :] / 2**31 * 3 - 3)
    return np.concatenate([a, low.astype(dtype)]), np.concatenate([b, other.astype(dtype)])


def random_halves(seed: int, count: int) -> np.ndarray:
    return words(seed, count).astype(np.uint16).view(np.float16)


def ties() -> np.ndarray:
    """Float: ties of half, bfloat16 and integers, and their neighbours, the ends of those types, specials."""
    w = words(83, 4096)
    half = (w[:1024] % _U4(1 << 15)).astype(np.uint16).view(np.float16).astype(np.float64)
    up = (w[:1024] % _U4(1 << 15) + _U4(1)).astype(np.uint16).view(np.float16).astype(np.float64)
    with np.errstate(all="ignore"):
        middles = np.where(np.isfinite(half + up), (half + up) / 2, 65520.0).astype(np.float32)
    narrow = floats((w[1024:1536] << 16 | _U4(0x8000)) & _U4(0x7FFFFFFF))
    whole = (w[1536:2048] % _U4(300)).astype(np.float32) + np.float32(0.5)
    ends = [2.0**p + d for p in (7, 8, 15, 16, 24, 31, 32, 63) for d in (-1, -0.5, 0, 0.5, 1)]
    ends = np.array(
        [*ends, 65504, 65519.99, 65520, 2**-24, 2**-25, 2**-26, 0, np.inf, 3.4e38, 3.39e38, 1e-45], np.float32
    )
    exact = np.concatenate([middles, narrow, whole, ends])
    with np.errstate(all="ignore"):
        near = [exact, np.nextafter(exact, np.float32(np.inf)), np.nextafter(exact, np.float32(0))]
    every = np.concatenate([*near, floats([0x7FC00000, 0x7F800001, 0x7FFFFFFF])])
    spread = floats(w[2048:])
    return np.resize(np.concatenate([every, -every, spread]), 14336)


def half_ties() -> np.ndarray:
    """Half: k + 1/2 and neighbours, ends of the integers, random bits."""
    middles = np.arange(0, 300).astype(np.float16) + np.float16(0.5)
    ends = np.array([32767, 32752, 32768, 65504, 127.5, 128, 255.5, 255, 256, 0, np.inf, np.nan, 0.1], np.float16)
    exact = np.concatenate([middles, ends])
    with np.errstate(all="ignore"):
        near = np.concatenate([exact, np.nextafter(exact, np.float16(np.inf)), np.nextafter(exact, np.float16(0))])
    return np.resize(np.concatenate([near, -near, random_halves(84, 4096)]), 4096)


def integers(name: str) -> np.ndarray:
    """Ties and ends of the way to half and float, and random numbers of all sizes."""
    dtype = TYPES[name]
    info = np.iinfo(dtype)
    bits = info.bits
    w = words(85, 3072).astype(np.uint64)
    sizes = (w[:1024] % np.uint64(bits - 1)).astype(np.int64) + 1
    wide = ((w[1024:2048] << np.uint64(32)) | w[2048:]).astype(np.int64)
    random = [int(v) % (1 << int(size)) for v, size in zip(wide, sizes)]
    precision = 11 if bits == 16 else 24
    tied = [
        (2 * i + 1) << shift >> 1
        for i in range((1 << precision) - 40, 1 << precision)
        for shift in range(1, bits - precision)
    ]
    near = [v + d for v in tied for d in (-1, 0, 1)]
    every = [*random, *near, 0, 1, info.max, info.max - 1, info.min, info.min + 1]
    every = [v for v in (*every, *(-v for v in every)) if info.min <= v <= info.max]
    return np.resize(np.array(every, dtype), 4096 if bits < 64 else 8192)


def to_bfloat16(values: np.ndarray) -> np.ndarray:
    """The bits of float32 cut to 16."""
    return (np.asarray(values, np.float32).view(_U4) >> _U4(16)).astype(np.uint16)


def sums(dtype: np.dtype) -> np.ndarray:
    """Numbers of both signs, uniform in 12 binades: their sums round at nearly every step."""
    n = 8 * TILE
    w = words(86, 2 * n).astype(np.float64)
    values = 2 ** (w[:n] / 2**32 * 12 - 6) * np.where(words(87, n) & 1, 1, -1)
    return values.astype(dtype)


def addends(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Random pairs near each other, ties and their neighbours, edges. bfloat16_t as bits."""
    dtype = np.dtype(np.float16 if name == "half" else np.float32)
    a, b = edge_pairs(dtype)
    n = 4096
    w = words(88, 3 * n).astype(np.float64)
    first = 2 ** (w[:n] / 2**32 * 8 - 4)
    second = first * 2 ** -np.floor(w[n : 2 * n] / 2**32 * 13) * np.where(words(89, n) & 1, 1, -1)
    precision = {"half": 11, "bfloat16_t": 8, "float": 24}[name]
    steps = np.arange(n) % 32
    base, ulp = 1 + np.arange(n) // 32 * 2.0 ** (1 - precision), 2.0 ** (1 - precision)
    tied = (base, ulp * (steps % 8 / 4 + (steps // 8) * ulp * 0.25))
    pairs = [np.concatenate([np.asarray(v, dtype) for v in side]) for side in zip((a, b), (first, second), tied)]
    return tuple(to_bfloat16(side) for side in pairs) if name == "bfloat16_t" else tuple(pairs)
