# SPDX-License-Identifier: Apache-2.0
"""Cases that run on many ranks (docs/ranks.md)."""

import numpy as np
import pytest
import sfumato
from some_cases import ROOT

QUIET = {"progress": False, "report": False}
MOST = 16
REFERENCE = """
import numpy as np

def exchanged(src, counts):
    assert (counts == 16).all()
    received = np.full((*counts.shape, 8), 2, np.int32)
    received[:, :, 1] = 16
    return {"dst": src.swapaxes(0, 1), "received": received}
"""


def exchange(ranks, **more):
    shapes = {"dst": [ranks, ranks, MOST], "received": [ranks, ranks, 8]}
    case = {
        "kernel": str(ROOT / "examples" / "ranks" / "all_to_all.cpp"),
        "chip": "Ascend910_9392",
        "blocks": 1,
        "ranks": ranks,
        "repeat": 2,
        "window_mb": 1,
        "args": ["src", "counts", "dst", "received", "context", MOST],
        "inputs": {
            "src": np.arange(ranks * ranks * MOST, dtype=np.int32).reshape(ranks, ranks, MOST),
            "counts": np.full((ranks, ranks), MOST, np.int32),
        },
        "outputs": {name: {"shape": shape, "dtype": "int32"} for name, shape in shapes.items()},
        "reference": "exchange.py:exchanged",
        "compare": "exact",
        "schedules": ["eager", "late", "skew", "seed:1"],
        "name": f"{ranks} ranks",
    }
    return {**case, **more}


def test_ranks(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "exchange.py").write_text(REFERENCE)
    wrong_counts = {**exchange(2)["inputs"], "counts": np.zeros((2, 2), np.int32)}
    cases = [exchange(1), exchange(2), exchange(5)]
    cases.append(exchange(2, name="hang", inputs=wrong_counts, build={"defines": {"SKIP_EMPTY": 1}}, reference=None))
    cases.append(exchange(2, name="shape", outputs={**exchange(3)["outputs"]}))
    done = sfumato.sweep(cases, out=tmp_path / "out", workers=1, **QUIET)
    found = {result["name"]: result for result in done.results}
    assert {name: result["verdict"] for name, result in found.items()} == {
        "1 ranks": "right",
        "2 ranks": "right",
        "5 ranks": "right",
        "hang": "refused",
        "shape": "invalid",
    }
    assert found["hang"]["report"]["rule"] == "deadlock"
    assert "dst: the shape is [3, 3, 16], but the first dimension is that of the 2 ranks" in found["shape"]["summary"]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"ranks": 65}, r"ranks: 65 must be an int in \[1, 64\]"),
        ({"ranks": None}, "'repeat' is for several ranks; give \"ranks\", too"),
        ({"window_mb": 0}, r"window_mb: 0 must be an int in \[1, 4096\]"),
    ],
)
def test_slips(tmp_path, change, text):
    with pytest.raises(sfumato.Error, match=text):
        sfumato.sweep([{**exchange(2), **change}], out=tmp_path / "out", **QUIET)
