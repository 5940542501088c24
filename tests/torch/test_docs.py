# SPDX-License-Identifier: Apache-2.0
"""docs/torch.md prints what it says. `python3 test_docs.py --update` writes the real output."""

import re
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "support"))
import snippets  # noqa: E402

PAGE = Path(__file__).parents[2] / "docs" / "torch.md"


def real_text(text, folder):
    """The page with what its commands really print."""
    return snippets.real_text(text, folder, {"CUDA_HOME": "", "PYTHONWARNINGS": "ignore"})


def test_snippets_print_what_the_page_says(tmp_path):
    text = PAGE.read_text()
    assert len(snippets.blocks(snippets.rendered(text))) == 5
    assert _unnumbered(real_text(text, tmp_path)) == _unnumbered(text)


def _unnumbered(text):
    """Releases of PyTorch make more or fewer tensors on the way."""
    return re.sub(r"tensor #\d+", "tensor #N", text)


if __name__ == "__main__" and "--update" in sys.argv:
    with tempfile.TemporaryDirectory() as scratch:
        PAGE.write_text(real_text(PAGE.read_text(), Path(scratch)))
