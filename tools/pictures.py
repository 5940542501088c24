#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws docs/images/machine-*.svg, the pictures of docs/machine.md; a test compares them. Standard library only."""

import sys
from html import escape
from pathlib import Path

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"

PIPES = {
    "S": "#d9d9d9",
    "MTE2": "#a9cdf0",
    "MTE1": "#b9e3dc",
    "M": "#f5c9a6",
    "V": "#c5e3ab",
    "FIX": "#e0c7ee",
    "MTE3": "#f7b9c4",
}
STYLE = (
    "text{font:13px sans-serif;fill:#222}.t{font-size:15px;font-weight:bold}.s{font-size:11px;fill:#555}.c{text-anchor:middle}.e{text-anchor:end}"
    ".box{stroke:#444;stroke-width:1.2}.core{fill:#fafafa;stroke:#888;stroke-dasharray:5 4}.line{fill:none;stroke:#444;stroke-width:1.6}"
)

DEFS = (
    '<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
    'orient="auto-start-reverse"><path d="M0 0L8 4L0 8z" fill="#444"/></marker></defs>'
)


class Picture:
    """An SVG on a white ground, which reads on a light and on a dark page."""

    def __init__(self, width: int, height: int):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
            f"<style>{STYLE}</style>",
            DEFS,
            f'<rect width="{width}" height="{height}" rx="6" fill="#fff"/>',
        ]

    def text(self, x, y, words, kind=""):
        self.parts.append(f'<text class="{kind}" x="{x}" y="{y}">{escape(words)}</text>')

    def box(self, x, y, w, h, words="", fill="#fff", under="", kind="box"):
        self.parts.append(
            f'<rect class="{kind}" x="{x}" y="{y}" width="{w}" height="{h}" rx="4"'
            + ("/>" if kind == "core" else f' fill="{fill}"/>')
        )
        if words:
            self.text(x + w / 2, y + h / 2 + (-2 if under else 5), words, "c")
        if under:
            self.text(x + w / 2, y + h / 2 + 13, under, "s c")

    def arrow(self, x1, y1, x2, y2, label="", both=False):
        start = ' marker-start="url(#a)"' if both else ""
        self.parts.append(f'<path class="line" d="M{x1} {y1}L{x2} {y2}" marker-end="url(#a)"{start}/>')
        if label:
            pipe = label.split()[0].split(",")[0]
            x, y, w = (x1 + x2) / 2, (y1 + y2) / 2, 7 * len(label) + 8
            self.parts.append(
                f'<rect x="{x - w / 2}" y="{y - 9}" width="{w}" height="18" rx="9" fill="{PIPES.get(pipe, "#fff")}"/>'
            )
            self.text(x, y + 4, label, "s c")

    def line(self, points, dash=False):
        extra = ' stroke-dasharray="4 4"' if dash else ""
        self.parts.append(f'<path class="line" d="M{"L".join(f"{x} {y}" for x, y in points)}"{extra}/>')

    def svg(self) -> str:
        return "\n".join([*self.parts, "</svg>", ""])


def coupled() -> Picture:
    """The memories and pipes of a core with everything."""
    p = Picture(900, 420)
    p.text(
        24, 30, "A coupled core: Ascend310, Ascend910, Ascend310P (Ascend310B leaves L0C by FIX, with BT and FB)", "t"
    )
    p.box(130, 50, 740, 346, kind="core")
    p.box(24, 70, 76, 300, "GM", "#eee", "shared")
    p.box(270, 80, 90, 110, "L1", "#f4f0e0")
    p.box(480, 76, 80, 44, "L0A", "#f4f0e0")
    p.box(480, 146, 80, 44, "L0B", "#f4f0e0")
    p.box(740, 100, 90, 70, "L0C", "#f4f0e0")
    p.box(270, 270, 560, 60, "UB", "#f4f0e0")
    p.arrow(100, 130, 270, 130, "MTE2")
    p.arrow(100, 288, 270, 288, "MTE2")
    p.arrow(270, 316, 100, 316, "MTE3")
    p.arrow(360, 98, 480, 98, "MTE1")
    p.arrow(360, 168, 480, 168, "MTE1")
    p.arrow(560, 98, 620, 124)
    p.arrow(560, 168, 620, 144)
    p.box(620, 112, 60, 44, "M", PIPES["M"], "Mmad")
    p.arrow(680, 134, 740, 134)
    p.arrow(290, 190, 290, 270, "MTE1")
    p.arrow(342, 270, 342, 190, "MTE3")
    p.arrow(785, 170, 785, 270, "V", both=True)
    p.box(440, 352, 220, 32, "V: vector instructions", PIPES["V"])
    p.arrow(550, 352, 550, 330, both=True)
    p.box(150, 352, 250, 32, "S: the kernel's own code", PIPES["S"])
    p.arrow(340, 352, 340, 330, both=True)
    return p


def split() -> Picture:
    """A block of Ascend910B."""
    p = Picture(900, 520)
    p.text(
        24, 30, "A block of Ascend910B: one cube core and up to two vector cores, which meet in global memory only", "t"
    )
    p.box(24, 60, 76, 436, "GM", "#eee", "shared")
    p.box(130, 50, 740, 250, kind="core")
    p.text(146, 72, "cube core: aic0", "")
    p.box(270, 90, 90, 120, "L1", "#f4f0e0")
    p.box(470, 76, 80, 40, "L0A", "#f4f0e0")
    p.box(470, 132, 80, 40, "L0B", "#f4f0e0")
    p.box(470, 188, 80, 34, "BT", "#f4f0e0", "")
    p.box(740, 96, 90, 70, "L0C", "#f4f0e0")
    p.box(470, 240, 80, 34, "FB", "#f4f0e0")
    p.arrow(100, 112, 270, 112, "MTE2")
    p.arrow(270, 160, 100, 160, "MTE3")
    p.arrow(360, 98, 470, 98, "MTE1")
    p.arrow(360, 150, 470, 150, "MTE1")
    p.arrow(360, 200, 470, 204, "MTE1")
    p.line([(330, 210), (330, 257), (440, 257)])
    p.arrow(440, 257, 470, 257)
    p.text(380, 251, "FIX", "s c")
    p.box(610, 106, 60, 44, "M", PIPES["M"], "Mmad")
    p.arrow(550, 98, 610, 118)
    p.arrow(550, 150, 610, 138)
    p.arrow(670, 128, 740, 128)
    p.line([(785, 166), (785, 284), (110, 284)])
    p.arrow(120, 284, 100, 284)
    p.box(600, 274, 130, 20, "", PIPES["FIX"])
    p.text(665, 288, "FIX, also to L1", "s c")
    p.arrow(550, 257, 785, 257)
    for i, y in enumerate((312, 412)):
        p.box(130, y, 740, 88, kind="core")
        p.text(146, y + 20, f"vector core: aiv0.{i}")
        p.box(400, y + 26, 180, 44, "UB", "#f4f0e0")
        p.arrow(100, y + 38, 400, y + 38, "MTE2")
        p.arrow(400, y + 60, 100, y + 60, "MTE3")
        p.box(640, y + 30, 60, 36, "V", PIPES["V"])
        p.arrow(640, y + 48, 580, y + 48, both=True)
        p.box(760, y + 30, 60, 36, "S", PIPES["S"])
    p.box(610, 196, 60, 36, "S", PIPES["S"])
    return p


def queues() -> Picture:
    """What the scalar unit issues, and where it waits."""
    p = Picture(900, 310)
    p.text(24, 30, "The kernel's code issues records; each pipe is a queue; flags order the queues", "t")
    p.box(24, 96, 130, 120, "S", PIPES["S"], "the kernel runs here")
    rows = (
        ("MTE2", 66, ("DataCopy a", "set MTE2_V 0", "DataCopy b", "set MTE2_V 1")),
        ("V", 146, ("wait MTE2_V 0", "Adds a", "set V_MTE3 0", "wait MTE2_V 1", "Adds b", "...")),
        ("MTE3", 226, ("wait V_MTE3 0", "DataCopy a", "wait V_MTE3 1", "...")),
    )
    for name, y, records in rows:
        p.arrow(154, 156, 206, y + 22)
        p.box(206, y, 56, 44, name, PIPES[name])
        x = 274
        for record in records:
            w = 7 * len(record) + 14
            flag = record.startswith(("set", "wait"))
            p.box(x, y + 6, w, 32, record, "#fff" if flag or record == "..." else PIPES[name])
            x += w + 6
    p.line([(432, 104), (432, 124), (330, 124), (330, 146)], dash=True)
    p.arrow(330, 140, 330, 150)
    p.line([(497, 184), (497, 206), (330, 206), (330, 226)], dash=True)
    p.arrow(330, 220, 330, 230)
    p.text(206, 294, "A queue runs from its left end. Dashed: the wait passes when that set has run.", "s")
    return p


def schedules() -> Picture:
    """Two tiles in four orders."""
    p = Picture(900, 600)
    p.text(24, 30, "Two tiles of a vector kernel: in (MTE2), Adds (V), out (MTE3), two buffers", "t")
    panels = (
        ("eager: the order of the program", ("in 0", "Adds 0", "out 0", "in 1", "Adds 1", "out 1")),
        ("ahead: producers first, as early as flags allow", ("in 0", "in 1", "Adds 0", "Adds 1", "out 0", "out 1")),
        (
            "late: consumers first, producers as late as flags allow, the later of two moves first",
            ("in 1", "in 0", "Adds 0", "out 0", "Adds 1", "out 1"),
        ),
        (
            "late, the flag from MTE2 to V forgotten: Adds reads what nobody has moved yet, and the result differs",
            ("Adds 1", "Adds 0", "out 0", "out 1", "in 1", "in 0"),
        ),
    )
    lanes = {"in": ("MTE2", 0), "Adds": ("V", 1), "out": ("MTE3", 2)}
    for i, (title, order) in enumerate(panels):
        y = 52 + i * 136
        p.text(24, y + 14, title)
        for name, lane in lanes.values():
            p.text(74, y + 40 + lane * 32, name, "e")
            p.line([(84, y + 50 + lane * 32), (870, y + 50 + lane * 32)], dash=True)
        for step, record in enumerate(order):
            name, lane = lanes[record.split()[0]]
            p.box(96 + step * 126, y + 22 + lane * 32, 116, 26, record, PIPES[name])
    return p


def overtaking() -> Picture:
    """Which record of a queue may run next."""
    p = Picture(900, 222)
    p.text(24, 30, "Overtaking: what may run next in one queue under late and seed:N", "t")
    entries = (
        ("A", 1),
        ("B", 1),
        ("set", 0),
        ("C", 1),
        ("wait, flag set", 0),
        ("D", 1),
        ("wait, flag not set", 0),
        ("E", 1),
        ("F", 1),
    )
    x = 24
    for words, move in entries:
        w = 7 * len(words) + 34
        reachable = words in "ABCD"
        p.box(x, 70, w, 40, words, PIPES["MTE2"] if move and reachable else "#fff" if not move else "#e6e6e6")
        if reachable:
            p.arrow(x + w / 2, 140, x + w / 2, 112)
        x += w + 8
    lines = (
        "A, B, C, D: up to 8 records are looked at, past flags that hold nothing back.",
        "A wait whose flag is not set, and a barrier, end the search.",
        "In order where they touch the same bytes: vector instructions under auto_sync, Mmads on 10 fractals or more, atomics.",
    )
    for i, words in enumerate(lines):
        p.text(24, 164 + 20 * i, words)
    return p


def cores() -> Picture:
    """Cores as fibres on workers."""
    p = Picture(900, 290)
    p.text(24, 30, "Four cores on two worker threads; cores 1 to 3 come to an atomic store before their turn", "t")
    spans = (
        (
            "worker 0",
            64,
            (("aiv0: runs to its end", 0, 250, "V"), ("aiv3", 256, 110, "FIX"), ("aiv3: its turn", 688, 112, "FIX")),
        ),
        (
            "worker 1",
            164,
            (
                ("aiv1", 0, 150, "M"),
                ("aiv2", 156, 110, "MTE2"),
                ("aiv1: its turn, to the end", 272, 200, "M"),
                ("aiv2: its turn, to the end", 478, 204, "MTE2"),
            ),
        ),
    )
    for name, y, pieces in spans:
        p.text(24, y + 26, name)
        for words, x, w, colour in pieces:
            p.box(92 + x, y, w - 6, 42, words, PIPES[colour])
    for x, y, core in ((236, 226, "aiv1 waits"), (352, 226, "aiv2 waits"), (452, 126, "aiv3 waits")):
        p.text(x, y, core, "s c")
        p.arrow(x, y - 12, x, y - 19)
    p.text(
        24,
        258,
        "A core stays on the thread it started on. A worker goes on with the lowest of its cores that can, else it starts the next core.",
    )
    p.text(
        24,
        278,
        "The stores reach global memory in the order aiv0, aiv1, aiv2, aiv3, whatever the number of workers is.",
    )
    return p


PICTURES = {
    "machine-coupled": coupled,
    "machine-split": split,
    "machine-queues": queues,
    "machine-schedules": schedules,
    "machine-overtaking": overtaking,
    "machine-cores": cores,
}


def main() -> int:
    for name, draw in PICTURES.items():
        (IMAGES / f"{name}.svg").write_text(draw().svg(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
