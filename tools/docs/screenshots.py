# SPDX-License-Identifier: Apache-2.0
"""Pictures of the site's main pages into build/docs/screens: light, dark and on a narrow screen, loaded without a server.

Needs chromium (Debian: chromium) and the PyPI package playwright. Fails when a page asks another host for anything, or
is wider than the narrow screen.
"""

import argparse
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
PAGES = (
    *(
        "README",
        "docs/tutorial",
        "docs/tik",
        "docs/machine",
        "docs/checks",
        "docs/support",
        "docs/reports",
        "docs/names",
    ),
    *("docs/chips", "docs/instructions/README", "docs/instructions/Cast", "docs/calls/SoftMax", "docs/command"),
    *("reference/python", "reference/cpp/sfumato/launch.h", "docs/spec/cube", "CHANGELOG", "README.zh"),
)
LOOKS = {"light": (1280, 900, "light"), "dark": (1280, 900, "dark"), "narrow": (390, 844, "light")}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", default=PAGES, help="as in the repository, without .md")
    parser.add_argument("--site", type=Path, default=ROOT / "build/docs/site")
    parser.add_argument("--out", type=Path, default=ROOT / "build/docs/screens")
    parser.add_argument("--browser", default="/usr/bin/chromium")
    parser.add_argument("--search", default="softmax", help="what is looked for in the picture of the search")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    wrong = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.browser, args=["--no-sandbox"])
        for look, (width, height, scheme) in LOOKS.items():
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            tab = context.new_page()
            tab.on(
                "request", lambda request: request.url.startswith("http") and wrong.append(f"asked for {request.url}")
            )
            for name in options.pages:
                file = (
                    options.site.absolute()
                    / f"{name.removesuffix('README')}{'index' if name.endswith('README') else ''}.html"
                )
                if not file.exists():
                    continue
                tab.goto(file.as_uri())
                tab.wait_for_timeout(150)
                tab.screenshot(path=options.out / f"{name.replace('/', '-')}.{look}.png")
                wide = tab.evaluate("document.documentElement.scrollWidth")
                if wide > width:
                    wrong.append(f"{name}: {wide} pixels wide on a screen of {width}")
            if options.search:
                tab.goto((options.site.absolute() / "index.html").as_uri())
                if look == "narrow":
                    tab.click("label[for=__search]")
                tab.locator(".md-search__input").press_sequentially(options.search)
                tab.wait_for_selector(".md-search-result__item", timeout=20000)
                tab.wait_for_timeout(300)
                tab.screenshot(path=options.out / f"search.{look}.png")
        browser.close()
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    print(f"{len(list(options.out.glob('*.png')))} pictures in {options.out}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
