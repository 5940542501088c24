# SPDX-License-Identifier: Apache-2.0
"""The ways to add of docs/last-bits.md in whole numbers of Python: an element of C from its row, its column and its start.

Numbers that are finite are whole multiples of 2^-300; a float is a float of Python that one of 32 bits holds."""

import math
import struct

UNIT = 300
MOST = struct.unpack("<f", b"\xff\xff\x7f\x7f")[0]


def whole(x):
    numerator, denominator = x.as_integer_ratio()
    return (numerator << UNIT) // denominator


def cut(n, nearest=True):
    """24 bits of a whole number, and no bit below 2^-149; a float."""
    size = abs(n)
    lost = max(size.bit_length() - 24, UNIT - 149, 0)
    kept, rest = divmod(size, 1 << lost)
    if nearest and 2 * rest + (kept & 1) > 1 << lost:
        kept += 1
    size = kept << lost
    value = math.inf if size >= 1 << (UNIT + 128) else math.ldexp(size, -UNIT)
    return -value if n < 0 else value


def bits(x):
    return 0x7FC00000 if x != x else struct.unpack("<I", struct.pack("<f", x))[0]


class Element:
    """How one element is added. `k0`: elements of 32 bytes."""

    def __init__(self, way, k0, saturate=False):
        self.kind, *numbers = way.split(":")
        if self.kind == "k0-block":
            self.kind, numbers = "exact-then-c", [k0]
        self.saturate = saturate
        self.group = int(numbers[0]) if numbers else 1
        self.width, self.nearest = (int(numbers[1]), numbers[2] == "rn") if len(numbers) == 3 else (0, True)

    def kept(self, x):
        if not self.saturate or math.isfinite(x):
            return x
        return 0.0 if x != x else math.copysign(MOST, x)

    def product(self, x, y):
        """Rounded."""
        p = x * y  # 48 bits and its exponent fit
        return self.kept(math.copysign(cut(whole(p)), p) if math.isfinite(p) else p)

    def sum(self, x, y):
        s = x + y
        return self.kept(cut(whole(x) + whole(y)) if math.isfinite(s) and (x or y) else s)

    def exact(self, pairs, start=None):
        """The sum of products, and of a start, as a whole number, or inf or NaN."""
        terms = [x * y for x, y in pairs] + ([] if start is None else [start])
        odd = [t for t in terms if not math.isfinite(t)]
        return sum(odd) if odd else sum(map(whole, terms))

    def rounded(self, total):
        return self.kept(cut(total) if isinstance(total, int) else total)

    def tree(self, values):
        while len(values) > 1:
            pairs = [values[i : i + 2] for i in range(0, len(values), 2)]
            values = [self.sum(*pair) if len(pair) == 2 else pair[0] for pair in pairs]
        return values[0]

    def aligned(self, pairs, start):
        total = self.exact(pairs, start)
        if not isinstance(total, int):
            return self.kept(total)
        terms = [whole(x * y) for x, y in pairs] + [whole(start)]
        low = max(max(abs(t).bit_length() for t in terms) - self.width, 0)
        total = sum((abs(t) >> low << low) * (1 if t > 0 else -1) for t in terms)
        return self.kept(cut(total, self.nearest) or 0.0)

    def of(self, a, b, start):
        """What the products of a row and a column make of the start; all as floats of Python."""
        for at in range(0, len(a), self.group):
            pairs = list(zip(a[at : at + self.group], b[at : at + self.group], strict=True))
            if self.kind in ("sequential", "sequential-rounded"):
                start = self.sum(start, self.product(*pairs[0]))
            elif self.kind in ("sequential-fused", "exact-with-c"):
                start = self.rounded(self.exact(pairs, start)) or 0.0
            elif self.kind == "exact-then-c":
                start = self.sum(start, self.rounded(self.exact(pairs)))
            elif self.kind == "tree":
                start = self.sum(self.tree([self.product(*pair) for pair in pairs]), start)
            else:
                start = self.aligned(pairs, start)
        return start
