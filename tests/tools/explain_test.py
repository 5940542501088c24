# SPDX-License-Identifier: Apache-2.0
"""`sfumato explain`: texts, files, errors, and the pictures against formulas."""

import os
import random
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from installation import COMMAND

DOCS = Path(__file__).resolve().parents[2] / "docs"

SMALL_LOAD3D = """\
Load3Dv2 on Ascend910B: map 2x2x16 half, filter 2x2, stride 1x1, dilation 1x1, pad 1,0,0,0
row m = oh*2 + ow, column k = ((c1*2 + kh)*2 + kw)*16 + c: pixel (oh + kh, ow - 1 + kw), channel c of group c1
window: rows 0..1 of 2, columns 0..63 of 64
rows are named m (oh,ow); columns by their tap kh,kw

Feature map in L1, channels 0..15 (c1 = 0)
  h0 0,0,0 0,0,1
  h1 0,1,0 0,1,1

L0A: the matrix as A, Zz, 16 x 64 half, 4 fractals of 16 x 16
             0,0 |   0,1 |   1,0 |   1,1
  m0 (0,0)   pad | 0,0,0 |   pad | 0,1,0
  m1 (0,1) 0,0,0 | 0,0,1 | 0,1,0 | 0,1,1
  m2           ? |     ? |     ? |     ?
  m3 to m15: the same

c1,h,w: pixel (h, w) of channel group c1
pad: the padding value
?: written, but the chip's documentation does not say with what
"""

LOAD2D = """\
Load2D on Ascend310P: int8_t, L1 to L0B, startIndex 1, repeatTimes 3, srcStride 2, dstGap 1
destination fractal r*2 is source fractal 1 + r*2; a fractal is 512 bytes, 16 x 32 elements

L1: fractals of the source
    +0 +1 +2 +3 +4 +5
  0 F0 F1 F2 F3 F4 F5

L0B: fractals of the destination
    +0 +1 +2 +3 +4
  0 F1  . F3  . F5

Fn: fractal n of the source
.: not written
"""

ND2NZ = """\
DataCopy Nd2Nz on Ascend910B: 1 matrix of 3 x 20 half, rows of 20, dstNzC0Stride 4, dstNzNStride 1
element (n, d) goes to place d % 16 of block (d / 16)*4 + n; a block is 32 bytes, 16 elements

GM: rows of 20 elements, in pieces of 16
  n0  0,0 0,16
  n1  1,0 1,16
  n2  2,0 2,16

L1: 2 columns of 4 blocks
     block 0 | block 4
  +0     0,0 |  0,16+0
  +1     1,0 |  1,16+0
  +2     2,0 |  2,16+0
  +3       . |       .

n,d: the elements from row n, column d of the source on; +0: the rest of the block is filled with zeros
.: not written
"""

FRACTAL = """\
Layout Nz: 2 x 20 half in fractals of 16 x 16
fractals column by column, elements of a fractal row by row; a fractal is 256 elements

Matrix
      0   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15 |  16  17  18  19
  0   0   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15 | 256 257 258 259
  1  16  17  18  19  20  21  22  23  24  25  26  27  28  29  30  31 | 272 273 274 275

the number is the element's place in memory, in elements
"""


class Feature:
    """Parameters of a Load3D call and the pixel a window's tap sees, as the label of a cell."""

    def __init__(self, rng):
        while True:
            self.h, self.w = rng.randint(1, 6), rng.randint(1, 6)
            self.kh, self.kw, self.sh, self.sw = (rng.randint(1, 3) for _ in range(4))
            self.dh, self.dw = rng.randint(1, 2), rng.randint(1, 2)
            self.left, self.right, self.top, self.bottom = (rng.randint(0, 2) for _ in range(4))
            height = self.h + self.top + self.bottom - (self.kh - 1) * self.dh - 1
            width = self.w + self.left + self.right - (self.kw - 1) * self.dw - 1
            if height >= 0 and width >= 0:
                break
        self.oh, self.ow = height // self.sh + 1, width // self.sw + 1

    def options(self):
        return [
            "load3d", "--h", self.h, "--w", self.w, "--filter", f"{self.kh}x{self.kw}",
            "--stride", f"{self.sh}x{self.sw}", "--dilation", f"{self.dh}x{self.dw}",
            "--pad", f"{self.left},{self.right},{self.top},{self.bottom}",
        ]  # fmt: skip

    def pixel(self, c1, tap, oh, ow):
        h = oh * self.sh - self.top + tap // self.kw * self.dh
        w = ow * self.sw - self.left + tap % self.kw * self.dw
        return f"{c1},{h},{w}" if 0 <= h < self.h and 0 <= w < self.w else "pad"


class ExplainTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dir = tempfile.mkdtemp(prefix="sfumato-explain-test-")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.dir)

    def explain(self, *args):
        command = [COMMAND, "explain", *(str(a) for a in args)]
        return subprocess.run(command, cwd=self.dir, capture_output=True, text=True, timeout=60)

    def text(self, *args):
        result = self.explain(*args)
        self.assertEqual((result.returncode, result.stderr), (0, ""), args)
        return result.stdout

    def grids(self, *args):
        """The labels of each grid of the SVG, and the width of its rows."""
        self.text(*args, "--svg", "p.svg")
        svg = ElementTree.parse(os.path.join(self.dir, "p.svg")).getroot()
        space = "{http://www.w3.org/2000/svg}"
        self.assertEqual(svg.tag, space + "svg")
        groups = {kind: [g for g in svg.iter(space + "g") if g.get("class") == kind] for kind in ("grid", "label")}
        grids = []
        for cells, labels in zip(groups["grid"], groups["label"], strict=True):
            cells, labels = list(cells), [t.text for t in labels]
            self.assertEqual(len(cells), len(labels))
            rows = len({c.get("y") for c in cells})
            grids.append((labels, len(cells) // rows))
        return grids

    # Text

    def test_texts(self):
        for args, text in [
            (["load3d", "--h", 2, "--w", 2, "--filter", "2x2", "--pad", "1,0,0,0"], SMALL_LOAD3D),
            (
                ["load2d", "--chip", "Ascend310P", "--type", "int8", "--to", "B2", "--start", 1, "--repeat", 3]
                + ["--src-stride", 2, "--dst-gap", 1],
                LOAD2D,
            ),
            (["nd2nz", "--n", 3, "--d", 20, "--dst-c0-stride", 4], ND2NZ),
            (["fractal", "--shape", "2x20", "--layout", "Nz"], FRACTAL),
        ]:
            with self.subTest(args=args):
                self.maxDiff = None
                self.assertEqual(self.text(*args), text)

    def test_width(self):
        for args in [["load3d", "--c", 200], ["fractal", "--shape", "100x100"], ["nd2nz", "--n", 70, "--d", 900]]:
            text = self.text(*args)
            self.assertLessEqual(max(len(line) for line in text.splitlines()), 120)
            self.assertIn("not shown here", text)

    def test_defaults_of_every_topic(self):
        for args in [["load3d"], ["load3d", "--v1"], ["load2d"], ["nd2nz"], ["fractal"]]:
            self.assertNotIn("mix", self.text(*args))
            self.assertIn("Exit codes", self.explain(args[0], "--help").stdout)
        self.assertIn("sfumato explain nd2nz", self.explain("--help").stdout)

    # Pictures

    def test_cells(self):
        grids = self.grids("load3d")
        self.assertEqual([(len(labels), width) for labels, width in grids], [(16, 4), (16 * 9, 9)])
        self.assertEqual(grids[1][0].count("pad"), 44)

    def test_load3dv2(self):
        rng = random.Random(1)
        for _ in range(12):
            f = Feature(rng)
            name, c0 = rng.choice([("half", 16), ("float", 8), ("int8_t", 32)])
            c1 = rng.randint(1, 3)
            taps, m = f.kh * f.kw, f.oh * f.ow
            form = rng.choice(["A2", "B2", "transpose"]) if c0 < 32 else "A2"
            args = f.options() + ["--type", name, "--c", c1 * c0]
            args += ["--transpose"] if form == "transpose" else ["--to", form]
            with self.subTest(args=args):
                labels, width = self.grids(*args)[-1]
                rows = [labels[i : i + width] for i in range(0, len(labels), width)]
                if form == "transpose":
                    rows = list(zip(*rows))
                for i in range(m):
                    found = rows[i][: c1 * taps]
                    wanted = [f.pixel(k // taps, k % taps, i // f.ow, i % f.ow) for k in range(c1 * taps)]
                    self.assertEqual(list(found), wanted)

    def test_load3dv2_window(self):
        window = ["--m-start", 5, "--m-ext", 16, "--k-start", 16, "--k-ext", 32]
        labels, width = self.grids("load3d", "--h", 5, "--w", 6, "--pad", "0,0,0,0", "--filter", "2x2", *window)[-1]
        self.assertEqual(width, 2)
        wanted = [[f"0,{m // 5},{m % 5 + 1}", f"0,{m // 5 + 1},{m % 5}"] for m in range(5, 20)]
        self.assertEqual(labels, sum(wanted, []) + ["?", "?"])

    def test_channel_tail(self):
        labels, width = self.grids("load3d", "--c", 20, "--h", 1, "--w", 2, "--filter", "1x1", "--pad", "0,0,0,0")[-1]
        self.assertEqual(labels[:5], ["0,0,0:0", "0,0,0:4", "0,0,0:8", "0,0,0:12", "1,0,0"])
        self.assertEqual(width, 8)
        self.assertEqual(set(labels[5:8]), {"?"})

    def test_load3dv1(self):
        rng = random.Random(2)
        for mode in (0, 0, 0, 1, 1, 1):
            f = Feature(rng)
            c1, jump = rng.randint(1, 2), rng.randint(1, 3)
            taps, m = f.kh * f.kw, f.oh * f.ow
            fetch = rng.randrange(taps)
            args = f.options() + ["--v1", "--c", 16 * c1, "--mode", mode, "--jump", jump]
            args += ["--fetch", f"{fetch // f.kw}x{fetch % f.kw}"] if mode else []
            with self.subTest(args=args):
                labels, width = self.grids(*args)[-1]
                for i in range(m if mode else min(m, 16)):
                    row = labels[i * width : (i + 1) * width]
                    at = (i // f.ow, i % f.ow)
                    found = row[:1] if mode else row[::jump]
                    wanted = (
                        [f.pixel(0, fetch, *at)]
                        if mode
                        else [f.pixel(k // taps, k % taps, *at) for k in range(c1 * taps)]
                    )
                    self.assertEqual(found, wanted)
                    self.assertEqual({x for j, x in enumerate(row) if j % jump} - {"."}, set())

    def test_load2d_transposed(self):
        grids = self.grids("load2d", "--transpose", "--repeat", 1, "--start", 2)
        self.assertEqual(grids[2][0], ["F2t"])
        self.assertEqual([int(x) for x in grids[3][0]], [i % 16 * 16 + i // 16 for i in range(256)])

    def test_fractal_layouts(self):
        m, n, c0 = 40, 70, 32
        places = {
            "Zz": lambda i, j: (i // 16 * 3 + j // c0) * 512 + i % 16 * c0 + j % c0,
            "Zn": lambda i, j: (i // c0 * 5 + j // 16) * 512 + j % 16 * c0 + i % c0,
            "Nz": lambda i, j: (j // c0 * 3 + i // 16) * 512 + i % 16 * c0 + j % c0,
            "Nn": lambda i, j: (j // 16 * 2 + i // c0) * 512 + j % 16 * c0 + i % c0,
            "L0C": lambda i, j: (j // 16 * 3 + i // 16) * 256 + i % 16 * 16 + j % 16,
        }
        for layout, place in places.items():
            labels, width = self.grids("fractal", "--shape", f"{m}x{n}", "--layout", layout, "--type", "int8")[0]
            self.assertEqual(width, n)
            self.assertEqual([int(x) for x in labels], [place(i, j) for i in range(m) for j in range(n)], layout)

    # The page

    def test_page(self):
        with open(DOCS / "explain.md") as f:
            page = f.read()
        blocks = re.findall(r"```console\n\$ sfumato explain (.*?)\n(.*?)```", page, re.DOTALL)
        self.assertGreater(len(blocks), 0)
        for command, text in blocks:
            self.assertEqual(self.text(*command.split()), text)
        images = re.findall(r"!\[`sfumato explain (.*?) --svg (.*?)`\]\(images/(.*?)\)", page)
        self.assertGreater(len(images), 0)
        for command, name, image in images:
            self.text(*command.split(), "--svg", name)
            with open(os.path.join(self.dir, name)) as new, open(DOCS / "images" / image) as old:
                self.assertEqual(new.read(), old.read())

    # Errors

    def assert_refused(self, args, code, text):
        result = self.explain(*args, "--svg", "none.svg")
        self.assertEqual((result.returncode, result.stdout), (code, ""), result.stderr)
        self.assertIn(text, result.stderr)
        self.assertEqual([n for n in os.listdir(self.dir) if n.startswith("none.svg")], [])

    def test_refused_by_the_instruction(self):
        for args, rule, text in [
            (["load3d", "--stride", "64x1"], "parameter-range", "strideH: 64"),
            (["load3d", "--filter", "7x7"], "parameter-range", "at most 6: the padded feature map has 6 pixels"),
            (["load3d", "--c", 5], "parameter-range", "channelSize: 5"),
            (["load3d", "--chip", "Ascend910"], "instruction-unsupported", "Ascend910"),
            (["load3d", "--h", 500, "--w", 50], "static-tensor", "at most 65536 bytes"),
            (["load3d", "--v1", "--chip", "Ascend910B1"], "instruction-unsupported", "Ascend910B"),
            (["load3d", "--v1", "--jump", 0, "--repeat", 2], "parameter-range", "jumpStride: 0"),
            (["load3d", "--v1", "--c1-index", 1], "out-of-buffer", "LoadData"),
            (["load2d", "--transpose", "--type", "int8_t"], "transpose-unsupported", "LoadData"),
            (["load2d", "--to", "L1"], "memory-path", "LoadData"),
            (["nd2nz", "--dst-n-stride", 0], "parameter-range", "dstNzNStride"),
        ]:
            with self.subTest(args=args):
                self.assert_refused(args, 4, f"fault [{rule}")
                self.assertIn(text, self.explain(*args).stderr)

    def test_notes_stay_beside_the_picture(self):
        result = self.explain("load2d", "--repeat", 0)
        self.assertEqual(result.returncode, 0)
        self.assertIn("note [nothing-to-do]", result.stderr)
        self.assertIn("L0A: fractals of the destination\n    +0\n  0  .\n", result.stdout)

    def test_a_gap_the_chip_lacks(self):
        result = self.explain("load2d", "--chip", "Ascend910", "--dst-gap", 1, "--repeat", 2)
        self.assertEqual(result.returncode, 0)
        self.assertIn("warning [load-gap-ignored]", result.stderr)
        self.assertIn("destination fractal r is source fractal r;", result.stdout)
        self.assertIn("  0 F0 F1  .\n", result.stdout)

    def test_usage_errors(self):
        for args, text in [
            ([], "the topic of explain is missing\n"),
            (["load4d"], "unknown topic 'load4d'; there are load3d, load2d, nd2nz, fractal\n"),
            (
                ["load3d", "--pad", "1,2,3"],
                "--pad: '1,2,3' is not legal; legal: 4 numbers from 0 to 255, with ',' between",
            ),
            (["load3d", "--filter", "3"], "--filter: '3' is not legal; legal: 2 numbers"),
            (["load3d", "--type", "int64_t"], "no element type of 8, 16 or 32 bits"),
            (["load3d", "--type", "int4b_t"], "no element type of 8, 16 or 32 bits"),
            (["load3d", "--v1", "--m-start", "3"], "--v1 excludes --m-start"),
            (["load3d", "--jump", "3"], "--jump requires --v1"),
            (["load3d", "--h", "0"], "--h"),
            (["load3d", "--chip", "Ascend999"], "Ascend910B1"),
            (["load3d", "--chip", "Ascend310"], "Ascend310 has no Ascend C"),
            (["fractal", "--shape", "0x3"], "at least one row"),
            (["fractal", "--layout", "ZZ"], "--layout"),
        ]:
            with self.subTest(args=args):
                self.assert_refused(args, 2, text)

    def test_svg_file(self):
        path = os.path.join(self.dir, "again.svg")
        for topic in ("load3d", "load2d"):
            self.text(topic, "--svg", "again.svg")
            with open(path) as f:
                self.assertIn("Load3D" if topic == "load3d" else "Load2D", f.read())
        for svg, text in [("nowhere/p.svg", "cannot write nowhere/p.svg: No such file"), (".", "it is a directory")]:
            result = self.explain("load3d", "--svg", svg)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn(text, result.stderr)
        self.assertEqual([n for n in os.listdir(self.dir) if n.endswith(".tmp")], [])


if __name__ == "__main__":
    unittest.main()
