#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Executes the notebooks of examples/notebook in an empty folder and compares what each cell gives with what is stored;
`--update` stores it."""

import copy
import os
import sys
import tempfile
import unittest
from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "examples" / "notebook").glob("*.ipynb"))
UNSTABLE = "unstable"  # the tag of a cell whose output is not stored


def executed(notebook):
    """The notebook with what its cells really give, and nothing of when and where they ran."""
    done = copy.deepcopy(notebook)
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            SFUMATO_CACHE=f"{folder}/cache",
            JUPYTER_RUNTIME_DIR=f"{folder}/runtime",
            IPYTHONDIR=f"{folder}/ipython",
            PYDEVD_DISABLE_FILE_VALIDATION="1",
        )
        work = Path(folder) / "work"
        work.mkdir()
        NotebookClient(done, timeout=120, resources={"metadata": {"path": str(work)}}, record_timing=False).execute()
    for cell in done.cells:
        if UNSTABLE in cell.metadata.get("tags", ()):
            cell.outputs = []
    done.metadata = notebook.metadata
    return done


class Notebooks(unittest.TestCase):
    maxDiff = None

    def test_cells_give_what_is_stored(self):
        self.assertTrue(NOTEBOOKS)
        for path in NOTEBOOKS:
            with self.subTest(notebook=path.name):
                stored = nbformat.read(path, as_version=4)
                nbformat.validate(stored)
                for want, found in zip(stored.cells, executed(stored).cells, strict=True):
                    self.assertEqual(want, found, "run notebook_test.py --update, and look at what changed")


if __name__ == "__main__":
    if "--update" in sys.argv:
        for path in NOTEBOOKS:
            nbformat.write(executed(nbformat.read(path, as_version=4)), path)
    else:
        sys.exit(unittest.main())
