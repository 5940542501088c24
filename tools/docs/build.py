# SPDX-License-Identifier: Apache-2.0
"""Builds the site (`make docs`): warnings are errors, and every link of the result is checked."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

import check_site
import pages

HERE = Path(__file__).resolve().parent
NEEDS = ("mkdocs", "material", "mkdocstrings_handlers.python", "jieba")


def build(site: Path) -> tuple[list[str], str]:
    """What is wrong, and what was checked."""
    site.parent.mkdir(parents=True, exist_ok=True)
    environment = {
        **os.environ,
        "PYTHONPATH": str(HERE),  # mkdocs.yml names a function of pages.py
        "PYTHONDONTWRITEBYTECODE": "1",
        "NO_MKDOCS_2_WARNING": "1",
    }
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(site)]
    done = subprocess.run(command, cwd=HERE, env=environment, capture_output=True, text=True)
    said = (done.stdout + done.stderr).splitlines()
    if done.returncode:
        return said, ""
    wrong, counts, others = check_site.check(site)
    counted = ", ".join(f"{count} {what}" for what, count in counts.items())
    return said + wrong, f"{counted} checked\nnot tried: {len(others)} addresses of other hosts\n  " + "\n  ".join(
        others
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--site", type=Path, default=pages.ROOT / "build/docs/site")
    site = parser.parse_args().site.absolute()
    wrong = [*pages.check_links()[0], *pages.check_markdown(), *pages.navigation()[1]]
    said, checked = build(site) if not wrong else ([], "")
    wrong += said
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    print(f"{checked}\n{site}/index.html" if not wrong else f"{len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
