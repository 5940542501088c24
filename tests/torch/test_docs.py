# SPDX-License-Identifier: Apache-2.0
"""docs/torch.md and docs/repository-tests.md print what they say. `python3 test_docs.py --update` writes the real output."""

import re
import sys
import tempfile
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "support"))
import snippets  # noqa: E402

DOCS = Path(__file__).parents[2] / "docs"
BLOCKS = {"torch.md": 5, "repository-tests.md": 5}


def real_text(text, folder):
    """The page with what its commands really print."""
    return snippets.real_text(text, folder, {"CUDA_HOME": "", "PYTHONWARNINGS": "ignore"})


@pytest.mark.parametrize("page", BLOCKS)
def test_snippets_print_what_the_page_says(page, tmp_path):
    text = (DOCS / page).read_text()
    assert len(snippets.blocks(snippets.rendered(text))) == BLOCKS[page]
    assert _unnumbered(real_text(text, tmp_path)) == _unnumbered(text)


def _unnumbered(text):
    """Releases of PyTorch make more or fewer tensors on the way; pytest tells how long it took."""
    return re.sub(r"tensor #\d+", "tensor #N", re.sub(r"in [\d.]+s\b", "in N s", text))


if __name__ == "__main__" and "--update" in sys.argv:
    for name in BLOCKS:
        with tempfile.TemporaryDirectory() as scratch:
            (DOCS / name).write_text(real_text((DOCS / name).read_text(), Path(scratch)))
