# SPDX-License-Identifier: Apache-2.0
"""The pictures of docs/timeline.md and docs/sweeping.md: runs kernels with `trace`, and a sweep, and opens their pages in a
browser.

Needs what screenshots.py needs, and the Python package (PYTHONPATH=build/dev/python). Fails when a page asks another
host for anything, when the browser reports an error, or when something of a timeline is cut at 800 pixels of width.
"""

import argparse
import contextlib
import os
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

import sfumato

ROOT = Path(__file__).resolve().parents[2]
CHIP = "Ascend910B1"


def double_buffering(path, **options):
    x = np.arange(4 * 5120, dtype=np.float32)
    lib = sfumato.compile(Path("examples/basics/double_buffering.cpp"), chip=CHIP)
    lib.with_flags[4].options(trace=path, **options)(x, x.copy(), 5120)


def estimate(path):
    double_buffering(path, time=True)


def flash_attention(path):
    shape, slot = (2, 256, 64), 128 * (128 * 6 + 64 * 4)
    q, k, v = np.random.default_rng(1).standard_normal((3, *shape)).astype(np.float16)
    programs = Path("tests/python/programs")
    lib = sfumato.compile(programs / "attention.cpp", chip=CHIP, include_dirs=[Path("examples/matmul")])
    out, workspace = np.zeros(shape, np.float32), np.zeros(3 * slot, np.uint8)
    lib.flash_attention[3].options(trace=path)(q, k, v, out, workspace, 2, 256, False)


def standstill(path):
    x = np.zeros(4096, np.float32)
    lib = sfumato.compile(Path("examples/wrong/buffer_kept.cpp"), chip=CHIP)
    with contextlib.suppress(sfumato.KernelError):
        lib.squares[1].options(trace=path)(x, x.copy())


def sweep_report(path):
    """Of an operator with two mistakes: a tail of float32 that is not stored, a tile of float16 that is read behind its end."""
    folder = path.parent / "sweep"
    shutil.copytree("examples/operator", folder / "Axpy")
    source = folder / "Axpy/op_kernel/axpy_custom.cpp"
    text = source.read_text()
    store, load = "DataCopyPad(z_[at], out, bytes);", "DataCopyPad(in, x_[at], bytes, pad);"
    assert store in text and load in text
    text = text.replace(store, f"if (sizeof(DTYPE_X) == 2 || count != 15) {store}")
    text = text.replace(
        load, f"if (sizeof(DTYPE_X) == 2 && count % 32 == 1) {load.replace('[at]', '[at + 1]')} else {load}"
    )
    source.write_text(text)
    reference = "def axpy(x, y, alpha):\n    return (x * x.dtype.type(alpha)).astype(x.dtype) + y\n"
    (folder / "refs.py").write_text(reference)
    with contextlib.chdir(folder):
        cases = sfumato.sweeping.generate("Axpy", chip=CHIP, reference="refs.py:axpy", compare="exact", seeds=4)
        sfumato.sweep(cases, out="out", progress=False)
    (folder / "out/report.html").rename(path)


_READY, _PLOTTED = "html[data-ready=yes]", ".js-plotly-plot .main-svg"
# The kernel, how the page looks, what is there when it is ready, and what is done with it first.
PICTURES = {
    "timeline-double-buffering": (double_buffering, "light", _READY, "pick(sliceAt(rowOf(0, 1), 7))"),
    "timeline-estimate": (estimate, "light", _READY, "document.querySelectorAll('.card')[1].click()"),
    "timeline-flash-attention": (flash_attention, "light", _READY, ""),
    "timeline-standstill": (standstill, "dark", _READY, ""),
    "sweep-report": (sweep_report, "light", _PLOTTED, ""),
}


# What is wider than its room on a narrow page, in each list.
_CUT = """
TABS.filter((t) => t[2]()).flatMap(([name]) => {
  openTab(name);
  const parts = [document.documentElement, element("list"), element("panel"), document.querySelector("header")];
  return parts.filter((e) => e.scrollWidth > e.clientWidth).map((e) => `${name}: ${e.id || e.tagName} is cut`);
})"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "docs/images")
    parser.add_argument("--browser", default="/usr/bin/chromium")
    parser.add_argument("--only", choices=PICTURES, help="one picture")
    options = parser.parse_args()
    out = options.out.absolute()
    os.chdir(ROOT)  # pages name sources as they were given
    wrong = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.browser, args=["--no-sandbox"])
        for name, (kernel, scheme, ready, script) in PICTURES.items():
            if options.only not in (None, name):
                continue
            page = Path(folder) / f"{name}.html"
            kernel(page)
            tab = browser.new_context(viewport={"width": 1200, "height": 760}, color_scheme=scheme).new_page()
            tab.on("request", lambda r: r.url.startswith("http") and wrong.append(f"asked for {r.url}"))
            tab.on("pageerror", lambda error: wrong.append(str(error)))
            tab.goto(page.as_uri())
            tab.wait_for_selector(ready, timeout=20000)
            tab.evaluate(script or "0")
            tab.wait_for_timeout(200)
            tab.screenshot(path=out / f"{name}.png", full_page=ready == _PLOTTED)
            if ready == _READY:
                tab.set_viewport_size({"width": 800, "height": 700})
                wrong.extend(f"{name}: {cut}" for cut in tab.evaluate(_CUT))
        browser.close()
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
